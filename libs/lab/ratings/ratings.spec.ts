import { describe, expect, it } from '@jest/globals';
import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import { chiSquareP, quantile, twoSidedP } from './distributions.ts';
import { biasTests } from './rates/bias-tests.ts';
import { comparePairs, holm, leastPText } from './rates/difference.ts';
import { signFlipP } from './rates/sign-flips.ts';
import { winRates } from './rates/win-rates.ts';
import type { GameResult } from './result.ts';
import { gameOf, syntheticContest } from './synthetic-contest.suite.ts';

const { games } = syntheticContest({ seed: 'contest', agents: 6, deals: 20, spread: 0.5 });
const shuffled = diceOf('order', '').shuffle(games);

describe('distributions', () => {
  it.each([
    // critical values of the published tables
    [3.841458821, 1, 0.05],
    [18.30703805, 10, 0.05],
    [124.3421134, 100, 0.05],
    [10.82756617, 1, 0.001],
    [0.7107230214, 4, 0.95],
  ])('chi-square %f with %i degrees of freedom has p %f', (value, freedom, p) => {
    expect(chiSquareP(value, freedom)).toBeCloseTo(p, 8);
  });

  it('of the normal have two tails, however far out', () => {
    expect(twoSidedP(-1.959963984540054)).toBeCloseTo(0.05, 12);
    expect(twoSidedP(10) / 1.523970604832e-23).toBeCloseTo(1, 8);
    expect([twoSidedP(Infinity), twoSidedP(0), twoSidedP(Number.NaN)]).toEqual([0, 1, Number.NaN]);
    expect([quantile([1, 2, 4], 0.5), quantile([1, 2, 4], 0.75), quantile([7], 0.9)]).toEqual([2, 3, 7]);
  });
});

describe('win rates', () => {
  it('are counted by agent, side, role and seat', () => {
    const two = [gameOf('1', { village: 'a,b', wolves: 'c' }, 'village'), gameOf('2', { village: 'a', wolves: 'b,c' }, 'wolves')];
    const counts = (part?: 'side' | 'role' | 'seat') => winRates(two, part).map(({ agent, of, wins, games: n }) => [agent, of, wins, n]);
    expect(counts()).toEqual([
      ['a', undefined, 1, 2],
      ['b', undefined, 2, 2],
      ['c', undefined, 1, 2],
    ]);
    expect(counts('side')).toEqual([
      ['a', 'village', 1, 2],
      ['b', 'village', 1, 1],
      ['b', 'wolves', 1, 1],
      ['c', 'wolves', 1, 2],
    ]);
    expect(counts('seat').filter(([agent]) => agent === 'b')).toEqual([['b', 1, 2, 2]]);
    expect(counts('role')).toHaveLength(4);
    expect(winRates(shuffled, 'seat')).toEqual(winRates(games, 'seat'));
  });

  it('count a team of one agent once, as its seats win together', () => {
    const [team] = winRates([gameOf('1', { village: 'a,a,a,b', wolves: 'c' }, 'village')], 'side');
    expect(team).toMatchObject({ agent: 'a', games: 1, wins: 1 });
    expect(winRates([gameOf('1', { village: 'a,a', wolves: 'a' }, 'village')])[0]).toMatchObject({ games: 1, wins: 2 / 3 });
  });
});

