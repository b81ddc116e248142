import { compareBytes } from './compare-bytes.ts';
import { addUsage, sumUsage } from '@maw/store/memory/llm-usage.ts';
import type { AccountUsage, BudgetUsage, LlmUsage, UsageEntry } from '@maw/store/ports/budget-usage.ts';
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

interface Parts {
  now(): number;
  isOver?(table: string): boolean;
  /** What seats have used. */
  readonly seats?: Map<string, UsageEntry>;
}

/** The use of models in memory. */
export function memoryLlmUsage({ now, isOver = () => false, seats = new Map() }: Parts): LlmUsage {
  const hours = new Map<string, UsageEntry>();
  const batches = new Map<string, number>();
  return {
    async add(writer, batch, entries) {
      if (batch <= (batches.get(writer) ?? -1)) return;
      batches.set(writer, batch);
      for (const entry of entries.map(storable)) {
        const { hour, key, model, recipe, table, seat } = entry;
        addUsage(hours, JSON.stringify([hour, key, model, recipe]), entry);
        if (table !== '') addUsage(seats, JSON.stringify([table, seat, model, recipe]), entry);
      }
    },

    async list(query, limit) {
      const current = Math.floor(now() / 3_600_000);
      const found =
        'table' in query
          ? [...seats.values()].filter(({ table }) => table === query.table && isOver(table))
          : [...hours.values()].filter(({ hour }) => hour < current && hour >= query.from && hour < query.to);
      return sumUsage(found, query.by).slice(0, limit);
    },
  };
}

const storable = (entry: UsageEntry): UsageEntry =>
  JSON.parse(JSON.stringify(entry, (_, value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value)));
