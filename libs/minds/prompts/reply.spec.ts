import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { dayTwo, inspect, talk, vote, whisper } from '../fixtures.suite.ts';
import type { Asking } from '../mind.ts';
import { jsonSchemaOf, readReply, waysOf } from './reply.ts';

const words = (given: Partial<Parameters<typeof waysOf>[0]>) => waysOf({ ...dayTwo, ...given }).map((way) => way.do);
const all = waysOf({ ...dayTwo, questions: [vote, talk, inspect, whisper] });
const read = (reply: unknown, ways = all) => readReply(typeof reply === 'string' ? reply : JSON.stringify(reply), ways);

describe('the ways to answer', () => {
  it('are speak, vote, the step of any other choice, whisper and listen', () => {
    expect(all.map((way) => way.do)).toEqual(['speak', 'vote', 'inspect', 'whisper', 'listen']);
  });

  it('leave only the choices that are owed when they are pressed for', () => {
    expect(words({ mustChoose: true })).toEqual(['vote']);
    expect(words({ mustChoose: true, questions: [vote, inspect], standing: { [vote.id]: ['seat:1'] } })).toEqual(['inspect']);
    expect(words({ mustChoose: true, standing: { [vote.id]: ['seat:1'] } })).toEqual(['speak', 'vote', 'listen']);
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
        { properties: { do: { const: 'speak' }, text: { minLength: 1, maxLength: 40 } } },
        {
          properties: { do: { const: 'vote' }, target: { enum: ['Bob', 'Cid', 'Dot'] } },
          required: ['do', 'target'],
          additionalProperties: false,
        },
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
    { do: 'speak', text: '' },
    { do: 'whisper', to: 'Cid' },
    { do: 'run' },
    {},
  ])('forbids %j, and so does the reader', (reply) => {
    expect(check(reply)).toBe(false);
    expect(read(reply)).toHaveProperty('wrong');
  });
});

describe('reading a reply', () => {
  it('maps names back to options', () => {
    expect(read({ do: 'vote', target: 'Cid' })).toEqual({ answers: [{ question: vote.id, says: ['seat:2'] }] });
    expect(read({ do: 'whisper', to: 'Dot', text: 'psst' })).toEqual({ answers: [{ question: whisper.id, says: ['seat:3', 'psst'] }] });
    expect(read({ do: 'inspect', target: 'Bob' })).toEqual({ answers: [{ question: inspect.id, says: ['seat:1'] }] });
    expect(read({ do: 'listen' })).toEqual({ answers: [] });
  });

  it('forgives case, fences and line breaks, nothing that changes the meaning', () => {
    expect(read('```json\n{"do":"vote","target":" cid "}\n```')).toEqual({ answers: [{ question: vote.id, says: ['seat:2'] }] });
    expect(read({ do: 'speak', text: 'one\ntwo\u0007' })).toEqual({ answers: [{ question: talk.id, says: ['one two'] }] });
  });

  it('never lets an option through that was not offered, not even by its id', () => {
    for (const target of ['seat:1', 'seat:0', '__proto__', 'Bob, Cid', ['Bob'], 3, null])
      expect(read({ do: 'vote', target })).toHaveProperty('wrong');
  });

  it('says what is wrong in words', () => {
    expect(read('I vote for Bob')).toEqual({ wrong: 'It was not one JSON object.' });
    expect(read('[1]')).toEqual({ wrong: 'It was not one JSON object.' });
    expect(read({ do: 'hide' })).toEqual({ wrong: '"do" must be one of speak, vote, inspect, whisper, listen.' });
    expect(read({ do: 'speak', text: 'x'.repeat(41) })).toEqual({ wrong: expect.stringContaining('at most 40 characters') });
    expect(read({ do: 'vote', target: 'Ann' })).toEqual({ wrong: expect.stringMatching(/"target".*"Bob"\|"Cid"\|"Dot"/) });
  });

  it('counts characters as people do, not as UTF-16 does', () => {
    expect(read({ do: 'speak', text: '🐺'.repeat(40) })).toHaveProperty('answers');
    expect(read({ do: 'speak', text: '🐺'.repeat(41) })).toHaveProperty('wrong');
  });

  it('takes a vote on a team and a card by the names that people have for them', () => {
    const choiceOf = (id: string, ...given: readonly string[]) => ({
      ...inspect,
      id: `quest-1/${id}`,
      options: given.map((is) => ({ is, named: is })),
    });
    const approve = choiceOf('approve', 'approve', 'reject');
    const card = choiceOf('quest', 'success', 'fail');
    const of = (asking: Asking) => waysOf({ ...dayTwo, questions: [asking] });
    expect(Object.keys(jsonSchemaOf(of(approve), { reasonChars: 9 })['properties'] as object)).toEqual(['reason', 'vote']);
    expect(read({ vote: 'Reject' }, of(approve))).toEqual({ answers: [{ question: approve.id, says: ['reject'] }] });
    expect(read({ card: 'fail' }, of(card))).toEqual({ answers: [{ question: card.id, says: ['fail'] }] });
    expect(read({ vote: 'fail' }, of(approve))).toHaveProperty('wrong');
  });

  it('takes as many names as are picked, each once', () => {
    const team: Asking = { ...inspect, id: 'quest-1/team', pick: 2 };
    const ways = waysOf({ ...dayTwo, questions: [team] });
    expect(read({ do: 'team', targets: ['Bob', 'Dot'] }, ways)).toEqual({ answers: [{ question: team.id, says: ['seat:1', 'seat:3'] }] });
    expect(read({ do: 'team', targets: ['Bob', 'Bob'] }, ways)).toHaveProperty('wrong');
    expect(read({ do: 'team', targets: ['Bob'] }, ways)).toHaveProperty('wrong');
  });
});
