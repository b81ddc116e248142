import { describe, expect, it } from '@jest/globals';
import { type Question, parseTypedCommand, resolveChoice } from './typed-command.ts';
import { ollamaUrl } from '../models.ts';

const names = ['Ann', 'Ann Lee', 'Bob'];
const question = (id: string, final: boolean): Question => ({
  id,
  verb: 'choose',
  options: [
    { is: 'seat:1', named: 'Ann Lee' },
    { is: 'seat:2', named: 'Bob' },
  ],
  pick: 1,
  until: 0,
  final,
  maxChars: 500,
});

describe('a typed line', () => {
  it.each([
    ['hello there', { does: 'say', text: 'hello there' }],
    ['/vote Bob', { does: 'choose', step: 'vote', whom: 'Bob' }],
    ['/VOTES', { does: 'votes' }],
    ['/whisper ann lee meet me', { does: 'whisper', whom: 'Ann Lee', text: 'meet me' }],
    ['/whisper Ann meet me', { does: 'whisper', whom: 'Ann', text: 'meet me' }],
    ['   ', undefined],
  ])('%j is understood', (line, wish) => expect(parseTypedCommand(line, names)).toEqual(wish));

  it.each(['/dance', '/', '/whisper Zoe hi', '/whisper Bob'])('%j is answered with help', (line) =>
    expect(parseTypedCommand(line, names)).toMatchObject({ does: 'unknown' }),
  );
});

describe('a choice', () => {
  it('names people in any case, or the option itself', () => {
    for (const whom of ['ann LEE', 'seat:1'])
      expect(resolveChoice('vote', whom, [question('round-1/day-1/vote', false)])).toMatchObject({ says: ['seat:1'] });
  });

  it('/vote also answers the only changeable choice there is, and no other word does', () => {
    const asked = [question('round-1/night-1/hunt', false)];
    expect(resolveChoice('vote', 'Bob', asked)).toMatchObject({ says: ['seat:2'] });
    expect(resolveChoice('inspect', 'Bob', asked)).toEqual({ why: 'you are not asked to inspect now; you may /hunt' });
  });

  it('of somebody who cannot be chosen says who can', () => {
    expect(resolveChoice('vote', 'Zoe', [question('d/vote', false)])).toEqual({ why: 'zoe cannot be chosen; choose from Ann Lee, Bob' });
  });
});

describe('OLLAMA_HOST', () => {
  it.each([
    [undefined, 'http://127.0.0.1:11434'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['gpu', 'http://gpu:11434'],
    [':8080', 'http://127.0.0.1:8080'],
    ['http://gpu:1234/', 'http://gpu:1234'],
  ])('%j is %s', (host, url) => expect(ollamaUrl(host)).toBe(url));

  it('that is no address is said to be none', () => expect(() => ollamaUrl('http://')).toThrow('OLLAMA_HOST is no address'));
});
