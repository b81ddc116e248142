import type { Tapes } from './ports/tapes.ts';

/** As many tables as there are. */
const ALL = 2_147_483_647;

/**
 * Tapes that nobody writes but through this. What it has written it need not ask for: whether a tape has grown, and which alarms are due. A
 * gamemaster asks for both many times a second, also while nothing happens.
 */
export function soleWriter(tapes: Tapes): Tapes {
  /** The last sequence of tables that were read or written, and do not end. */
  const lasts = new Map<string, number>();
  /** By table. Until they are loaded: of those that were written meanwhile. */
  const alarms = new Map<string, number | undefined>();
  let loading: Promise<void> | undefined;
  let isLoaded = false;

  async function load(): Promise<void> {
    const all = await tapes.due(Number.MAX_SAFE_INTEGER, ALL);
    for (const { table, alarm } of all) if (!alarms.has(table)) alarms.set(table, alarm);
    for (const [table, alarm] of alarms) if (alarm === undefined) alarms.delete(table);
    isLoaded = true;
  }

  async function due(now: number, limit: number): ReturnType<Tapes['due']> {
    if (!isLoaded) await (loading ??= load().finally(() => (loading = undefined)));
    const overdue = [...alarms].flatMap(([table, alarm]) => (alarm !== undefined && alarm <= now ? [{ table, alarm }] : []));
    return overdue.toSorted((a, b) => a.alarm - b.alarm || (a.table < b.table ? -1 : 1)).slice(0, limit);
  }

  return {
    ...tapes,
    due,
    countDue: async (now) => (await due(now, ALL)).length,
    async read(table, after = 0) {
      if (after > 0 && lasts.get(table) === after) return [];
      return tapes.read(table, after);
    },
    async append(table, after, events, writing) {
      try {
        await tapes.append(table, after, events, writing);
      } catch (error) {
        lasts.delete(table);
        await loading?.catch(() => undefined);
        alarms.clear(); // it may have been written all the same: the database knows
        isLoaded = false;
        throw error;
      }
      if (writing.wake === undefined && isLoaded) alarms.delete(table);
      else alarms.set(table, writing.wake);
      if (writing.summary.stage === 'over') lasts.delete(table);
      else lasts.set(table, after + events.length);
    },
  };
}
