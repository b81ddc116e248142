import { dealsForPower, independentVariance, LEAST_TO_PLAN, type Sought } from '../../ratings/rates/sample-size.ts';
import { rangeOf } from '../../measures/ranges.ts';
import type { Contest } from '../definition.ts';
import type { GapOf } from '../report/gap.ts';
import type { Published } from '../report/published.ts';
import { pairsOf } from '../report/strengths.ts';

/** A difference between two shares that a contest is to find. */
export interface Wanted {
  readonly measure: string;
  readonly about: string;
  readonly higher: string;
  readonly lower: string;
  readonly shares: readonly [number, number];
  /** Where it is from, in words. */
  readonly from: string;
}

/** Shares vary most about a half. */
const aboutHalf = (by: number): Wanted['shares'] => [0.5 + by / 2, 0.5 - by / 2];

/** The one that is given, or those that are published: between two figures of a measure that is a share, or of an order that says by how much. */
export function wantedDifferences({ agents }: Contest, published: Published | undefined, given: number | undefined): readonly Wanted[] {
  const [higher = '', lower = ''] = agents.map(({ name }) => name);
  if (given !== undefined) return [{ measure: 'win rate', about: 'all', higher, lower, shares: aboutHalf(given), from: '--difference' }];
  const { figures = [], claims = [] } = published ?? {};
  const shares = figures.filter(({ measure }) => rangeOf(measure).most === 1);
  return [
    ...pairsOf(shares.toSorted((a, b) => b.value - a.value)).flatMap(([one, other]): readonly Wanted[] => {
      const { measure, about, where } = one;
      if (measure !== other.measure || about !== other.about || one.value === other.value) return [];
      return [{ measure, about, higher: one.cell, lower: other.cell, shares: [one.value, other.value], from: where }];
    }),
    ...claims.flatMap(({ by, where, ...claim }) => (by === undefined ? [] : [{ ...claim, shares: aboutHalf(by), from: where }])),
  ];
}

/** How many deals a contest needs. */
export interface PowerPlan {
  readonly deals: number;
  /** The difference that needs most of them. */
  readonly hardest: Wanted;
  /** The variance of it in one deal. */
  readonly variance: number;
  /** The deals played so far that the variance is from; absent: games are taken as independent. */
  readonly played?: number;
}

/**
 * The deals by which each difference is found with a power.
 * @param wanted one at least
 * @param gapOf what was played so far; with ten deals of a pair its variance is that of these
 */
export function planDeals(wanted: readonly Wanted[], sought: Sought, gapOf?: GapOf): PowerPlan {
  const plans = wanted.map((hardest): PowerPlan => {
    const { measure, about, higher, lower, shares } = hardest;
    const gap = gapOf?.(measure, { name: higher, about }, { name: lower, about });
    const isKnown = gap !== undefined && gap.deals >= LEAST_TO_PLAN && Boolean(gap.deviation);
    const variance = isKnown ? gap.deviation! ** 2 : undefined;
    const { none, some } = variance === undefined ? independentVariance(...shares) : { none: variance, some: variance };
    const deals = dealsForPower(shares[0] - shares[1], { none, some }, sought);
    return { deals, hardest, variance: some, ...(isKnown ? { played: gap.deals } : {}) };
  });
  return plans.reduce((most, each) => (each.deals > most.deals ? each : most));
}
