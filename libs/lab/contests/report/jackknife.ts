import type { GameRecord } from '../../measures/game-record.ts';
import type { Measured } from '../../measures/measured.ts';
import { rangeOf } from '../../measures/ranges.ts';
import { amountInterval, shareInterval } from '../../ratings/rates/bounded-interval.ts';
import type { Bounds } from '../../ratings/rates/wilson-interval.ts';

/** Groups of deals at most. */
const MAX_GROUPS = 40;
/** With fewer deals an interval would be made up. */
const LEAST_DEALS = 5;
/** With more games, groups are large enough to be measured each for itself: leaving them out one at a time would cost as much for each. */
const MANY_GAMES = 4_000;

/** What groups of deals say of a measure. */
interface Grouped {
  readonly values: number[];
  /** Groups that have cases of it. */
  groups: number;
}

const keyOf = ({ rules, measure: what, about, source }: Measured): string => JSON.stringify([rules, what, about, source]);

/**
 * Gives measures without an interval one of 95 %, within the values that they can have. Their standard errors come of leaving out a group of deals
 * at a time (the delete-a-group jackknife: Efron and Tibshirani 1993, An Introduction to the Bootstrap, section 11.5), and with many games of the
 * groups themselves (random groups: Wolter 2007, Introduction to Variance Estimation, chapter 2). Deals stay whole, as what happens in their
 * games depends on each other. A measure of which a group has all cases gets no interval, nor does an amount that no group changes: it would look certain.
 * @param rows the measures of all games
 * @param measureOf the same measures of some of them
 * @param dealOf the deal of a game; by default each has its own
 */
export function withIntervals(
  rows: readonly Measured[],
  records: readonly GameRecord[],
  measureOf: (some: readonly GameRecord[]) => readonly Measured[],
  dealOf: (record: GameRecord) => unknown = (record) => record,
): readonly Measured[] {
  const deals = new Map([...new Set(records.map(dealOf))].map((deal, i) => [deal, i]));
  if (deals.size < LEAST_DEALS) return rows;
  const groups = Math.min(MAX_GROUPS, deals.size);
  const isEachAlone = records.length > MANY_GAMES;
  const cases = new Map(rows.map((row) => [keyOf(row), row.cases]));
  const all = new Map<string, Grouped>();
  for (let group = 0; group < groups; group++)
    for (const row of measureOf(records.filter((record) => (deals.get(dealOf(record))! % groups === group) === isEachAlone))) {
      if (row.value === undefined) continue;
      const key = keyOf(row);
      const own = all.get(key) ?? { values: [], groups: 0 };
      own.values.push(row.value);
      if (isEachAlone || row.cases < cases.get(key)!) own.groups++;
      all.set(key, own);
    }
  return rows.map((row) => {
    const own = all.get(keyOf(row));
    if (row.low !== undefined || row.value === undefined || own?.values.length !== groups) return row;
    const error = Math.sqrt(squaresOf(own.values) / groups) * (isEachAlone ? 1 / Math.sqrt(groups - 1) : Math.sqrt(groups - 1));
    return { ...row, ...boundsOf(row, row.value, error, { clusters: (deals.size * own.groups) / groups, groups: own.groups }) };
  });
}

/** The sum of squared differences from the mean. */
function squaresOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((squares, value) => squares + (value - mean) ** 2, 0);
}

/** Differences below it are rounding. */
const NOTHING = 1e-9;

function boundsOf(
  { measure, cases }: Measured,
  value: number,
  error: number,
  { clusters, groups }: Record<'clusters' | 'groups', number>,
): Bounds | undefined {
  const { least, most } = rangeOf(measure);
  if (most === Infinity) return error > NOTHING && groups > 1 ? amountInterval(value, error, groups - 1, least) : undefined;
  const width = most - least;
  const { low, high } = shareInterval((value - least) / width, { error: error / width, cases, clusters });
  return { low: least + low * width, high: least + high * width };
}
