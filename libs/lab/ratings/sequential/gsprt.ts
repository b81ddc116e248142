import { AT_95, twoSidedP } from '../distributions.ts';
import type { Bounds } from '../rates/wilson-interval.ts';

/** How many pairs had a score: from 0 (both games lost) to 1 (both won). */
export interface ScoreCount {
  readonly score: number;
  readonly count: number;
}

/** The test that a contest is stopped by. Strengths are in normalised Elo. */
export interface SequentialTest {
  /** The stronger agent is at most this much better: nothing worth telling. */
  readonly elo0: number;
  /** It is at least this much better. */
  readonly elo1: number;
  /** The chances to accept the wrong one; .05 by default. */
  readonly alpha?: number;
  readonly beta?: number;
  /** Games of a pair, each of which is a draw of luck; 2 by default. */
  readonly gamesPerPair?: number;
}

/** What the games so far say. */
export interface Evidence {
  /** The log-likelihood ratio: positive speaks for `elo1`. */
  readonly llr: number;
  /** The test stops outside these bounds. */
  readonly lower: number;
  readonly upper: number;
  readonly accepted: 'elo0' | 'elo1' | undefined;
}

/** Normalised Elo by the standard deviation of a game: a player whose mean is t standard deviations above .5 has t times this. */
export const ELO_PER_DEVIATION = 800 / Math.LN10;

/**
 * The generalised sequential probability ratio test of pair scores with normalised Elo, as chess engine testing uses it: M. Van den Bergh, "The
 * generalized SPRT for normalized Elo"; the likelihood ratio is that of the most likely multinomial distributions whose mean is elo0 or
 * elo1 above .5, in standard deviations (Chan and others, generalised likelihood ratio). Bounds are Wald's: log(beta / (1 - alpha)) and
 * log((1 - beta) / alpha). It may be looked at after every pair.
 * @param counts of pairs by score; scores that never occurred may be absent
 */
export function gsprt(
  counts: readonly ScoreCount[],
  { elo0, elo1, alpha = 0.05, beta = 0.05, gamesPerPair = 2 }: SequentialTest,
): Evidence {
  const [lower, upper] = [Math.log(beta / (1 - alpha)), Math.log((1 - beta) / alpha)];
  const observed = observedOf(counts);
  const pairs = observed.reduce((sum, { count }) => sum + count, 0);
  const [t0, t1] = [elo0, elo1].map((elo) => (elo / ELO_PER_DEVIATION) * Math.sqrt(gamesPerPair)) as [number, number];
  const shares = observed.map(({ score, count }) => ({ score, share: count / pairs }));
  const [p0, p1] = [likeliest(shares, t0), likeliest(shares, t1)];
  const llr = shares.reduce((sum, { share }, i) => sum + share * Math.log(p1[i]! / p0[i]!), 0) * pairs;
  return { llr, lower, upper, accepted: llr >= upper ? 'elo1' : llr <= lower ? 'elo0' : undefined };
}

/** How much better the first agent is, in normalised Elo, and how likely it is the better at all. */
export interface NormalisedElo extends Bounds {
  readonly elo: number;
  /** The likelihood of superiority: the chance that the true mean is above .5, from 0 to 1. */
  readonly los: number;
}

/**
 * The estimate to the test above: the mean of pair scores above .5 in standard deviations of a game, the interval by the standard error of the mean,
 * and the likelihood of superiority by the normal approximation, as fastchess and fishtest print them. Undefined where no deal differs from others.
 */
export function normalisedElo(counts: readonly ScoreCount[], gamesPerPair: number): NormalisedElo | undefined {
  const pairs = counts.reduce((sum, { count }) => sum + count, 0);
  const mean = counts.reduce((sum, { score, count }) => sum + score * count, 0) / pairs;
  const variance = counts.reduce((sum, { score, count }) => sum + count * (score - mean) ** 2, 0) / pairs;
  if (!(variance > 0)) return undefined;
  const perGame = ELO_PER_DEVIATION / Math.sqrt(gamesPerPair * variance);
  const elo = (mean - 0.5) * perGame;
  const reach = AT_95 * Math.sqrt(variance / pairs) * perGame;
  const tail = twoSidedP((mean - 0.5) / Math.sqrt(variance / pairs)) / 2;
  return { elo, low: elo - reach, high: elo + reach, los: mean > 0.5 ? 1 - tail : tail };
}

/** The count of a score that never occurred: nothing is impossible. */
const UNSEEN = 1e-3;

/** Counts by score, with the extremes and without zeros. */
function observedOf(counts: readonly ScoreCount[]): readonly ScoreCount[] {
  const byScore = new Map([0, 0.5, 1].map((score) => [score, 0]));
  for (const { score, count } of counts) byScore.set(score, (byScore.get(score) ?? 0) + count);
  return [...byScore].map(([score, count]) => ({ score, count: count || UNSEEN })).toSorted((a, b) => a.score - b.score);
}

interface ScoreShare {
  readonly score: number;
  readonly share: number;
}

const MAX_STEPS = 100;
const PRECISE = 1e-10;

/**
 * The most likely distribution whose mean is `t` of its standard deviations above .5. With multipliers of Lagrange each share is
 * share / (1 + theta phi), where phi is the derivative of (mean - .5 - t deviation) by that share, and theta makes the mean of phi 0. Mean and
 * deviation in phi are those of the step before. They begin at equal shares, moved towards the best score (the worst, for a negative t) until the mean
 * is t deviations away or more. As that difference is convex in the shares, all later ones are as far: so phi has both signs, and there is a theta.
 */
function likeliest(observed: readonly ScoreShare[], t: number): readonly number[] {
  const moved = Math.abs(t) / Math.hypot(1, t);
  let shares: readonly number[] = observed.map(({ score }) => (1 - moved) / observed.length + (score === (t < 0 ? 0 : 1) ? moved : 0));
  for (let step = 0; step < MAX_STEPS; step++) {
    const mean = observed.reduce((sum, { score }, i) => sum + score * shares[i]!, 0);
    const deviation = Math.sqrt(observed.reduce((sum, { score }, i) => sum + (score - mean) ** 2 * shares[i]!, 0));
    const phi = observed.map(({ score }) => score - 0.5 - (t * deviation * (1 + ((score - mean) / deviation) ** 2)) / 2);
    const theta = multiplierOf(observed, phi);
    const next = observed.map(({ share }, i) => share / (1 + theta * phi[i]!));
    const isPrecise = next.every((share, i) => Math.abs(share - shares[i]!) < PRECISE);
    shares = next;
    if (isPrecise) break;
  }
  return shares;
}

/** The theta at which the sum of share * phi / (1 + theta phi), which falls, is 0; by bisection. */
function multiplierOf(observed: readonly ScoreShare[], phi: readonly number[]): number {
  let low = -1 / Math.max(...phi);
  let high = -1 / Math.min(...phi);
  while (high - low > PRECISE * (1 + Math.abs(low) + Math.abs(high)) * 1e-3) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    const sum = observed.reduce((all, { share }, i) => all + (share * phi[i]!) / (1 + middle * phi[i]!), 0);
    if (sum > 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
