import { describe, expect, it } from '@jest/globals';
import { seatOf, stepOf } from '@maw/games/kernel/question.ts';
import type { AnyRules, RuleSet } from '@maw/games/kernel/rule-set.ts';
import { ask } from '@maw/games/kernel/rules.ts';
import { cuckoo } from '../../example-game/cuckoo.ts';
import { mustEqual } from './broken-law.ts';
import { playthrough } from './playthrough.ts';
import { EVERY_LAW, type Law, shareOf, checkLaws } from './check-laws.ts';
import { anyOf, settingOf, variantsOf } from './variant.ts';

/** Cuckoo with a planted fault. */
const wrong = (change: (rules: AnyRules) => Partial<AnyRules>): RuleSet => ({
  ...cuckoo,
  rules(players, options) {
    const rules = cuckoo.rules(players, options);
    return { ...rules, ...change(rules) };
  },
});

/** Plays some games and reports which laws they break. */
function brokenBy(set: RuleSet, games = 12): { readonly laws: readonly Law[]; readonly why: string } {
  const broken: (readonly [Law, string])[] = [];
  for (let n = 0; n < games; n++)
    checkLaws({ set, variant: anyOf(set), n, acts: 40 }, (law, { message }) => void broken.push([law, message]));
  return { laws: EVERY_LAW.filter((law) => broken.some(([one]) => one === law)), why: broken.map(([, message]) => message).join('\n') };
}

const outcomeWith = (change: object) => (rules: AnyRules) => ({
  outcome: (s: never) => {
    const outcome = rules.outcome(s);
    return outcome && { ...outcome, ...change };
  },
});

let counter = 0;

describe('the laws', () => {
  it('hold for Cuckoo', () => expect(brokenBy(cuckoo).laws).toEqual([]));

  it.each<[string, (rules: AnyRules) => Partial<AnyRules>, readonly Law[], string]>([
    ['has a winning side without winners', outcomeWith({ winners: [] }), ['ends'], 'is won by 0'],
    ['has a winner that is no seat', outcomeWith({ winners: [99] }), ['ends'], 'winners 99 are seats'],
    ['forgets points', outcomeWith({ points: [1] }), ['ends'], 'every seat has a role and points'],
    ['gives points that are no numbers', outcomeWith({ points: Array.from({ length: 8 }, () => Number.NaN) }), ['ends'], ''],
    [
      'changes the state that it is given',
      ({ evolve }) => ({
        evolve(s: { eggs: number[] }, e: { type: string; nest: number }) {
          if (e.type !== 'laid') return evolve(s, e);
          s.eggs.push(e.nest);
          return s;
        },
      }),
      ['ends'],
      'object is not extensible',
    ],
    [
      'asks a question twice',
      ({ follow }) => ({
        follow: {
          ...follow,
          lay: (s: { eggs: unknown[] }, q, m) =>
            s.eggs.length ? follow['lay']!(s, q, m) : [...follow['lay']!(s, q, m), ask({ ...q, of: [], among: [], until: m.now + 1 })],
        },
      }),
      ['ends'],
      'night-1/lay is asked twice',
    ],
    [
      'folds otherwise than it steps',
      ({ evolve }) => ({ evolve: (s, e) => ({ ...evolve(s, e), counter: counter++ }) }),
      ['folds'],
      'folding is not stepping',
    ],
    [
      'tells by options what is hidden',
      () => ({
        narrow: (s: { roles: string[] }, q, seat) =>
          stepOf(q.id) === 'point' && s.roles[seat] !== 'cuckoo' ? q.options.filter((o) => s.roles[seatOf(o)] !== 'cuckoo') : q.options,
      }),
      ['views'],
      'does not follow from what it has seen',
    ],
    [
      'asks seats that may not know of it',
      ({ follow }) => ({
        follow: {
          ...follow,
          lay: (s, q, m) =>
            follow['lay']!(s, q, m).map((e) =>
              e.type === 'asked' && e.question.id === 'day/talk' ? { ...e, question: { ...e.question, among: [] } } : e,
            ),
        },
      }),
      ['ends'],
      'round-1/day/talk is not open',
    ],
    [
      'goes by the clock',
      ({ follow }) => ({
        follow: { ...follow, lay: (s, q, m) => (m.now % 2 ? follow['lay']!(s, q, m) : [...follow['lay']!(s, q, m), { type: 'dawned' }]) },
      }),
      ['time'],
      'something else happens',
    ],
    [
      'keeps a deadline that no delay puts off',
      ({ deal, evolve, follow }) => ({
        deal: (players, m) => [...deal(players, m), { type: 'limited', until: m.now + 60_000 }],
        evolve: (s: object, e: { type: string; until: number }) => (e.type === 'limited' ? { ...s, limit: e.until } : evolve(s, e)),
        follow: {
          ...follow,
          lay: (s: { limit: number }, q, m) =>
            follow['lay']!(s, q, m).map((e) =>
              e.type === 'asked' && stepOf(e.question.id) === 'talk' ? { ...e, question: { ...e.question, until: s.limit } } : e,
            ),
        },
      }),
      ['delays'],
      'put off, another game is played',
    ],
    ['does not say how long a night lasts', () => ({ secretPhase: undefined as never }), ['clock'], 'the rules have no secretPhase'],
    [
      'says that a night is over before it is',
      () => ({ secretPhase: () => ({ phase: 'night', ms: 1 }) }),
      ['clock'],
      'but everybody is told that round-1/night ends by',
    ],
    [
      'has dice of its own',
      ({ deal }) => ({
        deal: (players, m) =>
          deal(players, {
            ...m,
            dice: { ...m.dice, pick: (_: string, items: readonly never[]) => items[counter++ % items.length]! } as never,
          }),
      }),
      ['again', 'record'],
      'the tape and the seed deal another game',
    ],
    [
      'draws what is not documented',
      ({ deal }) => ({ deal: (players, m) => (m.dice.pick('weather', ['sun', 'rain']), deal(players, m)) }),
      ['record'],
      'weather',
    ],
    [
      'draws by one name twice',
      ({ deal }) => ({ deal: (players, m) => (deal(players, m), deal(players, m)) }),
      ['record'],
      'a name is drawn twice in one moment, of deal: cuckoo, deal: cuckoo',
    ],
    [
      'lets anybody speak for another',
      () => ({ admit: (_, q, answer) => ({ ...answer, by: q.of[0]! }) }),
      ['acts'],
      'not refused, stranger',
    ],
    [
      'fails where it should refuse',
      () => ({
        admit(_, __, answer) {
          if (answer.says.includes('nonsense')) throw new TypeError('nonsense!');
          return answer;
        },
      }),
      ['acts'],
      'nonsense!',
    ],
  ])('detect a game that %s', (_, change, laws, told) => {
    const { laws: broken, why } = brokenBy(wrong(change));
    expect(broken).toEqual(expect.arrayContaining([...laws]));
    expect(why).toContain(told);
    expect(why).toMatch(
      /cuckoo, variant any, game \d+: \d players.*\n[^]*again: \.\/maw bench laws --rules cuckoo --variants any --only \d+$/m,
    );
  });
});

