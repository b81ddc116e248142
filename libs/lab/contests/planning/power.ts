import { LEAST_TO_PLAN, pairedDealsForPower, type Sought } from '../../ratings/rates/sample-size.ts';
import { rangeOf } from '../../measures/ranges.ts';
import type { Contest } from '../definition.ts';
import type { GapOf, Published } from '../report/published.ts';
import { comparedCells, sidesOf } from '../report/cells.ts';
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

/** Those between two published figures of a measure that is a share, of agents, or of cells that the report compares. */
export function publishedDifferences({ figures }: Published, { agents, schedule }: Contest): readonly Wanted[] {
  const pairs = [...pairsOf(agents), ...(schedule.kind === 'cells' ? comparedCells(schedule.cells) : [])];
  const known = new Set(pairs.flatMap(([{ name: one }, { name: other }]) => [`${one}\n${other}`, `${other}\n${one}`]));
  const shares = figures.filter(({ measure }) => rangeOf(measure).most === 1).toSorted((a, b) => b.value - a.value);
  return pairsOf(shares).flatMap(([one, other]): readonly Wanted[] => {
    const { measure, about, where } = one;
    if (measure !== other.measure || about !== other.about || one.value === other.value || !known.has(`${one.cell}\n${other.cell}`))
      return [];
    return [{ measure, about, where, higher: one.cell, lower: other.cell, shares: [one.value, other.value] }];
  });
}

/** Win rates so far apart, about a half, where they vary most, of all pairs of cells that the report compares; of agents, where there are no cells. */
export function anyDifferences({ agents, schedule, games }: Contest, by: number): readonly Wanted[] {
  const isOfCells = schedule.kind === 'cells';
  const about = isOfCells ? sidesOf(games[0]!.rules)[0]! : 'all';
  return (isOfCells ? comparedCells(schedule.cells) : pairsOf(agents)).map(([{ name: higher }, { name: lower }]): Wanted => {
    return { measure: 'win rate', about, higher, lower, shares: [0.5 + by / 2, 0.5 - by / 2], where: '--difference' };
  });
}

/**
 * The deals that find the difference that needs most of them, and its variance from deal to deal: that of the deals played so far, once they are ten
 * (then `played` of them), else that of two shares whose games have nothing to do with each other.
 */
export function planDeals(all: readonly Wanted[], sought: Sought, gapOf?: GapOf) {
  const found = new Map<string, number>();
  const dealsOf = (difference: number, variance: number, none = variance): number => {
    const key = [difference, variance, none].join();
    const deals = found.get(key) ?? pairedDealsForPower(difference, variance, sought, none);
    found.set(key, deals);
    return deals;
  };
  const plans = all.map((wanted) => {
    const { measure, about, higher, lower, shares: [p, q] } = wanted; // prettier-ignore
    const { deviation, deals: played = 0 } = gapOf?.(measure, about, higher, lower) ?? {};
    if (deviation && played >= LEAST_TO_PLAN) return { deals: dealsOf(p - q, deviation ** 2), wanted, variance: deviation ** 2, played };
    const [variance, mean] = [p * (1 - p) + q * (1 - q), (p + q) / 2];
    return { deals: dealsOf(p - q, variance, 2 * mean * (1 - mean)), wanted, variance };
  });
  return plans.reduce((most, each) => (each.deals > most.deals ? each : most));
}
