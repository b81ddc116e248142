import { describe, expect, it } from '@jest/globals';
import { ballot, chat, type Open, type Question, round, secret } from '../kernel/question.ts';
import { ask, type Moment, type Rules, type TableEvent } from '../kernel/rules.ts';
import { plain } from '../kernel/toy.suite.ts';
import type { InformationSet } from './information.ts';
import { type Profile, uniform, utilitiesOf } from './profile.ts';
import { bestResponse, evaluateProfile } from './best-response.ts';
import { cfrPlus } from '@maw/tests/equipment/theory/cfr-plus.ts';
import { branchingDice } from './branching-dice.ts';
import { type Node, buildTree } from './tree.ts';

type Toy = { readonly said: readonly string[]; readonly points: readonly number[] | undefined };
type ToyEvent =
  | { readonly type: 'said'; readonly what: readonly string[] }
  | { readonly type: 'dealt'; readonly to: number; readonly card: string }
  | { readonly type: 'over'; readonly points: readonly number[] };
type Happen = readonly (ToyEvent | TableEvent)[];

/** A minimal game: the deal, and what follows each step. */
const toy = (
  deal: (moment: Moment) => Happen,
  follow: Rules<Toy, ToyEvent>['follow'],
  rest: Partial<Rules<Toy, ToyEvent>> = {},
): Rules<Toy, ToyEvent> => ({
  ...plain,
  name: 'toy',
  begin: () => ({ said: [], points: undefined }),
  deal: (_, moment) => deal(moment),
  follow,
  evolve: (s, e) =>
    e.type === 'over' ? { ...s, points: e.points } : { ...s, said: [...s.said, ...(e.type === 'said' ? e.what : [e.card])] },
  see: (e, eye) => (e.type === 'over' || (e.type === 'dealt' && e.to === eye) ? e : undefined),
  outcome: ({ points }) => points && { winner: 'draw', winners: [], roles: [], points },
  ...rest,
});

const over = (a: number, b = -a): ToyEvent => ({ type: 'over', points: [a, b] });
const first = (q: { readonly answers: readonly { readonly says: readonly string[] }[] }) => q.answers[0]!.says[0]!;
const said = (q: Parameters<typeof first>[0]): ToyEvent => ({ type: 'said', what: [first(q)] });

const HANDS = ['rock', 'paper', 'scissors'];
/** What hand `a` wins against `b`. */
const beats = (a: string, b: string): number => [0, 1, -1][(HANDS.indexOf(a) - HANDS.indexOf(b) + 3) % 3]!;

/** Rock, paper, scissors as two ballots, one after the other. */
const inTurn = (heard: Question['heard']) =>
  toy(() => [ask(secret('a/hand', [0], HANDS, 10, { among: 'table', heard }))], {
    hand: (s, q, { now }) =>
      s.said.length
        ? [over(beats(s.said[0]!, first(q)))]
        : [said(q), ask(secret('b/hand', [1], HANDS, now + 10, { among: 'table', heard }))],
  });

/** The same in one ballot. */
const atOnce = toy(() => [ask(ballot('a/hand', [0, 1], HANDS, 10))], {
  hand: (_, { answers }) => [over(beats(answers.find(({ by }) => by === 0)!.says[0]!, answers.find(({ by }) => by === 1)!.says[0]!))],
});

/** Matching pennies in which matching heads is worth `most`. */
const pennies = (most: number) =>
  toy(() => [ask(ballot('a/penny', [1, 0], ['heads', 'tails'], 10))], {
    penny: (_, { answers: [a, b] }) => [over(a!.says[0] !== b!.says[0] ? -1 : a!.says[0] === 'heads' ? most : 1)],
  });

/** Each of two seats chooses twice, knowing what was chosen before. Seat 0 wins what the four choices spell. */
const twice = toy(() => [ask(secret('a/0', [0], ['x', 'y'], 10, { among: 'table', heard: 'at-once' }))], {
  ...Object.fromEntries(
    [1, 2, 3].map((next) => [
      `${next - 1}`,
      (_: Toy, q: Open, { now }: Moment) => [
        said(q),
        ask(secret(`a/${next}`, [next % 2], ['x', 'y'], now + 10, { among: 'table', heard: 'at-once' })),
      ],
    ]),
  ),
  '3': (s, q) => [
    over([2, 0, 1, -3, 1, 1, -2, 0, 2, 2, -1, 0, 3, -2, 1, 1][parseInt([...s.said, first(q)].map((x) => Number(x === 'y')).join(''), 2)]!),
  ],
});

