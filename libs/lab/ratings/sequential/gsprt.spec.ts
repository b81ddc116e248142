import { describe, expect, it } from '@jest/globals';
import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import { gameOf } from '../synthetic-contest.suite.ts';
import { wilsonInterval } from '../rates/wilson-interval.ts';
import { ELO_PER_DEVIATION, gsprt, normalisedElo, type ScoreCount } from './gsprt.ts';
import { pairScores } from './pair-scores.ts';

/** Contests of twins; each seed is a contest. */
const CONTESTS = 2000;
const MAX_PAIRS = 500;

/** How many of the contests `accepts` says are won by the better of two equal agents. */
function falseAlarms(accepts: (dice: Dice) => boolean): number {
  return Array.from({ length: CONTESTS }, (_, c) => accepts(diceOf(`contest ${c}`, 'pairs'))).filter(Boolean).length / CONTESTS;
}

/** Scores of pairs of two games, each won or lost with equal chances. */
const rollPair = (dice: Dice): number => (dice.below(2) + dice.below(2)) / 2;

/** Scores of pairs of two games, each lost, drawn or won. */
const pentanomial = (counts: readonly number[]): readonly ScoreCount[] => counts.map((count, i) => ({ score: i / 4, count }));

describe('the sequential test', () => {
  it('gives the published log-likelihood ratio of a run of a chess engine', () => {
    const counts = [398, 4112, 7672, 4336, 430] as const;
    const { llr, lower, upper, accepted } = gsprt(pentanomial(counts), { elo0: 0, elo1: 3 });
    expect([-lower, upper].map((bound) => bound.toFixed(3))).toEqual(['2.944', '2.944']);
    expect(accepted).toBe('elo1');
    // The exact ratio; solved apart from this code by sequential quadratic programming too.
    expect(llr).toBeCloseTo(2.95833, 5);
    // The normal approximation for large samples, N / 2 ((t - t0)^2 - (t - t1)^2), is 2.959.
    const pairs = counts.reduce<number>((a, b) => a + b, 0);
    const mean = counts.reduce<number>((sum, count, i) => sum + (count * i) / 4, 0) / pairs;
    const t = (mean - 0.5) / Math.sqrt(counts.reduce<number>((sum, count, i) => sum + count * (i / 4 - mean) ** 2, 0) / pairs);
    const t1 = (3 / ELO_PER_DEVIATION) * Math.SQRT2;
    expect((pairs / 2) * (t ** 2 - (t - t1) ** 2)).toBeCloseTo(2.959, 3);
  });

  it('accepts a difference between equals in at most 6.5 % of 2,000 contests, looked at every 4 pairs', () => {
    const share = falseAlarms((dice) => {
      const counts = [0, 0, 0, 0, 0] as [number, number, number, number, number];
      for (let pair = 1; pair <= MAX_PAIRS; pair++) {
        counts[rollPair(dice) * 4]!++;
        const accepted = pair % 4 === 0 ? gsprt(pentanomial(counts), { elo0: 0, elo1: 60 }).accepted : undefined;
        if (accepted) return accepted === 'elo1';
      }
      return false;
    });
    expect(share).toBeLessThanOrEqual(0.065);
    expect(share).toBeGreaterThan(0.01); // it does accept
  });

  it('which looking at an interval of Wilson every 20 of 1,000 games does not', () => {
    const share = falseAlarms((dice) => {
      for (let games = 1, wins = 0; games <= 1000; games++) {
        wins += dice.below(2);
        if (games % 20) continue;
        const { low, high } = wilsonInterval(wins, games);
        if (low > 0.5 || high < 0.5) return true;
      }
      return false;
    });
    expect(share).toBeGreaterThan(0.25);
    expect(share).toBeLessThan(0.37);
  });

  it('finds an agent that wins 60 %, in fewer pairs than a fixed sample', () => {
    const found = Array.from({ length: 100 }, (_, c) => {
      const dice = diceOf(`better ${c}`, 'pairs');
      const counts = [0, 0, 0, 0, 0] as [number, number, number, number, number];
      for (let pairs = 1; ; pairs++) {
        counts[2 * (Number(dice.below(10) < 6) + Number(dice.below(10) < 6))]!++;
        const { accepted } = gsprt(pentanomial(counts), { elo0: 0, elo1: 60 });
        if (accepted) return { accepted, pairs };
      }
    });
    expect(found.filter(({ accepted }) => accepted === 'elo1').length).toBeGreaterThanOrEqual(95);
    expect(found.reduce((sum, { pairs }) => sum + pairs, 0) / found.length).toBeLessThan(194); // 388 games tell .5 from .6 at a fixed number
  });

  it('takes any scores, in any order and with zeros', () => {
    const thirds: ScoreCount[] = [1, 2, 3, 4].map((count, i) => ({ score: i / 3, count: 10 * count }));
    const test = { elo0: 0, elo1: 30, gamesPerPair: 3 };
    expect(gsprt(thirds, test).llr).toBeGreaterThan(0);
    expect(gsprt([...thirds.toReversed(), { score: 0.1, count: 0 }], test).llr).toBeCloseTo(gsprt(thirds, test).llr, 3);
    expect(gsprt([], test)).toMatchObject({ accepted: undefined });
    expect(gsprt(pentanomial([0, 0, 1000, 0, 0]), { elo0: 0, elo1: 30 })).toMatchObject({ accepted: 'elo0' }); // twins
  });
});

