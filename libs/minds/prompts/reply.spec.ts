import { describe, expect, it } from '@jest/globals';
import { isUtterance } from '@maw/games/aiwolf/language/content-reader.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { dayTwo, inspect, talk, vote, whisper } from '../fixtures.suite.ts';
import { readReply } from '../replies/read-reply.ts';
import { jsonSchemaOf, waysOf } from './reply.ts';

const words = (given: Partial<Parameters<typeof waysOf>[0]>) => waysOf({ ...dayTwo, ...given }).map((way) => way.do);
const all = waysOf({ ...dayTwo, questions: [vote, talk, inspect, whisper] });
const read = (reply: unknown) => readReply(JSON.stringify(reply), all);

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
  const check = new Ajv2020({ strict: false }).compile(jsonSchemaOf(all, dayTwo));

  it('is anyOf branches told apart by a constant, with enums of names and a bound on text', () => {
    expect(jsonSchemaOf(all, dayTwo)).toMatchObject({
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

  it.each([{ do: 'vote', target: 'Ann' }, { do: 'speak', text: 'x'.repeat(41) }, { do: 'whisper', to: 'Cid' }, { do: 'run' }, {}])(
    'forbids %j, and so does the reader',
    (reply) => {
      expect(check(reply)).toBe(false);
      expect(read(reply)).toHaveProperty('wrong');
    },
  );

  it('takes a vote on a team and a card by the names that people have for them', () => {
    const choiceOf = (id: string, ...given: readonly string[]) => ({
      ...inspect,
      id: `quest-1/${id}`,
      options: given.map((is) => ({ is, named: is })),
    });
    const approve = choiceOf('approve', 'approve', 'reject');
    const card = choiceOf('quest', 'success', 'fail');
    const of = (asking: typeof approve) => waysOf({ ...dayTwo, questions: [asking] });
    const as = (reply: object, ways: ReturnType<typeof of>) => readReply(JSON.stringify(reply), ways);
    expect(Object.keys(jsonSchemaOf(of(approve), dayTwo, { reasonChars: 9 })['properties'] as object)).toEqual(['reason', 'vote']);
    expect(as({ vote: 'Reject' }, of(approve))).toMatchObject({ answers: [{ question: approve.id, says: ['reject'] }] });
    expect(as({ card: 'fail' }, of(card))).toMatchObject({ answers: [{ question: card.id, says: ['fail'] }] });
    expect(as({ vote: 'fail' }, of(approve))).toHaveProperty('wrong');
  });

  it.each([5, 15])('lets %i players say only sentences of the language of AIWolf, in an enum of a size that servers take', (count) => {
    const players = Array.from({ length: count }, (_, seat) => ({ seat, name: `P${seat}`, alive: true }));
    const moment = { ...dayTwo, rules: { name: 'aiwolf', text: '' }, players };
    const talkOf = (...lines: readonly string[]) => waysOf({ ...dayTwo, questions: [{ ...talk, final: true, options: lines.map((is) => ({ is, named: is })) }] }); // prettier-ignore
    const ways = talkOf('Skip', 'Over', 'VOTE Agent[02]');
    const schema = jsonSchemaOf(ways, moment);
    const { enum: sentences = [] } = (schema as { properties: { text: { enum?: readonly string[] } } }).properties.text;
    const takes = new Ajv2020({ strict: false }).compile(schema);
    const say = (text: string) => takes({ do: 'speak', text });

    expect(['Skip', 'COMINGOUT Agent[01] SEER', 'DIVINED Agent[04] WEREWOLF', 'REQUEST ANY (VOTE Agent[05])'].every(say)).toBe(true);
    expect(['I vote for Agent[02].', 'VOTE Agent[01]', 'ATTACK Agent[02]'].some(say)).toBe(false);
    expect(sentences.filter((text) => !isUtterance(text))).toEqual([]);
    expect(sentences.length).toBeLessThan(500);
    expect(sentences.join('').length).toBeLessThan(15_000);
    const night = new Ajv2020({ strict: false }).compile(jsonSchemaOf(talkOf('Skip', 'Over', 'ATTACK Agent[02]'), moment));
    expect(night({ do: 'speak', text: 'ATTACK Agent[04]' })).toBe(true);
    expect(JSON.stringify(jsonSchemaOf(talkOf('Skip', 'Over'), moment))).not.toContain('enum');
  });
});
