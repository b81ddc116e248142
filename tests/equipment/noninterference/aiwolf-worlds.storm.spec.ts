import { describe, expect, it } from '@jest/globals';
import type { Role } from '@maw/games/aiwolf/state.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { type Open, stepOf, type Viewer } from '@maw/games/kernel/question.ts';
import type { AnyRules } from '@maw/games/kernel/rule-set.ts';
import type { Options } from './aiwolf-world.ts';
import { CASTS, compare, otherDeal } from './aiwolf-worlds.ts';

const EYES = ['villager', 'seer', 'medium', 'bodyguard', 'possessed', 'werewolf', 'audience'] as const;
const GAMES = 5;

describe('the projection law of AIWolf', () => {
  describe.each(EYES)('of %s', (eye) => {
    it.each([
      {},
      { noAttack: true, talkOnFirstDay: true },
      { voteVisible: false, noExecution: true },
      { whisperBeforeRevote: true, attackRevotes: 2, revotes: 0, wholeNightMs: 45_000 },
      { preset: 'nlp-2026', endCheck: 'morning' },
    ])('gives the same stream in worlds that differ in hidden facts: %j', (options) => {
      let mornings = 0;
      for (let n = 0; n < GAMES; n++) {
        const { heard, isSame, mornings: seen } = compare(n, 10, eye, options);
        if (!isSame) expect(heard[0]).toEqual(heard[1]);
        expect(isSame).toBe(true);
        mornings += seen;
      }
      expect(mornings).toBeGreaterThan(1.5 * GAMES); // most go beyond the first night
    });
  });

  it.each([...EYES.filter((eye) => eye !== 'possessed'), 'fox', 'immoralist'] as const)('holds at a table with foxes, for %s', (eye) => {
    let [mornings, cursed] = [0, 0];
    for (const options of [{}, { foxCounts: 'nobody', noAttack: true }, { preset: 'nlp-2026', endCheck: 'morning' }])
      for (let n = 0; n < GAMES; n++) {
        const { heard, isSame, mornings: seen, pair } = compare(n, 12, eye, options);
        if (!isSame) expect(heard[0]).toEqual(heard[1]);
        expect(isSame).toBe(true);
        mornings += seen;
        const deals = pair.worlds.map(({ tape }) => tape.find(({ type }) => type === 'dealt')!['roles'] as readonly Role[]);
        for (const [i, { tape }] of pair.worlds.entries())
          cursed += tape.filter((e) => e.type === 'killed' && deals[i]![e['seat'] as number] === 'fox').length;
      }
    expect(mornings).toBeGreaterThan(3 * GAMES);
    if (eye !== 'seer') expect(cursed).toBeGreaterThan(0);
  });

  it.each(EYES.filter((eye) => eye !== 'medium' && eye !== 'bodyguard'))('holds at a table of five as well, for %s', (eye) => {
    for (let n = 0; n < GAMES; n++) expect(compare(n, 5, eye, {}).isSame).toBe(true);
  });

  it('detects that one fox learns the role of another player, or the names of immoralists', () => {
    const shown = (rules: AnyRules): AnyRules => ({ ...rules, see: (e, eye, s) => (e.type === 'dealt' ? e : rules.see(e, eye, s)) });
    expect(Array.from({ length: 4 }, (_, n) => compare(n, 12, 'fox', {}, shown)).some(({ isSame }) => !isSame)).toBe(true);
  });

  it('is tested on worlds with different roles from the same cast', () => {
    const roles = diceOf('public 0 villager', '').shuffle(CASTS[10]!);
    const other = otherDeal(roles, roles.indexOf('villager'), diceOf('other', ''));
    expect(other).not.toEqual(roles);
    expect(other.toSorted()).toEqual(roles.toSorted());
  });

  /** Whether rules that reveal too much are detected within a few games by an eye that may not know it. */
  const isNoticed = (eye: Role | 'audience', options: Options, leak?: (rules: AnyRules) => AnyRules) =>
    Array.from({ length: 8 }, (_, n) => compare(n, 10, eye, options, leak)).some(({ isSame }) => !isSame);
  const shows = (type: string) => (rules: AnyRules) => ({
    ...rules,
    see: (e: { type: string }, eye: Viewer, s: unknown) => (e.type === type ? e : rules.see(e, eye, s)),
  });

  it.each(['gazed', 'guarded', 'attacked', 'divined', 'identified', 'dealt', 'tied'])(
    'would notice that everybody sees what was %s',
    (type) => {
      expect(isNoticed('villager', {}, shows(type))).toBe(true);
    },
  );

  it('detects steps of the night that end early', () => {
    expect(isNoticed('villager', { hurry: true })).toBe(true);
    expect(isNoticed('audience', { hurry: true })).toBe(true);
  });

  it('detects a step that is skipped, or asked openly, because its player is dead', () => {
    const quick = (rules: AnyRules): AnyRules => ({
      ...rules,
      follow: {
        ...rules.follow,
        vote: (s, q, m) =>
          rules.follow['vote']!(s, q, m).map((e) =>
            e.type === 'asked' && !(e as { question: Open }).question.of.length
              ? { ...e, question: { ...(e as { question: Open }).question, until: m.now } }
              : e,
          ),
      },
    });
    expect(isNoticed('villager', {}, quick)).toBe(true);
  });

  it('detects an order of options that reveals the wolves', () => {
    const narrow = (rules: AnyRules): AnyRules => ({
      ...rules,
      narrow: (s, q, seat) => {
        const isWolf = (option: string) => s.roles[Number(option.slice('seat:'.length))] === 'werewolf';
        return stepOf(q.id) === 'vote' ? q.options.toSorted((x, y) => Number(isWolf(x)) - Number(isWolf(y))) : rules.narrow!(s, q, seat);
      },
    });
    expect(isNoticed('villager', {}, narrow)).toBe(true);
  });
});
