import { diceOf } from '@maw/games/kernel/dice.ts';
import { AT_95, deviationOf, meanOf, quantile, twoSidedP } from '../distributions.ts';
import { dealsOf, wonShare } from '../deals.ts';
import type { GameResult } from '../result.ts';
import { wilsonInterval } from './wilson-interval.ts';

/** A difference with its 95 % interval. */
export interface Difference {
  readonly difference: number;
  readonly low: number;
  readonly high: number;
}

/** How often something happened in how many independent trials. */
export interface Count {
  readonly times: number;
  readonly of: number;
}

/**
 * The difference of two independent proportions, by Newcombe's hybrid of two Wilson intervals (1998, Statistics in Medicine 17, 873–890,
 * method 10, without continuity correction).
 */
export function proportionDifference(one: Count, other: Count): Difference {
  const [a, b] = [wilsonInterval(one.times, one.of), wilsonInterval(other.times, other.of)];
  const difference = a.share - b.share;
  return {
    difference,
    low: difference - Math.hypot(a.share - a.low, b.high - b.share),
    high: difference + Math.hypot(a.high - a.share, b.share - b.low),
  };
}

/**
 * The difference of two means, with the percentile interval of the bootstrap (Efron and Tibshirani, 1993, chapter 13): each sample is drawn
 * from itself with replacement.
 * @param seed the same text gives the same interval
 */
export function meanDifference(one: readonly number[], other: readonly number[], seed: string, times = 2000): Difference {
  const dice = diceOf(seed, 'means');
  const drawnMean = (values: readonly number[]): number => {
    let sum = 0;
    for (let i = 0; i < values.length; i++) sum += values[dice.below(values.length)]!;
    return sum / values.length;
  };
  const difference = meanOf(one) - meanOf(other);
  if (!one.length || !other.length) return { difference, low: -Infinity, high: Infinity };
  const drawn = Float64Array.from({ length: times }, () => drawnMean(one) - drawnMean(other)).toSorted();
  return { difference, low: quantile(drawn, 0.025), high: quantile(drawn, 0.975) };
}

/** The win rates of two agents, compared deal by deal. */
export interface PairedDifference extends Difference {
  /** The deals that both played. */
  readonly deals: number;
  /** The standard deviation of the difference from deal to deal; NaN of fewer than two. `pairsForDifference` takes it. */
  readonly deviation: number;
  /** Two-sided, that the difference is 0 in truth. */
  readonly p: number;
}

/**
 * The win rate of one agent less that of another in the same deal, over the deals that both played: what a deal favours cancels where both
 * had the same seats. Interval and p are those of Agresti and Min (2005, Statistics in Medicine 24, 729–740): half a deal won by each and one tied
 * are added, so that equal results of a few deals are not taken for certainty.
 */
export function pairedDifference(games: readonly GameResult[], one: string, other: string): PairedDifference {
  return comparePairs(games)(one, other);
}

/** The same for many pairs of agents: it goes through the games once. */
export function comparePairs(games: readonly GameResult[]): (one: string, other: string) => PairedDifference {
  const deals = dealsOf(games).map(ratesOf);
  return (one, other) => {
    const differences: number[] = [];
    for (const rates of deals) {
      const [mine, theirs] = [rates.get(one), rates.get(other)];
      if (mine !== undefined && theirs !== undefined) differences.push(mine - theirs);
    }
    return { deals: differences.length, difference: meanOf(differences), deviation: deviationOf(differences), ...boundsOf(differences) };
  };
}

function boundsOf(differences: readonly number[]): Pick<PairedDifference, 'low' | 'high' | 'p'> {
  const added = differences.length + 2;
  const mean = differences.reduce((sum, each) => sum + each, 0) / added;
  const variance = (differences.reduce((sum, each) => sum + each ** 2, 0) + 1) / added - mean ** 2;
  const error = Math.sqrt(variance / added);
  return { low: Math.max(-1, mean - AT_95 * error), high: Math.min(1, mean + AT_95 * error), p: twoSidedP(mean / error) };
}

/** The win rate of each agent in the games of a deal. */
function ratesOf(deal: readonly GameResult[]): ReadonlyMap<string, number> {
  const agents = new Set(deal.flatMap(({ seats }) => seats.map(({ agent }) => agent)));
  return new Map([...agents].map((agent) => [agent, meanOf(deal.flatMap((game) => wonShare(game, agent) ?? []))]));
}

/**
 * P-values corrected for their number by the step-down method of Holm (1979, Scandinavian Journal of Statistics 6, 65–70): the chance of any
 * false alarm among all comparisons stays below the level that an adjusted value is held against. In the order given.
 */
export function holm(ps: readonly number[]): readonly number[] {
  const order = ps.map((p, i) => ({ p, i })).toSorted((a, b) => a.p - b.p);
  const adjusted = ps.map(() => 1);
  let highest = 0;
  for (const [rank, { p, i }] of order.entries()) {
    highest = Math.max(highest, Math.min(1, (ps.length - rank) * p));
    adjusted[i] = highest;
  }
  return adjusted;
}
