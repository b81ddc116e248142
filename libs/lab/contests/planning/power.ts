import { dealsForPower, LEAST_TO_PLAN, type Sought } from '../../ratings/rates/sample-size.ts';
import { rangeOf } from '../../measures/ranges.ts';
import type { GapOf, Published } from '../report/published.ts';
import { pairsOf } from '../report/strengths.ts';

/** A difference between two shares that a contest is to find. */
export interface Wanted {
  readonly measure: string;
  readonly about: string;
  readonly higher: string;
  readonly lower: string;
  readonly shares: readonly [number, number];
  /** Where it is from. */
  readonly where: string;
}

/** Those between two published figures of a measure that is a share. */
export function publishedDifferences({ figures }: Published): readonly Wanted[] {
  const shares = figures.filter(({ measure }) => rangeOf(measure).most === 1).toSorted((a, b) => b.value - a.value);
  return pairsOf(shares).flatMap(([one, other]): readonly Wanted[] => {
    const { measure, about, where } = one;
    if (measure !== other.measure || about !== other.about || one.value === other.value) return [];
    return [{ measure, about, where, higher: one.cell, lower: other.cell, shares: [one.value, other.value] }];
  });
}

/** The deals that find the difference that needs most of them. */
export interface DealPlan {
  readonly deals: number;
  readonly wanted: Wanted;
  /** From deal to deal. */
  readonly variance: number;
  /** The deals played so far that the variance is of; absent: that of two shares whose games have nothing to do with each other. */
  readonly played?: number;
}

/** @param gapOf what was played so far: with ten deals of a pair its variance is that of these */
export function planDeals(all: readonly Wanted[], sought: Sought, gapOf?: GapOf): DealPlan {
  const plans = all.map((wanted): DealPlan => {
    const { measure, about, higher, lower, shares: [p, q] } = wanted; // prettier-ignore
    const gap = gapOf?.(measure, about, higher, lower);
    if (gap?.deviation && gap.deals >= LEAST_TO_PLAN) {
      const variance = gap.deviation ** 2;
      return { deals: dealsForPower(p - q, variance, sought), wanted, variance, played: gap.deals };
    }
    const [variance, mean] = [p * (1 - p) + q * (1 - q), (p + q) / 2];
    return { deals: dealsForPower(p - q, variance, sought, 2 * mean * (1 - mean)), wanted, variance };
  });
  return plans.reduce((most, each) => (each.deals > most.deals ? each : most));
}
