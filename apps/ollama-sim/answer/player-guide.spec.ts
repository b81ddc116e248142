import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { type AnswerRequest, answerTo } from './answer.ts';
import type { Schema } from '../json-schema/schema.ts';
import { FIRST_NAMES, QUESTIONS, SPEECH, THOUGHTS } from './phrases.ts';
import { readPrompt } from './read-prompt.ts';
import { readSuspicion } from './suspicion.ts';

const PLAYERS = ['Ann', 'Bob', 'Cid', 'Dora', 'Eve', 'Finn'];
const SEEDS = Array.from({ length: 60 }, (_, at) => `seed ${at}`);

const branch = (name: string, properties: Record<string, unknown> = {}): Schema => ({
  type: 'object',
  properties: { do: { const: name }, ...properties },
  required: ['do', ...Object.keys(properties)],
  additionalProperties: false,
});
const target = { type: 'string', enum: PLAYERS };
const daytime = {
  anyOf: [branch('speak', { text: { type: 'string', minLength: 1, maxLength: 120 } }), branch('vote', { target }), branch('listen')],
};

const asked = (system: string, user: string, format: Schema | undefined): AnswerRequest => ({
  messages: [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ],
  format,
  think: undefined,
  tools: [],
});
/** The answers by sixty seeds. */
const answers = (system: string, user: string, format: Schema): readonly Record<string, string>[] =>
  SEEDS.map((seed) => parsed(answerTo(asked(system, user, format), seed).content));
const parsed = (text: string): Record<string, string> => {
  const value: Record<string, string> = JSON.parse(text);
  return value;
};
const share = <T>(all: readonly T[], is: (one: T) => boolean): number => all.filter(is).length / all.length;
const most = (names: readonly (string | undefined)[]): string | undefined =>
  names.toSorted((a, b) => names.filter((one) => one === b).length - names.filter((one) => one === a).length)[0];

const say = (seed: string): string => answerTo(asked(VILLAGER, ACCUSED, undefined), seed).content;
const VILLAGER = 'You are playing a game of Werewolf. You are Ann. Your role is villager.';
const ACCUSED = [
  'Bob: I think Cid is lying.',
  'Dora: I agree, Cid is a wolf.',
  'Cid: I am innocent!',
  'Eve votes for Cid',
  'Finn votes for Cid',
].join('\n');

describe('reading a prompt', () => {
  it.each([
    ['You are Ann. Your role is seer.', 'Ann', 'seer'],
    ['You are playing a game of Werewolf. Your name is Bob and your role: werewolf.', 'Bob', 'werewolf'],
    ['You are Player 3, a villager in the village.', 'Player 3', 'villager'],
    ['Rules: wolves kill at night. You are the seer. Your name is "Zoë".', 'Zoë', 'seer'],
    ['You are a helpful player. You are called Dora, the best of all.', 'Dora', undefined],
    ['You are now asked to vote.', undefined, undefined],
    ['You are the seer. Rules: You are alive. Your name is Eve.', 'Eve', 'seer'],
  ])('finds name and role in %j', (system, me, role) => {
    const facts = readPrompt([{ role: 'system', content: system }], []);
    expect(facts.me).toBe(me);
    expect(facts.role).toBe(role);
  });

  it.each(['Your fellow werewolves are: Bob, Cid.', 'Your partners are Bob and Cid', 'The other wolves: Bob & Cid'])(
    'finds the partners in %j',
    (text) => {
      expect(readPrompt([{ role: 'system', content: `You are Ann. Your role is werewolf. ${text}` }], []).partners).toEqual(['Bob', 'Cid']);
    },
  );

  it.each([
    'Ann: Bob lies',
    '12. Ann: Bob lies',
    '[day 1] Ann: Bob lies',
    '- Ann (seat 2): Bob lies',
    '> Ann said: Bob lies',
    '<speech by="Ann">Bob lies</speech>',
    '[Village] Ann: «Bob lies»',
    '[Hideout] Ann: Bob lies',
  ])("finds Ann's line in %j", (line) => {
    const { lines } = readPrompt([{ role: 'user', content: `Rules: be kind\nPlayers: Ann, Bob\n${line}\nAnswer: now` }], ['Ann', 'Bob']);
    expect(lines).toEqual([{ who: 'Ann', says: 'Bob lies' }]);
  });

  it('tells day from night by the system prompt', () => {
    const at = (part: string) =>
      readPrompt(
        [
          { role: 'system', content: `You are Ann. It is ${part} 2 of round 1.` },
          { role: 'user', content: 'Bob: Whom did they kill in the night? I say the day is ours.' },
        ],
        [],
      ).isNight;
    expect([at('day'), at('night')]).toEqual([false, true]);
  });

  it('tells blame from trust, counts votes, finds the dead and the known', () => {
    const told = [
      'Bob: I trust Cid, but Dora is a wolf.',
      'Cid: I do not trust Dora.',
      'Eve votes for Dora',
      'Finn was killed in the night.',
      'You saw that Eve is a werewolf.',
    ];
    const suspicion = readSuspicion(readPrompt([{ role: 'user', content: told.join('\n') }], PLAYERS));
    expect(suspicion.blame.get('Dora')).toBeGreaterThan(3);
    expect(suspicion.blame.get('Cid')).toBeLessThan(0);
    expect([...suspicion.votes]).toEqual([['Eve', 'Dora']]);
    expect([...suspicion.dead]).toEqual(['Finn']);
    expect(suspicion.known).toEqual(['Eve']);
  });
});

