import { LEAST_TO_PLAN, pairedDealsForPower, type Sought } from '../../ratings/rates/sample-size.ts';
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

/**
 * The deals that find the difference that needs most of them, and its variance from deal to deal: that of the deals played so far, once they are ten
 * (then `played` of them), else that of two shares whose games have nothing to do with each other.
 */
export function planDeals(all: readonly Wanted[], sought: Sought, gapOf?: GapOf) {
  const plans = all.map((wanted) => {
    const { measure, about, higher, lower, shares: [p, q] } = wanted; // prettier-ignore
    const { deviation, deals: played = 0 } = gapOf?.(measure, about, higher, lower) ?? {};
    if (deviation && played >= LEAST_TO_PLAN)
      return { deals: pairedDealsForPower(p - q, deviation ** 2, sought), wanted, variance: deviation ** 2, played };
    const [variance, mean] = [p * (1 - p) + q * (1 - q), (p + q) / 2];
    return { deals: pairedDealsForPower(p - q, variance, sought, 2 * mean * (1 - mean)), wanted, variance };
  });
  return plans.reduce((most, each) => (each.deals > most.deals ? each : most));
}
