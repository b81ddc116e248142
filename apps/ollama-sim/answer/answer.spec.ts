import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { chat, MODEL, sim, start } from '../engine/engine.suite.ts';
import { linesOf, probe, type Seen } from '../http-client.suite.ts';
import { DEFAULT_MODELS } from '../options.ts';

const messages = [{ role: 'user', content: 'Say something to the table.' }];
const format = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };

beforeEach(() => start({ models: DEFAULT_MODELS }));
afterEach(() => sim.close());

const whole = { stream: false };
const content = (seen: Seen): string => {
  const message: { content: string } = JSON.parse(JSON.stringify(linesOf(seen.text).at(-1)?.['message']));
  return message.content;
};

describe('a schema that is nested 50,000 deep', () => {
  const body = (schema: string) => `{"model":"${MODEL}","stream":false,"messages":${JSON.stringify(messages)},${schema}}`;
  const deep = `${'{"type":"array","items":'.repeat(50_000)}true${'}'.repeat(50_000)}`;

  it('is refused', async () => {
    const seen = await probe(sim.url, '/api/chat', body(`"format":${deep}`)).seen;
    expect([seen.status, seen.text]).toEqual([400, expect.stringContaining('failed to parse grammar')]);
  });
});

describe('faults of the model', () => {
  it('empty-content: returns no content, with done', async () => {
    const seen = await chat({ ...whole, format }, 'empty-content').seen;
    expect(linesOf(seen.text)[0]).toMatchObject({ message: { content: '' }, done: true, done_reason: 'stop' });
  });

  it('schema-violation: never meets the schema', async () => {
    const ajv = new Ajv2020({ strict: false });
    const schemas = [
      format,
      { type: 'array' },
      { anyOf: [format, { type: 'array' }] },
      { enum: ['a', 1] },
      { $ref: '#/$defs/a', $defs: { a: { type: 'string' } } },
      {},
      { type: ['object', 'array', 'string', 'boolean'] },
    ];
    for (const schema of schemas) {
      const text = content(await chat({ ...whole, format: schema }, 'schema-violation').seen);
      const meets = (): boolean => ajv.validate(schema, JSON.parse(text));
      let met: unknown = 'no JSON';
      try {
        met = meets();
      } catch {
        // no JSON at all is a violation too
      }
      expect([schema, met === true]).toEqual([schema, false]);
    }
  });

  it('think-leak: puts the thinking into the content', async () => {
    const [leaked, good] = [await chat({ ...whole, format }, 'think-leak').seen, await chat({ ...whole, format }).seen];
    expect(content(leaked)).toMatch(/^<think>\n.*\n<\/think>\n\n/);
    expect(content(leaked).endsWith(content(good))).toBe(true);
  });

  it('whitespace-run: a bracket and newlines without done, up to the limit', async () => {
    const [end] = linesOf((await chat({ ...whole, format }, 'whitespace-run').seen).text);
    expect(end).toMatchObject({ message: { content: expect.stringMatching(/^\{\n{20,}$/) }, done: false });
    expect((await chat({ format }, 'whitespace-run').seen).text).not.toContain('"done":true');
    const [cut] = linesOf((await chat({ ...whole, format, options: { num_predict: 5 } }, 'whitespace-run').seen).text);
    expect(cut).toMatchObject({ message: { content: '{\n\n\n\n' }, done: true, done_reason: 'length' });
  });
});
