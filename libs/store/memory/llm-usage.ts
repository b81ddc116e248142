import { USAGE_COUNTS, type UsageCounts, type UsageEntry, type UsageQuery, type UsageSum } from '../ports/budget-usage.ts';

/** Adds to what the map has of the key. */
export function addUsage<T extends UsageCounts>(sums: Map<string, T>, key: string, more: T): void {
  const sum = sums.get(key);
  if (sum) for (const count of USAGE_COUNTS) sum[count] += more[count];
  else sums.set(key, { ...more });
}

/** Sums by columns, in their order: by bytes, and of seats by number. */
export function sumUsage(entries: readonly UsageEntry[], by: UsageQuery['by']): readonly UsageSum[] {
  const sums = new Map<string, UsageSum>();
  for (const entry of entries) {
    const names = Object.fromEntries(by.map((column) => [column, column === 'day' ? dayOf(entry.hour) : entry[column]]));
    const counts = Object.fromEntries(USAGE_COUNTS.map((count) => [count, entry[count]])) as UsageCounts;
    addUsage(sums, JSON.stringify(names), { ...names, ...counts });
  }
  return [...sums.values()].toSorted((a, b) => by.reduce((order, column) => order || compare(a[column]!, b[column]!, column), 0));
}

const dayOf = (hour: number): string => new Date(hour * 3_600_000).toISOString().slice(0, 10);
const compare = (a: string, b: string, column: string): number =>
  (column === 'seat' ? a.length - b.length : 0) || Buffer.from(a).compare(Buffer.from(b));
