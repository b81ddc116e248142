import { toJson } from './memory-json.ts';
import type { Listed, Recorded, Tapes } from './store.ts';
import { conflict, isOver } from './summary.ts';

/** The tapes in memory. Every append is done before anything else runs, which makes it whole. */
export function memoryTapes(): Tapes {
  const tables = new Map<string, Table>();
  const results = new Map<string, string>();
  return {
    async read(table, after = 0) {
      const tape = tables.get(table)?.tape.slice(after) ?? [];
      return tape.map((json, i): Recorded => ({ table, sequence: after + i + 1, ...JSON.parse(json) }));
    },

    async append(id, after, events, { at, cause, wake, summary, result }) {
      const known = tables.get(id);
      if ((known?.tape.length ?? 0) !== after) throw conflict(id, after);
      // All that can fail comes before all that is kept.
      const more = events.map((event) => `{"at":${at},"cause":${JSON.stringify(cause)},"event":${toJson(event)}}`);
      const about = { wake, summary: toJson(summary), isOver: isOver(summary) };
      tables.set(id, { opened: known?.opened ?? at, tape: [...(known?.tape ?? []), ...more], ...about });
      if (result && !results.has(id)) results.set(id, toJson(result));
    },

    async due(now, limit) {
      const alarms = [...tables].flatMap(([table, { wake }]) => (wake !== undefined && wake <= now ? [{ table, alarm: wake }] : []));
      return alarms.toSorted((a, b) => a.alarm - b.alarm || (a.table < b.table ? -1 : 1)).slice(0, limit);
    },

    async list({ limit, before = Infinity, isOver: over }) {
      return [...tables]
        .filter(([, table]) => table.opened < before && (over === undefined || table.isOver === over))
        .toSorted(([a, { opened: first }], [b, { opened: second }]) => second - first || (a > b ? -1 : 1))
        .slice(0, limit)
        .map(([table, { opened, summary }]): Listed => ({ table, opened, summary: JSON.parse(summary) }));
    },

    async result(id) {
      const json = results.get(id);
      return json === undefined ? undefined : JSON.parse(json);
    },
  };
}

interface Table {
  readonly opened: number;
  /** JSON of `at`, `cause` and `event`. */
  readonly tape: readonly string[];
  readonly wake: number | undefined;
  readonly summary: string;
  readonly isOver: boolean;
}
