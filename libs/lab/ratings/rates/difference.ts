import { AT_95, deviationOf, meanOf } from '../distributions.ts';
import { dealsOf, placesIn } from '../deals.ts';
import type { GameResult } from '../result.ts';
import type { Bounds } from './wilson-interval.ts';
import { dealsForPower, LEAST_TO_PLAN, USUALLY_SOUGHT } from './sample-size.ts';
import { leastP, signFlipP } from './sign-flips.ts';

/** Two win rates, compared deal by deal: their difference with its 95 % interval. */
export interface PairedDifference extends Bounds {
  readonly difference: number;
  /** The deals that compare them. */
  readonly deals: number;
  /** The standard deviation of the difference from deal to deal; null for one deal. */
  readonly deviation: number | null;
  /** Two-sided, that the difference is 0 in truth; by `signFlipP`. */
  readonly p: number;
  /**
   * Deals at which a difference like this one is found in 80 of 100 contests; null where there is none, it is not known how deals differ, or there
   * are too few to say.
   */
  readonly dealsNeeded: number | null;
}

/**
 * The win rate of one agent less that of another, over the deals in which both held the same places: there alone it is the agents that differ.
 * Undefined without such a deal. It goes through the games once for any number of pairs.
 */
export function comparePairs(games: readonly GameResult[]): (one: string, other: string) => PairedDifference | undefined {
  const deals = dealsOf(games).map(placesIn);
  return (one, other) =>
    pairedDifference(
      deals.flatMap((agents) => {
        const [mine, theirs] = [agents.get(one), agents.get(other)];
        return mine && mine.places === theirs?.places ? [mine.rate - theirs.rate] : [];
      }),
    );
}

/**
 * What differences say, one of each deal. The interval is that of Agresti and Min (2005, Statistics in Medicine 24, 729–740): half a deal won by each
 * and one tied are added, so that equal results of a few deals are not taken for certainty. Undefined for none.
 */
export function pairedDifference(differences: readonly number[]): PairedDifference | undefined {
  const deals = differences.length;
  if (!deals) return undefined;
  const [difference, deviation] = [meanOf(differences), deals > 1 ? deviationOf(differences) : null];
  const added = deals + 2;
  const mean = (difference * deals) / added;
  const variance = (differences.reduce((sum, each) => sum + each ** 2, 0) + 1) / added - mean ** 2;
  const reach = AT_95 * Math.sqrt(variance / added);
  return {
    deals,
    difference,
    low: Math.max(-1, mean - reach),
    high: Math.min(1, mean + reach),
    deviation,
    p: signFlipP(differences),
    dealsNeeded: deviation && difference && deals >= LEAST_TO_PLAN ? dealsForPower(difference, deviation ** 2, USUALLY_SOUGHT) : null,
  };
}

/** Deals needed, in words. */
export const dealsNeededText = ({ deals, dealsNeeded }: Pick<PairedDifference, 'deals' | 'dealsNeeded'>): string =>
  deals < LEAST_TO_PLAN ? 'too few deals to say' : dealsNeeded === null ? 'not known' : dealsNeeded.toLocaleString('en');

/** That no p under .05 was possible, in words; undefined where one was. */
export function leastPText(compared: readonly Pick<PairedDifference, 'deals'>[]): string | undefined {
  const deals = Math.max(...compared.map((each) => each.deals));
  const least = Math.min(1, leastP(deals) * compared.length);
  if (!compared.length || least < 0.05) return undefined;
  const of = `${deals} ${deals === 1 ? 'deal' : 'deals'}${compared.length > 1 ? ` and ${compared.length} comparisons` : ''}`;
  return `With ${of} no p under 0.05 is possible: the least that there can be is ${Number(least.toPrecision(3))}.`;
}

/** A comparison with its p-value corrected for the number of all. */
export type Corrected<T> = T & { readonly adjusted: number };

/** Comparisons corrected by `holm`. */
export function corrected<T extends { readonly p: number }>(comparisons: readonly T[]): readonly Corrected<T>[] {
  const adjusted = holm(comparisons.map(({ p }) => p));
  return comparisons.map((each, i) => ({ ...each, adjusted: adjusted[i]! }));
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
