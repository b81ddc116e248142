import type { LlmUsage, UsageColumn, UsageCounts, UsageEntry, UsageSum } from '../ports/budget-usage.ts';

const HOUR_MS = 3_600_000;
/** Beyond it the oldest are forgotten. */
const MAX_ENTRIES = 100_000;

interface Parts {
  now(): number;
  /** Whether a table is over; default: nobody knows, and nothing is told by seat. */
  isOver?(table: string): boolean;
  /** What seats have used. */
  readonly seats?: Map<string, UsageEntry>;
}

/** Usage in memory. */
export function memoryLlmUsage({ now, isOver = () => false, seats = new Map() }: Parts): LlmUsage {
  const hours = new Map<string, UsageEntry>();
  const batches = new Map<string, number>();
  return {
    async add(writer, batch, entries) {
      if (entries.length === 0 || batch <= (batches.get(writer) ?? -1)) return;
      batches.set(writer, batch);
      for (const entry of entries) {
        const { hour, key, model, recipe, table, seat } = entry;
        addTo(hours, JSON.stringify([hour, key, model, recipe]), entry);
        if (table !== '') addTo(seats, JSON.stringify([table, seat, model, recipe]), entry);
      }
    },

    async list(query, limit) {
      const current = Math.floor(now() / HOUR_MS);
      const found =
        'table' in query
          ? [...seats.values()].filter(({ table }) => table === query.table && isOver(table))
          : [...hours.values()].filter(({ hour }) => hour < current && hour >= query.from && hour < query.to);
      const sums = new Map<string, UsageSum>();
      for (const entry of found) {
        const names = Object.fromEntries(query.by.map((column) => [column, nameIn(entry, column)]));
        addTo(sums, JSON.stringify(names), { ...names, ...countsOf(entry) });
      }
      return [...sums.values()].toSorted((a, b) => query.by.reduce((order, column) => order || compare(a, b, column), 0)).slice(0, limit);
    },
  };
}

/** Adds to what the map has of the key, or begins with it. */
export function addTo<T extends UsageCounts>(sums: Map<string, T>, key: string, more: T): void {
  const known = sums.get(key);
  sums.set(key, known ? { ...known, ...countsOf(more, known) } : more);
  if (sums.size > MAX_ENTRIES) sums.delete(sums.keys().next().value!);
}

const NOTHING: UsageCounts = { requests: 0, failures: 0, promptTokens: 0, generatedTokens: 0, slotMs: 0 };

const countsOf = (a: UsageCounts, b = NOTHING): UsageCounts => ({
  requests: a.requests + b.requests,
  failures: a.failures + b.failures,
  promptTokens: a.promptTokens + b.promptTokens,
  generatedTokens: a.generatedTokens + b.generatedTokens,
  slotMs: a.slotMs + b.slotMs,
});

const nameIn = (entry: UsageEntry, column: UsageColumn): string =>
  column === 'day' ? new Date(entry.hour * HOUR_MS).toISOString().slice(0, 10) : entry[column];

/** Seats by number, others by bytes. */
const compare = (a: UsageSum, b: UsageSum, column: UsageColumn): number =>
  (column === 'seat' ? a[column]!.length - b[column]!.length : 0) || Buffer.from(a[column]!).compare(Buffer.from(b[column]!));
