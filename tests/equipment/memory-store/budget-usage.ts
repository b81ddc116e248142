import { compareBytes } from './compare-bytes.ts';
import type { AccountUsage, BudgetUsage } from '@maw/store/ports/budget-usage.ts';
import type { GatewayKeys, StoredKey } from '@maw/store/ports/gateway-keys.ts';

/** Budget usage in memory. */
export function memoryBudgetUsage(): BudgetUsage {
  const rows = new Map<string, AccountUsage & { readonly at: number }>();
  return {
    async record(at, totals) {
      for (const { kind, who, period, used, most } of totals) {
        const key = JSON.stringify([kind, who]);
        const known = rows.get(key);
        const isOlder = known && (period === known.period ? used < known.used : period === known.period - 1);
        if (!isOlder) rows.set(key, { kind, who, period, used, most, at });
      }
    },

    async list(kind, { since, limit }) {
      return [...rows.values()]
        .filter((row) => row.kind === kind && row.at >= since)
        .toSorted((a, b) => b.at - a.at || compareBytes(a.who, b.who))
        .slice(0, limit)
        .map(({ who, period, used, most }) => ({ kind, who, period, used, most }));
    },

    async prune(before) {
      for (const [key, { at }] of rows) if (at < before) rows.delete(key);
    },
  };
}

/** Keys of the gateway in memory. */
export function memoryGatewayKeys(): GatewayKeys {
  const rows = new Map<string, StoredKey>();
  return {
    list: async () => structuredClone([...rows.values()].toSorted((a, b) => a.at - b.at || compareBytes(a.id, b.id))),
    async add(key) {
      if ([...rows.values()].some(({ id, digest }) => id === key.id || digest === key.digest)) throw new Error('duplicate key');
      rows.set(key.id, structuredClone(key));
    },
    remove: async (id) => rows.delete(id),
  };
}
