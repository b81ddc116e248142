import { AT_95, deviationOf, meanOf, twoSidedP } from '../distributions.ts';
import { dealsOf, wonShare } from '../deals.ts';
import type { GameResult } from '../result.ts';

/** A difference with its 95 % interval. */
export interface Difference {
  readonly difference: number;
  readonly low: number;
  readonly high: number;
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
 * are added, so that equal results of a few deals are not taken for certainty. It goes through the games once
 * for any number of pairs.
 */
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
