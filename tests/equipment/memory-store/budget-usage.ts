import { compareBytes } from './compare-bytes.ts';
import type { BudgetUsage, UsageTotal } from '@maw/store/ports/budget-usage.ts';

interface Kept extends UsageTotal {
  readonly writer: string;
  readonly at: number;
}

/** Budget usage in memory. */
export function memoryBudgetUsage(): BudgetUsage {
  const rows = new Map<string, Kept>();
  const accounts = (): { readonly kept: readonly Kept[]; readonly at: number }[] =>
    [...Map.groupBy(rows.values(), ({ kind, who, period }) => JSON.stringify([kind, who, period])).values()].map((kept) => ({
      kept,
      at: Math.max(...kept.map(({ at }) => at)),
    }));
  return {
    async record(writer, at, tallies) {
      for (const { kind, who, period, used, carried, most } of tallies) {
        const key = keyOf(kind, who, period, writer);
        const known = rows.get(key) ?? { used, carried, at };
        rows.set(key, {
          kind,
          who,
          period,
          writer,
          most,
          used: Math.max(used, known.used),
          carried: Math.max(carried, known.carried),
          at: Math.max(at, known.at),
        });
      }
    },

    async list(kind, { since, limit, except }) {
      return accounts()
        .filter(({ kept, at }) => kept[0]!.kind === kind && at >= since)
        .toSorted((a, b) => b.at - a.at || compareBytes(a.kept[0]!.who, b.kept[0]!.who) || a.kept[0]!.period - b.kept[0]!.period)
        .slice(0, limit)
        .map(({ kept }) => ({
          kind,
          who: kept[0]!.who,
          period: kept[0]!.period,
          used: sum(kept),
          carried: Math.max(...kept.map(({ carried }) => carried)),
          most: Math.max(...kept.map(({ most }) => most)),
          others: sum(kept.filter(({ writer }) => writer !== except)),
        }));
    },

    async prune(before, limit) {
      const old = accounts()
        .filter(({ at }) => at < before)
        .toSorted((a, b) => a.at - b.at || compareAccounts(a.kept[0]!, b.kept[0]!))
        .slice(0, limit);
      for (const { kind, who, period, writer } of old.flatMap(({ kept }) => kept)) rows.delete(keyOf(kind, who, period, writer));
      return old.length;
    },
  };
}

const keyOf = (...parts: readonly (string | number)[]): string => JSON.stringify(parts);
const sum = (kept: readonly Kept[]): number => kept.reduce((total, { used }) => total + used, 0);
const compareAccounts = (a: Kept, b: Kept): number => compareBytes(a.kind, b.kind) || compareBytes(a.who, b.who) || a.period - b.period;