describe('normalised Elo', () => {
  const wdl = (won: number, lost: number, drawn: number) => [{ score: 0, count: lost }, { score: 0.5, count: drawn }, { score: 1, count: won }]; // prettier-ignore

  // Published: the tests of fastchess, app/tests/elo_test.cpp.
  it.each([
    [wdl(76, 89, 123), 1, '-20.76', '40.13', '15.53'],
    [wdl(136, 96, 111), 1, '49.77', '36.77', '99.60'],
    [pentanomial([34, 54, 63, 64, 75]), 2, '57.94', '28.28', '100.00'],
    [pentanomial([332, 433, 498, 333, 334]), 2, '-9.17', '10.96', '5.05'],
    [pentanomial([7895, 8757, 5685, 568, 9999]), 2, '-19.01', '2.65', '0.00'],
  ])('is as published, with its error and the likelihood of superiority (%#)', (counts, gamesPerPair, elo, error, los) => {
    const found = normalisedElo(counts, gamesPerPair)!;
    expect(Math.abs(found.elo - Number(elo))).toBeLessThan(0.006);
    expect(Math.abs((found.high - found.low) / 2 - Number(error))).toBeLessThan(0.006);
    expect((found.los * 100).toFixed(2)).toBe(los);
  });

  it('is half sure of equals, says the same from the other side, and is unknown where nothing varied', () => {
    expect(normalisedElo(wdl(5, 5, 7), 1)).toMatchObject({ elo: 0, los: 0.5 });
    const [one, other] = [normalisedElo(wdl(9, 5, 7), 1)!, normalisedElo(wdl(5, 9, 7), 1)!];
    expect([one.elo + other.elo, one.los + other.los, one.low + other.high].map((sum) => Number(sum.toFixed(9)))).toEqual([0, 1, 0]);
    expect([normalisedElo([{ score: 1, count: 9 }], 2), normalisedElo([], 2)]).toEqual([undefined, undefined]);
  });
});