/** Every pure strategy over some information sets: the index of an answer by number of the set. */
const pureStrategies = (sets: readonly InformationSet[]): readonly ReadonlyMap<number, number>[] =>
  sets.reduce<ReadonlyMap<number, number>[]>(
    (all, { number, answers }) => all.flatMap((pure) => answers.map((_, i) => new Map([...pure, [number, i]]))),
    [new Map()],
  );

const plays =
  (by: readonly (readonly number[])[]): Profile =>
  (set) =>
    by[set.seat]!;
const close = (numbers: readonly number[], to: readonly number[]) => {
  expect(numbers).toHaveLength(to.length);
  numbers.forEach((n, i) => expect(n).toBeCloseTo(to[i]!, 12));
};

describe('the tree of a game', () => {
  it('has a node for each way to play, and hides from a seat what the kernel hides', () => {
    for (const rules of [inTurn('never'), atOnce]) {
      const { size, sets } = buildTree(rules, 2);
      expect(size).toEqual({ end: 9, chance: 0, choice: 4 });
      expect(sets.map(({ seat, answers }) => [seat, answers.length])).toEqual([
        [0, 3],
        [1, 3],
      ]);
    }
  });

  it('separates situations by what a seat has heard', () => {
    const { size, sets } = buildTree(inTurn('at-once'), 2);
    expect(size).toEqual({ end: 9, chance: 0, choice: 4 });
    expect(sets.map(({ seat }) => seat)).toEqual([0, 1, 1, 1]);
  });

  it('lets each seat remember what it did itself', () => {
    const rules = toy(() => [ask(secret('a/one', [0], ['x', 'y'], 10))], {
      one: (_, q, { now }) => [said(q), ask(secret('b/two', [0], ['x', 'y'], now + 10))],
      two: (s, q) => [over(s.said[0] === first(q) ? 1 : 0)],
    });
    expect(buildTree(rules, 2).sets.map(({ question }) => question)).toEqual(['a/one', 'b/two', 'b/two']);
  });

  it('ignores times in information sets', () => {
    const rules = toy((moment) => [ask(secret('a/one', [0], ['x', 'y'], moment.now + 10))], {
      one: (_, q, { now }) => [said(q), ask(secret('b/two', [1], ['x', 'y'], now + (first(q) === 'x' ? 5 : 50)))],
      two: (s, q) => [over(s.said[0] === first(q) ? 1 : 0)],
    });
    expect(buildTree(rules, 2).sets.map(({ seat }) => seat)).toEqual([0, 1]);
  });

  it('passes silence in talk and takes a changeable choice once', () => {
    const rules = toy(
      () => [
        ask(chat('a/talk', [0, 1], 5)),
        ask(secret('a/choice', [0], ['x', 'y'], 10, { settles: 'by-the-clock', final: false })),
        ask(secret('a/nobody', [], [], 20, { settles: 'by-the-clock' })),
      ],
      { talk: () => [], choice: (_, q) => [said(q)], nobody: (s) => [over(s.said[0] === 'x' ? 1 : 2)] },
    );
    const tree = buildTree(rules, 2);
    expect(tree.size).toEqual({ end: 2, chance: 0, choice: 1 });
    close(utilitiesOf(tree, plays([[0.25, 0.75]])), [1.75, -1.75]);
  });

  it('lets each seat say every word of an alphabet, and the others hear it', () => {
    const rules = toy((moment) => [ask(round('a/talk', [1, 0], moment.now, 5))], {
      talk: (_, q, { now }) => [said(q), ask(secret('b/choice', [1], ['x', 'y'], now + 10))],
      choice: (s, q) => [over(s.said[0] === first(q) ? 1 : 0)],
    });
    const tree = buildTree(rules, 2, { alphabet: ['x', 'y'] });
    expect(tree.size).toEqual({ end: 8, chance: 0, choice: 7 });
    expect(tree.sets.map(({ seat, question }) => `${seat} ${question}`).toSorted()).toEqual([
      '0 a/talk',
      '0 a/talk',
      '1 a/talk',
      ...Array.from({ length: 4 }, () => '1 b/choice'),
    ]);
    close(utilitiesOf(tree, uniform), [0.5, -0.5]);
    expect(evaluateProfile(tree, uniform).gains).toEqual([0, 0.5]); // what was said is known when seat 1 chooses
  });

  it('offers every combination that narrow and admit allow', () => {
    const rules = toy(
      () => [ask(secret('a/team', [0, 1], ['a', 'b', 'c', 'd'], 10, { pick: 2, heard: 'when-settled' }))],
      { team: () => [over(0)] },
      {
        narrow: (_, q, seat) => (seat === 1 ? q.options.slice(1) : q.options),
        admit: (_, __, answer) => {
          if (answer.says.join('') === 'ab') return { ...answer, says: ['c', 'd'] };
          return answer;
        },
      },
    );
    const [zero, one] = buildTree(rules, 2).sets;
    expect(zero!.answers.map((says) => says.join(''))).toEqual(['ab', 'ac', 'ad', 'bc', 'bd', 'cd']);
    expect(one!.answers.map((says) => says.join(''))).toEqual(['bc', 'bd', 'cd']);
  });

  it('throws when options reveal what the view hides', () => {
    const rules = toy(() => [ask(secret('a/one', [0], ['x', 'y'], 10))], {
      one: (_, q, { now }) => [said(q), ask(secret('b/two', [1], ['x', 'y'], now + 10))],
      two: () => [over(0)],
    });
    expect(() => buildTree({ ...rules, narrow: (s, q, seat) => (seat === 1 ? [s.said[0]!] : q.options) }, 2)).toThrow(
      'the options of seat 1 at b/two tell what it has not seen',
    );
  });

  it('throws when it is too big', () => {
    expect(() => buildTree(atOnce, 2, { maxNodes: 12 })).toThrow('the tree of toy has more than 12 nodes');
    expect(() => buildTree(atOnce, 2, { maxNodes: 13 })).not.toThrow();
  });
});