describe('a simulated player', () => {
  it('speaks early and votes late', () => {
    const early = answers(VILLAGER, 'Day 1 begins. What do you do?', daytime);
    const late = answers(VILLAGER, `Ann: Good morning.\nAnn: I suspect Cid.\n${ACCUSED}\n${ACCUSED}\nWhat do you do?`, daytime);
    expect(share(early, (one) => one['do'] === 'speak')).toBeGreaterThan(0.6);
    expect(share(early, (one) => one['do'] === 'vote')).toBeLessThan(0.2);
    expect(share(late, (one) => one['do'] === 'vote')).toBeGreaterThan(0.6);
  });

  it('sometimes listens', () => {
    const all = answers(VILLAGER, 'Ann: Good morning.\nWhat do you do?', daytime);
    expect(share(all, (one) => one['do'] === 'listen')).toBeGreaterThan(0.1);
  });

  it('follows the accusations, and never votes for itself', () => {
    const votes = answers(VILLAGER, `${ACCUSED}\nDay 1. Vote now.`, branch('vote', { target })).map((one) => one['target']);
    expect(most(votes)).toBe('Cid');
    expect(share(votes, (name) => name === 'Cid')).toBeGreaterThan(0.6);
    expect(votes).not.toContain('Ann');
  });

  it('does not vote for its partner, however accused', () => {
    const wolf = 'You are Ann. Your role is werewolf. Your partner is Cid.';
    const votes = answers(wolf, `${ACCUSED}\nDay 1. Vote now.`, branch('vote', { target })).map((one) => one['target']);
    expect(votes).not.toContain('Cid');
    expect(votes).not.toContain('Ann');
  });

  it('votes for a partner when there is no other option', () => {
    const schema = branch('vote', { target: { enum: ['Cid'] } });
    expect(answers('You are Ann. Your role is werewolf. Your partner is Cid.', 'Vote.', schema)[0]).toEqual({ do: 'vote', target: 'Cid' });
  });

  it('agrees with its pack on one victim, whatever the seed', () => {
    const night = `${ACCUSED}\nEve: Finn, what do you say? Finn?\nNight 1. Choose whom to kill.`;
    const schema = branch('kill', { target });
    const bob = answers('You are Bob. Your role is werewolf. Your partner is Dora.', night, schema);
    const dora = answers('You are Dora. Your role is werewolf. Your partner is Bob.', night, schema);
    expect(new Set([...bob, ...dora].map((one) => one['target'])).size).toBe(1);
    expect(bob[0]?.['target']).toBe('Cid');
  });

  it('agrees with its pack even without talk', () => {
    const schema = branch('kill', { target });
    const bob = answers('You are Bob. Your role is werewolf. Your partner is Dora.', 'Night 1. Choose whom to kill.', schema);
    const dora = answers('You are Dora. Your role is werewolf. Your partner is Bob.', 'Night 1. Choose whom to kill.', schema);
    expect(new Set([...bob, ...dora].map((one) => one['target']))).toEqual(new Set(['Ann']));
  });

  it('whispers to its partner', () => {
    const schema = branch('whisper', { to: target, text: { type: 'string', maxLength: 90 } });
    const all = answers('You are Bob. Your role is werewolf. Your partner is Dora.', 'Night 1.', schema);
    expect(new Set(all.map((one) => one['to']))).toEqual(new Set(['Dora']));
  });

  it('talks about real players, varied, without markup, within the limit', () => {
    const texts = answers(
      VILLAGER,
      `${ACCUSED}\nSay something.`,
      branch('speak', { text: { type: 'string', minLength: 1, maxLength: 120 } }),
    ).map((one) => one['text'] ?? '');
    expect(new Set(texts).size).toBeGreaterThan(10);
    expect(share(texts, (text) => PLAYERS.some((name) => text.includes(name)))).toBeGreaterThan(0.8);
    for (const text of texts) {
      expect(text.length).toBeLessThanOrEqual(120);
      expect(text).not.toMatch(/[{}<>*_#\n]/);
    }
  });

  it('gives a reason first that differs from the speech', () => {
    const schema = {
      anyOf: [
        {
          type: 'object',
          properties: { reason: { type: 'string', maxLength: 150 }, do: { const: 'speak' }, text: { type: 'string', maxLength: 150 } },
          required: ['reason', 'do', 'text'],
          additionalProperties: false,
        },
      ],
    };
    for (const one of answers(VILLAGER, `${ACCUSED}\nSay something.`, schema)) {
      expect(Object.keys(one)).toEqual(['reason', 'do', 'text']);
      expect(one['reason']).not.toBe(one['text']);
      expect(one['reason']).toMatch(/\w/);
    }
  });

  it.each([2, 3, 5])('names exactly %i different players for a team', (pick) => {
    const targets = { type: 'array', items: target, minItems: pick, maxItems: pick, uniqueItems: true };
    for (const one of answers(VILLAGER, `${ACCUSED}\nPropose a team.`, branch('team', { targets }))) {
      expect(one['targets']).toHaveLength(pick);
      expect(new Set(one['targets']).size).toBe(pick);
    }
  });

  it('keeps even the smallest limit', () => {
    for (const maxLength of [1, 3, 12, 25]) {
      for (const one of answers(VILLAGER, ACCUSED, {
        type: 'object',
        properties: { text: { type: 'string', maxLength } },
        required: ['text'],
      })) {
        expect((one['text'] ?? '').length).toBeLessThanOrEqual(maxLength);
      }
    }
  });

  it('chooses a free first name', () => {
    const taken = FIRST_NAMES.slice(0, 40);
    const names = answers('You are a new player.', `Choose a name for yourself. Taken: ${taken.join(', ')}.`, {
      type: 'object',
      properties: { name: { type: 'string', minLength: 2, maxLength: 20 } },
      required: ['name'],
    }).map((one) => one['name'] ?? '');
    expect(FIRST_NAMES.length).toBeGreaterThanOrEqual(60);
    expect(new Set(names).size).toBeGreaterThan(15);
    for (const name of names) expect(FIRST_NAMES.slice(40)).toContain(name);
  });

  it('says a sentence without a schema', () => {
    const answer = answerTo(asked(VILLAGER, ACCUSED, undefined), 'a');
    expect(answer.content).toMatch(/^\p{Lu}.{5,220}[.!?]$/u);
  });

  it('depends on the seed', () => {
    expect(say('a')).toBe(say('a'));
    expect(new Set(SEEDS.map(say)).size).toBeGreaterThan(5);
  });

  it('has over sixty phrases, each short enough', () => {
    const all = [...Object.values(SPEECH).flat(), ...Object.values(THOUGHTS).flat(), ...QUESTIONS];
    expect(new Set(all).size).toBeGreaterThan(60);
    for (const one of all) expect(one.length).toBeLessThanOrEqual(180);
  });

  it('answers any prompt in the required format', () => {
    const validate = new Ajv2020().compile(daytime);
    const anything = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc
        .array(fc.constantFrom('Ann', ':', 'You are', 'votes for', 'wolf', '\n', '((', '[', '\\', 'partner is', '<a by="x">', '</a>'))
        .map((words) => words.join(' ')),
    );
    const holds = fc.property(anything, anything, fc.array(anything, { maxLength: 4 }), (system, user, options) => {
      const answer = answerTo(asked(system, user, daytime), 'a');
      expect(validate(JSON.parse(answer.content))).toBe(true);
      const choice = answerTo(
        asked(system, user, { type: 'object', properties: { target: { enum: ['x', ...options] } }, required: ['target'] }),
        'a',
      );
      expect(['x', ...options]).toContain(parsed(choice.content)['target']);
      expect(typeof answerTo(asked(system, user, undefined), 'a').content).toBe('string');
    });
    expect(() => fc.assert(holds, { numRuns: 300 })).not.toThrow();
  });
});
