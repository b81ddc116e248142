import { addUsage, sumUsage } from '@maw/store/memory/llm-usage.ts';
import type { LlmUsage, UsageEntry } from '@maw/store/ports/budget-usage.ts';

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