describe('chance', () => {
  const ways = <T>(run: (dice: Moment['dice']) => T) => {
    const toss = branchingDice();
    return toss.each(() => run(toss.roll('', ''))).map(({ probability, to }) => [to, Number(probability.toFixed(6))]);
  };

  it('weighs items by their frequency', () => {
    expect(ways((dice) => dice.pick('p', ['a', 'b', 'a', 'a']))).toEqual([
      ['a', 0.75],
      ['b', 0.25],
    ]);
  });

  it('tries each distinct order once', () => {
    expect(ways((dice) => dice.shuffle('s', ['a', 'b', 'a']).join(''))).toEqual([
      ['aba', 0.333333],
      ['aab', 0.333333],
      ['baa', 0.333333],
    ]);
  });

  it('tries draws that depend on earlier draws', () => {
    expect(ways((dice) => (dice.pick('first', ['stop', 'go']) === 'go' ? dice.pick('then', [1, 2, 3]) : 0))).toEqual([
      [0, 0.5],
      [1, 0.166667],
      [2, 0.166667],
      [3, 0.166667],
    ]);
  });

  it('throws when there are too many outcomes', () => {
    const many = Array.from({ length: 9 }, (_, i) => i);
    expect(() => ways((dice) => dice.shuffle('s', many))).toThrow('the draw s of 9 items falls in more than 50000 ways');
  });
});

describe('the evaluation of a profile', () => {
  it('finds nothing to gain at the equilibrium of rock, paper, scissors, and everything against a single hand', () => {
    for (const tree of [buildTree(inTurn('never'), 2), buildTree(atOnce, 2)]) {
      const even = evaluateProfile(tree, uniform);
      close(even.utilities, [0, 0]);
      close(even.gains, [0, 0]);
      expect(even.strategies).toEqual([3, 3]);
      const rock = evaluateProfile(
        tree,
        plays([
          [1, 0, 0],
          [1 / 3, 1 / 3, 1 / 3],
        ]),
      );
      close(rock.gains, [0, 1]); // paper always beats rock; against a uniform hand no hand is better
      expect(rock.nashConv).toBeCloseTo(1, 12);
    }
  });

  it('lets a seat that heard the hand respond', () => {
    const heard = evaluateProfile(buildTree(inTurn('at-once'), 2), uniform);
    close(heard.gains, [0, 1]);
    expect(heard.strategies).toEqual([3, 27]);
    expect(heard.attained).toEqual([3, 1]);
  });

  it('knows the mixed equilibrium of uneven pennies and how far off an even mixture is', () => {
    const tree = buildTree(pennies(3), 2);
    // Each plays heads with probability 1/3: both answers of the other are worth 1/3 to the first.
    const third = [1 / 3, 2 / 3];
    const even = evaluateProfile(tree, plays([third, third]));
    close(even.utilities, [1 / 3, -1 / 3]);
    close(even.gains, [0, 0]);
    const uneven = evaluateProfile(tree, uniform);
    close(uneven.utilities, [1 / 2, -1 / 2]);
    close(uneven.best, [1, 0]); // heads is worth 1; tails against it costs nothing
    expect(uneven.nashConv).toBeCloseTo(1, 12);
    const pulled = evaluateProfile(buildTree(pennies(1), 2), plays([[0.75, 0.25], [0.5, 0.5]])); // prettier-ignore
    close(pulled.gains, [0, 0.5]);
  });

  it('agrees with playing each pure strategy', () => {
    const tree = buildTree(twice, 2);
    const profile: Profile = ({ seat }) => (seat ? [0.7, 0.3] : [0.5, 0.5]);
    for (const seat of [0, 1]) {
      const values = pureStrategies(tree.sets.filter((set) => set.seat === seat)).map((pure) => {
        const played: Profile = (set) =>
          set.seat === seat ? set.answers.map((_, i) => (pure.get(set.number) === i ? 1 : 0)) : profile(set);
        return utilitiesOf(tree, played)[seat]!;
      });
      const most = Math.max(...values);
      const { value, strategies, attained } = bestResponse(tree, profile, seat);
      expect(value).toBeCloseTo(most, 12);
      expect([strategies, attained]).toEqual([values.length, values.filter((each) => most - each < 1e-12).length]);
    }
  });

  it('throws when a profile is not a distribution', () => {
    const tree = buildTree(atOnce, 2);
    for (const wrong of [
      [0.5, 0.5],
      [0.5, 0.6, -0.1],
      [0.5, 0.4, 0.2],
    ])
      expect(() => evaluateProfile(tree, plays([wrong, [1, 0, 0]]))).toThrow('is no distribution over 3 answers');
  });
});