describe('the likelihood ratio over all counts and bounds', () => {
  const bounds = [-1000, -300, -232, -50, 0, 5, 100, 231, 232, 400, 1000];
  const pairs = bounds.flatMap((elo0, i) => bounds.slice(i + 1).map((elo1) => ({ elo0, elo1 })));

  it('is finite, and speaks for the better bound where all is won and for the other where all is lost', () => {
    const wrong: unknown[] = [];
    for (const test of [...pairs, { elo0: -1e6, elo1: 1e6 }])
      for (const gamesPerPair of [1, 2, 7])
        for (const counts of [
          [0, 0, 0, 0, 50],
          [50, 0, 0, 0, 0],
          [0, 0, 50, 0, 0],
          [1, 0, 0, 0, 0],
          [0, 0, 0, 0, 100_000],
          [3, 9, 4, 1, 7],
          [],
        ]) {
          const { llr } = gsprt(pentanomial(counts), { ...test, gamesPerPair });
          const isOther = counts[4] === 50 ? llr <= 0 : counts[0] === 50 && llr >= 0;
          if ((counts.length && !Number.isFinite(llr)) || isOther) wrong.push([test, gamesPerPair, counts, llr]);
        }
    expect(wrong).toEqual([]);
  });

  /** The largest likelihood of counts of 0, .5 and 1. Mean and deviation fix three shares, so that the deviation is all that is searched. */
  function largest(counts: readonly number[], t: number): number {
    const likelihood = (deviation: number): number => {
      const mean = 0.5 + t * deviation;
      const square = mean ** 2 + deviation ** 2;
      const shares = [1 - 3 * mean + 2 * square, 4 * (mean - square), 2 * square - mean];
      return shares.some((share) => !(share > 0)) ? -Infinity : counts.reduce((sum, count, i) => sum + count * Math.log(shares[i]!), 0);
    };
    let [low, high, best] = [0, 0.5 / Math.hypot(1, t), 0];
    for (let round = 0; round < 12; round++) {
      const step = (high - low) / 400;
      const tried = Array.from({ length: 401 }, (_, i) => low + i * step);
      best = tried.reduce((a, b) => (likelihood(b) > likelihood(a) ? b : a));
      [low, high] = [Math.max(low, best - 2 * step), Math.min(high, best + 2 * step)];
    }
    return likelihood(best);
  }

  it('is that of an independent search for the most likely shares', () => {
    for (const counts of [
      [5, 20, 50],
      [50, 1, 1],
      [1, 300, 1000],
      [1, 1, 1],
    ])
      for (const { elo0, elo1 } of pairs.filter(({ elo0: low }) => low % 100 === 0)) {
        const [t0, t1] = [elo0, elo1].map((elo) => (elo / ELO_PER_DEVIATION) * Math.SQRT2) as [number, number];
        const wanted = largest(counts, t1) - largest(counts, t0);
        const { llr } = gsprt(counts.map((count, i) => ({ score: i / 2, count })), { elo0, elo1 }); // prettier-ignore
        expect(Math.abs(llr - wanted)).toBeLessThan(1e-7 * (1 + Math.abs(wanted)));
      }
  });
});

describe('the scores of pairs', () => {
  it('are the means of the games of a deal, by score', () => {
    const games = [
      gameOf('1a', { village: 'a,a', wolves: 'b' }, 'village', { deal: '1' }),
      gameOf('1b', { village: 'b,b', wolves: 'a' }, 'wolves', { deal: '1' }),
      gameOf('2a', { village: 'a,a', wolves: 'b' }, 'village', { deal: '2' }),
      gameOf('2b', { village: 'b,b', wolves: 'a' }, 'village', { deal: '2' }),
      gameOf('3a', { village: 'a,a', wolves: 'c' }, 'village', { deal: '3' }),
      gameOf('4a', { village: 'a,b', wolves: 'c' }, 'wolves', { deal: '4' }),
      gameOf('4b', { village: 'b', wolves: 'a' }, 'draw', { deal: '4' }),
    ];
    const scores = [
      { score: 0.5, count: 1 },
      { score: 1, count: 1 },
    ];
    // Deal 4 is left out: a and b were villagers together, and then a alone was a wolf.
    expect(pairScores(games, 'a', 'b')).toEqual({ counts: scores, pairs: 2, gamesPerPair: 2 });
    expect(pairScores(games, 'b', 'a').counts.map(({ score }) => score)).toEqual([0, 0.5]);
    expect(pairScores(games, 'b', 'nobody')).toMatchObject({ counts: [], pairs: 0 });
  });
});