describe('differences', () => {
  /** A deal in which a and b change sides; a wins so many of its two games. */
  const exchanged = (deal: string, wins: 0 | 1 | 2): GameResult[] => [
    gameOf(`${deal}/1`, { village: 'a', wolves: 'b' }, wins > 0 ? 'village' : 'wolves', { deal }),
    gameOf(`${deal}/2`, { village: 'b', wolves: 'a' }, wins > 1 ? 'wolves' : 'village', { deal }),
  ];

  it('of win rates are paired by deal, with their standard deviation', () => {
    const found = comparePairs([...exchanged('x', 1), ...exchanged('y', 2)])('a', 'b')!;
    expect(found).toMatchObject({ deals: 2, difference: 0.5, p: 1, dealsNeeded: null }); // 0 in deal x, 1 in deal y
    expect(found.deviation).toBeCloseTo(Math.SQRT1_2, 12);
    expect([found.low, found.high]).toEqual([
      expect.closeTo(0.25 - 1.959964 * Math.sqrt((2 / 4 - 1 / 16) / 4), 5),
      expect.closeTo(0.898197, 5),
    ]);
    expect(comparePairs(exchanged('x', 2))('a', 'b')).toMatchObject({ deals: 1, deviation: null, p: 1 });
    expect(comparePairs([])('a', 'b')).toBeUndefined();
    expect(comparePairs(shuffled)('a0', 'a1')).toEqual(comparePairs(games)('a0', 'a1'));
  });

  it('are told only where both held the same places in the same deals', () => {
    const [one, two] = exchanged('x', 2) as [GameResult, GameResult];
    const compared = (some: readonly GameResult[]) => comparePairs(some)('a', 'b');
    expect(compared([one, two])).toBeDefined();
    expect(compared([one])).toBeUndefined(); // half a deal
    expect(compared([one, { ...two, deal: 'y' }])).toBeUndefined(); // places of different deals
    expect(compared([one, { ...one, id: 'x/2' }])).toBeUndefined(); // a is the village twice
    // The roles as dealt count, whatever side a seat ends on.
    const swapped = { ...two, seats: two.seats.map((seat) => ({ ...seat, side: 'wolves' })) };
    expect(compared([one, swapped])).toBeDefined();
    // Two villagers of one game are no substitutes for each other: they win together.
    expect(compared([gameOf('1', { village: 'a,b', wolves: 'c' }, 'village')])).toBeUndefined();
    // Beside others: who else sits there does not matter, whole deals among broken ones count.
    expect(compared([...exchanged('x', 2), ...exchanged('y', 2).slice(1)])!.deals).toBe(1);
  });

  it.each([
    // by hand: all 2^n signs are equally likely, so that n deals of one sign have 2 of 2^n
    ['five deals won', [1, 1, 1, 1, 1], 0.0625],
    ['six deals won', [1, 1, 1, 1, 1, 1], 0.03125],
    // 1 + 2 + 3 - 4 is 2; |sum| >= 2 but for 0 (1-2-3+4 and its opposite), of 16 signs: 14 of 16
    ['four sizes', [0.1, 0.2, 0.3, -0.4], 0.875],
    ['ties', [0, 0, 0, 1, 1], 0.5],
    ['sixteen won of 17', [...Array<number>(16).fill(1), -1], (2 * (1 + 17)) / 2 ** 17],
    ['no difference', [0, 0], 1],
  ])('have the exact p of %s', (_, differences, p) => {
    expect(signFlipP(differences)).toBeCloseTo(p, 12);
    expect(signFlipP(differences.map((each) => -each))).toBeCloseTo(p, 12);
  });

  it('have a p that draws come near, exact up to 20 deals of any size, and quick', () => {
    const dice = diceOf('sizes', 'of 20 deals');
    const some = Array.from({ length: 20 }, () => (dice.below(1000) - 350) / 1000);
    let beyond = 0;
    const sum = (signs: number) => Math.abs(some.reduce((all, each, i) => all + (signs & (1 << i) ? each : -each), 0));
    const least = Math.abs(some.reduce((all, each) => all + each, 0));
    for (let signs = 0; signs < 2 ** 20; signs++) if (sum(signs) >= least - 1e-9) beyond++;
    expect(signFlipP(some)).toBeCloseTo(beyond / 2 ** 20, 9);
    // 40 deals of many sizes are drawn; each size twice more would be exact.
    const more = [...some, ...some.map((each) => each * 0.999)];
    expect(signFlipP(more)).toBe(signFlipP(more));
    expect(Math.abs(signFlipP(more) - signFlipP(more, 400_000))).toBeLessThan(0.004);
    expect(signFlipP(more.map((each) => each + 2))).toBe(1 / 100_001);
  });

  it.each([
    ['duels', (dice: Dice) => (dice.below(2) + dice.below(2) - 1)], // prettier-ignore
    ['tables of five', (dice: Dice) => Array.from({ length: 5 }, () => dice.below(3) - 1).reduce((a, b) => a + b) / 5 + dice.below(7) / 70 - dice.below(7) / 70], // prettier-ignore
  ])('of equals in %s are found at most 5.6 times in 100, from 50 deals at least 3 times', (_, differenceOf) => {
    for (const deals of [5, 10, 20, 50]) {
      const contests = 600;
      const found = Array.from({ length: contests }, (__, c) => {
        const dice = diceOf(`null ${c}`, String(deals));
        return signFlipP(Array.from({ length: deals }, () => differenceOf(dice)), 1000) < 0.05; // prettier-ignore
      }).filter(Boolean).length;
      // Two standard errors of 600 contests; `./maw bench null-contests` has 10,000 of them.
      expect(found / contests).toBeLessThan(0.056 + 0.018);
      if (deals >= 50) expect(found / contests).toBeGreaterThan(0.03 - 0.014);
    }
  });

  it('say where no p under .05 is possible', () => {
    expect(leastPText([{ deals: 5 }])).toBe('With 5 deals no p under 0.05 is possible: the least that there can be is 0.0625.');
    expect(leastPText([{ deals: 6 }])).toBeUndefined();
    expect(leastPText([{ deals: 6 }, { deals: 8 }, ...Array.from({ length: 8 }, () => ({ deals: 1 }))])).toMatch(/^With 8 deals and 10 comparisons no p .* is 0\.0781\.$/); // prettier-ignore
    expect(leastPText([])).toBeUndefined();
  });
});

