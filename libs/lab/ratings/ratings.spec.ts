import { describe, expect, it } from '@jest/globals';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { chiSquareP, quantile, twoSidedP } from './distributions.ts';
import { biasTests } from './rates/bias-tests.ts';
import { comparePairs, holm } from './rates/difference.ts';
import { pairsForDifference } from './rates/sample-size.ts';
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
  it('of win rates are paired by deal, with their standard deviation', () => {
    const won = (id: string, deal: string, winner: string): GameResult => gameOf(id, { village: 'a', wolves: 'b' }, winner, { deal });
    const found = comparePairs([won('1', 'x', 'village'), won('2', 'x', 'wolves'), won('3', 'y', 'village')])('a', 'b');
    expect(found).toMatchObject({ deals: 2, difference: 0.5 }); // 0 in deal x, 1 in deal y
    expect(found.deviation).toBeCloseTo(Math.SQRT1_2, 12);
    expect([found.low, found.high]).toEqual([
      expect.closeTo(0.25 - 1.959964 * Math.sqrt((2 / 4 - 1 / 16) / 4), 5),
      expect.closeTo(0.898197, 5),
    ]);
    expect(comparePairs([won('1', 'x', 'village'), won('2', 'y', 'village')])('a', 'b').p).toBeGreaterThan(0.1); // two of two
    expect(comparePairs(Array.from({ length: 20 }, (_, i) => won(`${i}`, `${i}`, 'village')))('a', 'b').p).toBeLessThan(1e-6);
    expect(comparePairs([])('a', 'b')).toMatchObject({
      deals: 0,
      difference: Number.NaN,
      deviation: Number.NaN,
      low: expect.closeTo(-0.979982, 5),
    });
    expect(comparePairs(shuffled)('a0', 'a1')).toEqual(comparePairs(games)('a0', 'a1'));
  });
});

describe('planning', () => {
  it('says how many pairs tell two agents apart', () => {
    expect([pairsForDifference(1, 0.5), pairsForDifference(1, 0)]).toEqual([32, Infinity]);
  });

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
