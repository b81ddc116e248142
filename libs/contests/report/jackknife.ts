import type { GameRecord } from '@maw/minds/measures/game-record.ts';
import type { Measured } from '@maw/minds/measures/measured.ts';
import { rangeOf } from '@maw/minds/measures/ranges.ts';
import { amountInterval, type Bounds, shareInterval } from '@maw/ratings/rates/bounded-interval.ts';

/** Groups of the jackknife at most: each costs all measures once. */
const MAX_GROUPS = 40;
/** With fewer games an interval would be made up. */
const LEAST_GAMES = 5;

/** What leaving out a group of games at a time does to a measure. */
interface LeftOut {
  readonly values: number[];
  /** Groups that have cases of it. */
  groups: number;
}

const keyOf = ({ rules, measure: what, about, source }: Measured): string => JSON.stringify([rules, what, about, source]);

/**
 * Gives measures without an interval one of 95 %, within the values that they can have. Their standard errors come of leaving out a group of games
 * at a time (the delete-a-group jackknife: Efron and Tibshirani 1993, An Introduction to the Bootstrap, section 11.5). Games are left out whole, as
 * what happens in one of them depends on each other. A measure of which one group has all cases gets none, nor does an amount that no group changes:
 * it would look certain.
 * @param rows the measures of all games
 * @param measureOf the same measures of some of them
 */
export function withIntervals(
  rows: readonly Measured[],
  records: readonly GameRecord[],
  measureOf: (some: readonly GameRecord[]) => readonly Measured[],
): readonly Measured[] {
  if (records.length < LEAST_GAMES) return rows;
  const groups = Math.min(MAX_GROUPS, records.length);
  const cases = new Map(rows.map((row) => [keyOf(row), row.cases]));
  const all = new Map<string, LeftOut>();
  for (let group = 0; group < groups; group++)
    for (const row of measureOf(records.filter((_, i) => i % groups !== group))) {
      if (row.value === undefined) continue;
      const key = keyOf(row);
      const own = all.get(key) ?? { values: [], groups: 0 };
      own.values.push(row.value);
      if (row.cases < cases.get(key)!) own.groups++;
      all.set(key, own);
    }
  return rows.map((row) => {
    const own = all.get(keyOf(row));
    if (row.low !== undefined || row.value === undefined || own?.values.length !== groups) return row;
    return { ...row, ...boundsOf(row, row.value, errorOf(own.values), (records.length * own.groups) / groups) };
  });
}

function errorOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const sum = values.reduce((squares, value) => squares + (value - mean) ** 2, 0);
  return Math.sqrt(((values.length - 1) / values.length) * sum);
}

/** Differences below it are rounding. */
const NOTHING = 1e-9;

function boundsOf({ measure, cases }: Measured, value: number, error: number, clusters: number): Bounds | undefined {
  const { least, most } = rangeOf(measure);
  if (most === Infinity) return error > NOTHING ? amountInterval(value, error, least) : undefined;
  const width = most - least;
  const { low, high } = shareInterval((value - least) / width, { error: error / width, cases, clusters });
  return { low: least + low * width, high: least + high * width };
}
