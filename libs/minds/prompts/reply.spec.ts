import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { dayTwo, inspect, talk, vote, whisper } from '../fixtures.suite.ts';
import { readReply } from '../replies/read-reply.ts';
import { jsonSchemaOf, waysOf } from './reply.ts';

const words = (given: Partial<Parameters<typeof waysOf>[0]>) => waysOf({ ...dayTwo, ...given }).map((way) => way.do);
const all = waysOf({ ...dayTwo, questions: [vote, talk, inspect, whisper] });
const read = (reply: unknown) => readReply(JSON.stringify(reply), all);

describe('the ways to answer', () => {
  it('are speak, vote, the step of any other choice, whisper and listen', () => {
    expect(all.map((way) => way.do)).toEqual(['vote', 'speak', 'inspect', 'whisper', 'listen']);
  });

  it('leave only the choices that are owed when they are pressed for', () => {
    expect(words({ mustChoose: true })).toEqual(['vote']);
    expect(words({ mustChoose: true, questions: [vote, inspect], standing: { [vote.id]: ['seat:1'] } })).toEqual(['inspect']);
    expect(words({ mustChoose: true, standing: { [vote.id]: ['seat:1'] } })).toEqual(['vote', 'speak', 'listen']);
  });

  it('have no listening where a question is asked once', () => {
    expect(words({ questions: [{ ...talk, final: true }] })).toEqual(['speak']);
  });

  it('have names of their own when two questions are of one kind', () => {
    expect(words({ questions: [vote, { ...vote, id: 'round-1/day-2/revote' }] })).toEqual(['vote', 'vote-revote', 'listen']);
  });

  it('leave out a choice without options', () => {
    expect(words({ questions: [{ ...vote, options: [] }, talk] })).toEqual(['speak', 'listen']);
  });
});

describe('the JSON schema', () => {
  const check = new Ajv2020({ strict: false }).compile(jsonSchemaOf(all));

  it('is anyOf branches told apart by a constant, with enums of names and a bound on text', () => {
    expect(jsonSchemaOf(all)).toMatchObject({
      anyOf: [
        {
          properties: { do: { const: 'vote' }, target: { enum: ['Bob', 'Cid', 'Dot'] } },
          required: ['do', 'target'],
          additionalProperties: false,
        },
        { properties: { do: { const: 'speak' }, text: { minLength: 1, maxLength: 40 } } },
        { properties: { do: { const: 'inspect' } } },
        { properties: { do: { const: 'whisper' }, to: { enum: ['Bob', 'Cid', 'Dot'] } } },
        { properties: { do: { const: 'listen' } } },
      ],
    });
  });

  it.each([
    { do: 'vote', target: 'Bob' },
    { do: 'speak', text: 'x'.repeat(40) },
    { do: 'whisper', to: 'Cid', text: 'psst' },
    { do: 'listen' },
  ])('allows %j, and so does the reader', (reply) => {
    expect(check(reply)).toBe(true);
    expect(read(reply)).toHaveProperty('answers');
  });

  it.each([
    { do: 'vote', target: 'Ann' },
    { do: 'speak', text: 'x'.repeat(41) },
    { do: 'whisper', to: 'Cid' },
    { do: 'run' },
    {},
  ])('forbids %j, and so does the reader', (reply) => {
    expect(check(reply)).toBe(false);
    expect(read(reply)).toHaveProperty('wrong');
  });
});