/**
 * One-card poker: the first player sees a card, high or low with equal chance; both have put in one. The first bets one more or checks; the
 * second, asked only after a bet, calls or folds. High wins at the showdown. At equilibrium the first bets every high and a third of the
 * low cards, the second calls two thirds of the bets, and the first wins a third.
 */
const bluff = toy(
  ({ dice }) => {
    const card = dice.pick('card', ['high', 'low']);
    return [{ type: 'dealt', to: 0, card }, ask(secret('a/bet', [0], ['bet', 'check'], 10, { among: 'table', heard: 'at-once' }))];
  },
  {
    bet: (s, q, { now }) =>
      first(q) === 'check'
        ? [over(s.said[0] === 'high' ? 1 : -1)]
        : [ask(secret('b/call', [1], ['call', 'fold'], now + 10, { among: 'table', heard: 'at-once' }))],
    call: (s, q) => [over(first(q) === 'fold' ? 1 : s.said[0] === 'high' ? 2 : -2)],
  },
);

describe('a game with a signal', () => {
  const tree = buildTree(bluff, 2);
  const card = ({ seen }: InformationSet) => (seen.find((e) => e.type === 'dealt') as unknown as { card: string }).card;
  const playing =
    (bluffs: number, calls: number): Profile =>
    (set) =>
      set.seat === 1 ? [calls, 1 - calls] : card(set) === 'high' ? [1, 0] : [bluffs, 1 - bluffs];

  it('has two sets for the informed seat and one for the other', () => {
    expect(tree.root.kind).toBe('chance');
    expect(tree.size).toEqual({ end: 6, chance: 1, choice: 4 });
    expect(tree.sets.map(({ seat }) => seat)).toEqual([0, 1, 0]);
    const cards = new Set((tree.root as Node & { kind: 'chance' }).branches.map(({ probability }) => probability));
    expect(cards).toEqual(new Set([0.5]));
  });

  it('is solved by CFR+, whatever the first regrets were', () => {
    for (const seed of ['1', '2', '3']) {
      const { utilities, nashConv } = evaluateProfile(tree, cfrPlus(tree, 3_000, seed));
      expect(nashConv).toBeLessThan(1e-3);
      expect(utilities[0]).toBeCloseTo(1 / 3, 3);
    }
    expect(evaluateProfile(tree, cfrPlus(tree, 0, '1')).nashConv).toBeGreaterThan(0.1);
  });

  it('has its known equilibrium', () => {
    const { utilities, gains } = evaluateProfile(tree, playing(1 / 3, 2 / 3));
    close(utilities, [1 / 3, -1 / 3]);
    close(gains, [0, 0]);
  });

  it.each([
    // Never bluffed, always called: folding would save one half.
    [0, 1, [0.5, -0.5], 0.5],
    // Always bluffed, always called: checking low is worth 1/2 more to the first.
    [1, 1, [0, 0], 0.5],
    // Always bluffed, never called: calling saves all of it.
    [1, 0, [1, -1], 1],
  ])('with bluffs %d and calls %d is worth %j, and NashConv is %d', (bluffs, calls, worth, conv) => {
    const { utilities, nashConv } = evaluateProfile(tree, playing(bluffs, calls));
    close(utilities, worth);
    expect(nashConv).toBeCloseTo(conv, 12);
  });
});