describe('planning', () => {
  it('corrects p-values for their number by Holm', () => {
    const adjusted = holm([0.01, 0.04, 0.03, 0.005]).map((p) => Number(p.toFixed(6)));
    expect(adjusted).toEqual([0.03, 0.06, 0.06, 0.02]);
    expect(holm([0.9, 0.8])).toEqual([1, 1]);
    expect(holm([])).toEqual([]);
  });
});

describe('tests of bias', () => {
  const named = (of: readonly GameResult[], test: string) => biasTests(of).filter((each) => each.test === test);
  const agents = ['a', 'b', 'c', 'd', 'e'];
  /** Five agents sit down as `seatOf` says; the wolf is at a random seat, or always at the first. */
  const dealt = (n: number, isFixed: (agent: string) => boolean, isWolfFirst = false): GameResult[] =>
    Array.from({ length: n }, (_, i) => {
      const dice = diceOf(`deal ${i}`, String(n));
      const order = isFixed('seats') ? agents : dice.shuffle(agents);
      const wolf = isWolfFirst ? 0 : dice.below(5);
      const winner = dice.below(10) < 8 ? 'village' : 'wolves';
      const seats = order.map((agent, seat) => {
        const side = seat === wolf ? 'wolves' : 'village';
        return { agent, seat, side, role: side === 'wolves' ? 'werewolf' : 'villager', won: side === winner, points: 0 };
      });
      return { id: String(i), rules: 'five', deal: String(i), winner, seats };
    });

  it('have p-values that are uniform when all is by chance', () => {
    for (const test of ['agents by seat', 'agents by role', 'wins by seat']) {
      const ps = Array.from(
        { length: 300 },
        (_, i) =>
          named(
            dealt(40 + i, () => false),
            test,
          )[0]!.p,
      );
      for (const level of [0.1, 0.5]) {
        const share = ps.filter((p) => p < level).length / ps.length;
        expect(Math.abs(share - level)).toBeLessThan(3.5 * Math.sqrt((level * (1 - level)) / ps.length));
      }
    }
  });

  it('find agents with fixed seats, seats with fixed roles, and balanced schedules', () => {
    expect(
      named(
        dealt(50, () => true),
        'agents by seat',
      )[0],
    ).toMatchObject({ rules: 'five', freedom: 16 });
    expect(
      named(
        dealt(50, () => true),
        'agents by seat',
      )[0]!.p,
    ).toBeLessThan(1e-6);
    expect(
      named(
        dealt(50, () => false, true),
        'wins by seat',
      )[0]!.p,
    ).toBeLessThan(1e-6);
    const rotated = dealt(1, () => true).flatMap((game) =>
      agents.map((_, shift) => ({
        ...game,
        id: `${shift}`,
        seats: game.seats.map((seat) => ({ ...seat, agent: agents[(seat.seat + shift) % 5]! })),
      })),
    );
    for (const test of ['agents by seat', 'agents by role']) expect(named(rotated, test)[0]!.p).toBe(1);
    expect(biasTests(shuffled)).toEqual(biasTests(games));
  });

  it('have no freedom where nothing can differ', () => {
    expect(biasTests([gameOf('1', { village: 'a', wolves: 'a' }, 'village')]).map(({ freedom, p }) => [freedom, p])).toEqual([
      [0, 1],
      [0, 1],
      [1, expect.closeTo(0.3173, 4)],
    ]);
  });
});
