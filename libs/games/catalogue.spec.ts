import { describe, expect, it } from '@jest/globals';
import { catalogue } from './catalogue.ts';
import { playAtRandom } from './kernel/random-play.ts';
import { play } from './kernel/play.ts';
import type { Question } from './kernel/question.ts';

type Options = { readonly [name: string]: unknown };

/** Options that only matter beside others, and how many players they need. */
const BESIDE: { readonly [option: string]: readonly [players: number, options: Options] } = {
  'maw whisperVisible': [6, { whisper: true }],
  'aiwolf whispers': [15, {}],
  'aiwolf whisperTurns': [15, {}],
  'aiwolf whisperMs': [15, {}],
  'aiwolf whisperBeforeRevote': [15, {}],
  'aiwolf wolfTargets': [15, {}],
  'aiwolf firstWhispers': [15, {}],
  'aiwolf guardDead': [15, {}],
  'aiwolf talkMs': [5, { talk: 'anytime' }],
  'aiwolf baseLength': [5, { language: 'free' }],
  'aiwolf lengthPerDay': [5, { language: 'free' }],
  'aiwolf lengthPerTalk': [5, { language: 'free' }],
  'aiwolf mentionLength': [5, { language: 'free', baseLength: 125 }],
  'aiwolf mention': [5, { preset: 'nlp-2026' }],
  'aiwolf lengthIn': [5, { language: 'free', baseLength: 125 }],
  'avalon seventh': [7, {}],
  'avalon tenth': [10, {}],
  'avalon twoFails': [7, {}],
  'avalon hurry': [6, { assassination: 'any-quest' }],
  'onuw loneWolf': [5, {}],
  'onuw talkMs': [5, { talk: 'free' }],
  'onuw loneMinion': [5, { cards: 'all' }],
  'onuw analysisTalk': [3, { setup: 'analysis' }],
};
const OTHER: Options = {
  'aiwolf roles': { villager: 3, werewolf: 2 },
  'avalon roles': { merlin: 1, servant: 3, assassin: 1, minion: 1 },
  'onuw deck': { villager: 8 },
  'onuw setup': 'easy',
};

describe.each(catalogue.map((set) => [set.name, set] as const))('%s', (name, set) => {
  const { least, most, usual } = set.players;

  it('is refused with too few or too many players', () => {
    expect([least, most, usual]).toEqual(
      { 'maw': [3, 20, 6], 'aiwolf': [3, 18, 5], 'avalon': [5, 10, 6], 'onuw': [3, 10, 5], 'werewolf-7': [7, 7, 7] }[name],
    );
    for (const players of [least - 1, most + 1, 5.5]) expect(() => set.rules(players, {})).toThrow('bad-option');
    for (let players = least; players <= most; players++) expect(() => set.rules(players, {})).not.toThrow();
  });

  it('labels each option in a few words of its own, and explains it in one sentence', () => {
    const labels = Object.values(set.options).map(({ label }) => label);
    const wrong = Object.entries(set.options).filter(([, { label, says, ...rest }]) => {
      const isTold = /^[A-Z][\w ,’-]{2,34}$/.test(label) && /^[a-z].{9,}[^.]$/.test(says) && (rest.kind !== 'whole' || rest.unit !== '');
      return !isTold || labels.filter((each) => each === label).length !== 1;
    });
    expect(wrong).toEqual([]);
  });

  it.each(Object.keys(set.options))('tells players of the option %s', (key) => {
    const [players, beside] = BESIDE[`${name} ${key}`] ?? [usual, {}];
    const option = set.options[key]!;
    const other =
      OTHER[`${name} ${key}`] ??
      (option.kind === 'whole'
        ? option.usual + (option.most > 10_000 ? 1000 : 1)
        : option.kind === 'choice'
          ? option.of.find((each) => each !== option.usual)
          : !option.usual);
    expect(set.text(players, { ...beside, [key]: other })).not.toBe(set.text(players, beside));
  });

  it('limits every speech to maxChars, 500 by default', () => {
    const longest = (options: Options) => {
      const asked: Question[] = [];
      playAtRandom(set.rules(usual, options), usual, 'speech', (events) => {
        for (const e of events) if (e.type === 'asked') asked.push((e as unknown as { question: Question }).question);
      });
      return new Set(asked.flatMap(({ verb, maxChars }) => (verb === 'choose' ? [] : [maxChars])));
    };
    expect([longest({}), longest({ maxChars: 77 })]).toEqual([new Set([500]), new Set([77])]);
  });

  it('is dealt alike from one seed, and lasts 30 days at most by default', () => {
    const dealt = (seed: string) => JSON.stringify(play(set.rules(usual, {})).deal(usual, 0, seed));
    expect(dealt('a')).toBe(dealt('a'));
    expect(new Set(['a', 'b', 'c', 'd', 'e', 'f'].map(dealt)).size).toBeGreaterThan(2);
    if (set.options['maxDays']) expect(set.options['maxDays'].usual).toBe(30);
  });

  it('marks only its own steps as optional in records', () => {
    const { follow } = set.rules(usual, {});
    expect((set.record.optional ?? []).filter((step) => !follow[step])).toEqual([]);
  });
});
