import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createPrompt, type Prompt } from './line-editor.ts';

describe('the line editor in a terminal', () => {
  let input: PassThrough;
  let output: PassThrough & { columns?: number };
  let prompt: Prompt;
  let lines: AsyncIterator<string>;
  let written: string;
  beforeEach(() => {
    input = new PassThrough();
    output = Object.assign(new PassThrough(), { columns: 40 });
    written = '';
    output.on('data', (piece: Buffer) => void (written += piece.toString()));
    prompt = createPrompt(input, output, true);
    lines = prompt.lines()[Symbol.asyncIterator]();
  });
  afterEach(() => prompt.close());
  const next = async () => (await lines.next()).value as string;

  it('takes a paste of many lines as one line, also when its marks are cut in two', async () => {
    const text = Array.from({ length: 60 }, () => 'a sentence that somebody wrote down elsewhere').join('\r\n');
    input.write('so: \u001b[200');
    input.write(`~${text.slice(0, 1000)}`);
    input.write(`${text.slice(1000)}\r\n\u001b[20`);
    input.write('1~!\r');
    expect(await next()).toBe(`so: ${text.replaceAll('\r\n', ' ')}!`);
  });

  it('takes no control character out of a paste', async () => {
    input.write('\u001b[200~a\u0003b\u0004c\u001b[201~\r');
    expect(await next()).toBe('a b c');
  });

  it('turns Ctrl-D on an empty line into /quit, and deletes with it in others', async () => {
    input.write('\u0004');
    expect(await next()).toBe('/quit');
    input.write('ab');
    input.write('\u001b[D');
    input.write('\u0004');
    input.write('\r');
    expect(await next()).toBe('a');
  });

  it('brings earlier lines back with the arrow key', async () => {
    input.write('/vote Ada\r');
    await next();
    input.write('\u001b[A\r');
    expect(await next()).toBe('/vote Ada');
  });

  it('completes what is unique or common, and shows the rest', async () => {
    prompt.setCompletions((line) => ({ part: line, texts: ['/vote ', '/votes '].filter((text) => text.startsWith(line)) }));
    input.write('/vo');
    input.write('\t');
    input.write('\t');
    expect(written).toMatch(/\/vote {2}\/votes\n/);
    for (const key of ['s', '\t', '\r']) input.write(key);
    expect(await next()).toBe('/votes ');
  });

  it('keeps a half typed line under what is shown, and a given text to be edited', async () => {
    input.write('hel');
    prompt.show('Bob: hi');
    input.write('lo\r');
    expect(await next()).toBe('hello');
    prompt.edit('too long');
    input.write('\u007f\r');
    expect(await next()).toBe('too lon');
  });

  it('breaks what is shown between words', () => {
    prompt.show(`\u001b[2m${'a sentence '.repeat(4)}is broken here\u001b[22m`);
    expect(written).toContain('\u001b[2ma sentence a sentence a sentence a\nsentence is broken here\u001b[22m\n');
  });

  it('draws the status for the width of the terminal, again only when it differs', () => {
    let time = 2;
    prompt.setStatus((columns) => [`${time} s left, ${columns} wide`]);
    expect(written).toContain('2 s left, 40 wide\n> ');
    const before = written.length;
    prompt.refresh();
    expect(written.length).toBe(before);
    time = 1;
    output.columns = 30;
    prompt.refresh();
    expect(written.slice(before)).toContain('1 s left, 30 wide\n> ');
  });

  it('leaves no row of the old status when the terminal gets narrower', () => {
    prompt.setStatus((columns) => ['a'.repeat(columns - 1), 'b'.repeat(columns - 1)]);
    input.write('hello');
    const before = written.length;
    output.columns = 20;
    output.emit('resize');
    const after = written.slice(before);
    // each row of 39 letters has become two: two rows more than readline knows of, which goes up two itself
    expect(after.startsWith('\u001b[2A\u001b[2A')).toBe(true);
    expect(after).toContain(`${'a'.repeat(19)}\n${'b'.repeat(19)}\n> hello`);
    output.columns = 40;
    output.emit('resize');
    expect(written.slice(before + after.length)).toContain(`${'a'.repeat(39)}\n${'b'.repeat(39)}\n> hello`);
  });

  it('counts keys and pastes', async () => {
    expect(prompt.keys()).toBe(0);
    input.write('\u001b[D');
    input.write('\u001b[200~two words\u001b[201~');
    input.write('\r');
    expect([await next(), prompt.keys()]).toEqual(['two words', 3]);
  });

  it('hears Ctrl-C', async () => {
    const heard = new Promise<void>((resolve) => prompt.onInterrupt(resolve));
    input.write('\u0003');
    await heard;
  });

  it('stops marking pastes when it closes', () => {
    prompt.close();
    expect(written).toMatch(/\u001b\[\?2004h.*\u001b\[\?2004l$/s);
  });
});