it('the laws detect a game that does not end', () => {
  const set = wrong(({ follow }) => ({
    follow: { ...follow, point: (_, q, { now }) => [ask({ ...q, id: `day-${now}/point`, until: now + 1, settles: 'by-the-clock' })] },
  }));
  const { laws, why } = brokenBy(set, 1);
  expect(laws).toEqual(['ends']);
  expect(why).toContain('the game does not end');
});

describe('illegal acts', () => {
  it('are spread over games with an exact total', () => {
    for (const [acts, games] of [
      [1_000_000, 100_000],
      [7, 3],
      [3, 7],
      [0, 5],
    ] as const)
      expect(Array.from({ length: games }, (_, n) => shareOf(acts, games, n)).reduce((a, b) => a + b, 0)).toBe(acts);
  });

  it('are all tried: a kernel that accepts one is detected', () => {
    const set = wrong(() => ({ admit: (_, __, answer) => (answer.says.length ? answer : { ...answer, says: ['seat:0'] }) }));
    expect(brokenBy(set).laws).toEqual([]); // read as legal, and accepted
  });
});

describe('a table of a variant', () => {
  it('is the same for the same number', () => {
    for (let n = 0; n < 20; n++) expect(settingOf(cuckoo, anyOf(cuckoo), n)).toEqual(settingOf(cuckoo, anyOf(cuckoo), n));
    expect(new Set(Array.from({ length: 50 }, (_, n) => settingOf(cuckoo, anyOf(cuckoo), n).players)).size).toBe(6);
  });

  it('has the usual options, one other option, or any options', () => {
    expect(variantsOf(cuckoo).map(({ name }) => name)).toEqual(['usual', 'tie=random', 'pace=people', 'any']);
    const options = Array.from({ length: 50 }, (_, n) => settingOf(cuckoo, anyOf(cuckoo), n).options!);
    expect(new Set(options.map((each) => `${String(each['tie'])} ${String(each['nights'])}`)).size).toBe(4);
    expect(settingOf(cuckoo, variantsOf(cuckoo)[1]!, 3).options).toEqual({ tie: 'random' });
  });

  it('that fits no number of players is a mistake of the rule set', () => {
    const set = wrong(() => ({}));
    const none: RuleSet = { ...set, rules: () => cuckoo.rules(99, {}) };
    expect(() => settingOf(none, anyOf(none), 0)).toThrow('cuckoo: any fits no number of players from 3 to 8');
  });
});

describe('a playthrough', () => {
  it('has every step, from the first question to the end', () => {
    const { steps, table } = playthrough(cuckoo, settingOf(cuckoo, anyOf(cuckoo), 0), 0);
    expect(steps.reduce((n, { events }) => n + events.length, steps[0]!.tape)).toBe(table.tape.length);
    expect(table.game.isOver(table.standing)).toBe(true);
  });

  it('is the same for the same number', () => {
    const play = () => playthrough(cuckoo, settingOf(cuckoo, anyOf(cuckoo), 5), 5).table.tape;
    expect(play()).toEqual(play());
  });
});

describe('a difference', () => {
  it('is shown at the first deviation', () => {
    expect(() => mustEqual({ a: [1, 2] }, { a: [1, 3] }, 'two are not three')).toThrow(
      'two are not three\n  is     …{"a":[1,2]}\n  should …{"a":[1,3]}',
    );
    expect(() => mustEqual({ a: undefined }, { a: undefined }, '')).not.toThrow();
  });
});
