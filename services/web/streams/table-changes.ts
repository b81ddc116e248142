import type { Bus } from '@maw/bus/bus.ts';

/** The tables that one reader follows, as a queue of those that may have changed. */
export interface TableWatch {
  /**
   * Takes the table that has waited longest; at first every table waits. While a table is taken, nobody else gets it.
   * Undefined once the watch is closed.
   */
  take(): Promise<string | undefined>;
  /** Puts a table back after it was read. @param hasMore whether it waits again at once, behind the others */
  putBack(table: string, hasMore: boolean): void;
  /** Stops following one table. */
  leave(table: string): void;
  close(): void;
}

export type TableChanges = Awaited<ReturnType<typeof watchTableChanges>>;

/** A table that is watched. */
interface WatchedTable {
  version: number;
  readonly watches: Set<Watch>;
  /** Reports a change when there was no notification for a while: one may be lost. */
  readonly poll: NodeJS.Timeout;
}

interface Watch {
  /** In the order in which they are read. */
  readonly due: Set<string>;
  readonly taken: Set<string>;
  readonly takers: ((table: string | undefined) => void)[];
  isClosed: boolean;
}

interface ChangesState {
  readonly tables: Map<string, WatchedTable>;
  readonly listeners: Set<(table: string) => void>;
  readonly pollMs: number;
  lastVersion: number;
}

/**
 * Follows the changes of all tables with one subscription; those of tables that nobody watches are ignored.
 * @param pollMs after how long without a notification a table counts as changed: all its readers read it then, at once, and share the page
 */
export async function watchTableChanges(bus: Bus, pollMs: number) {
  const state: ChangesState = { tables: new Map(), listeners: new Set(), pollMs, lastVersion: 0 };
  const subscription = await bus.subscribe(['table.moved', 'room.line'], async ({ type, subject }) => {
    ring(state, subject);
    if (type === 'table.moved') for (const listener of state.listeners) listener(subject);
  });
  return {
    watch(names: readonly string[]): TableWatch {
      const watch: Watch = { due: new Set(names), taken: new Set(), takers: [], isClosed: false };
      const followed = new Set(names);
      for (const name of followed) watchedTable(state, name).watches.add(watch);
      const leave = (name: string): void => {
        watch.due.delete(name);
        watch.taken.delete(name);
        if (followed.delete(name)) unwatch(state, name, watch);
      };
      return {
        async take() {
          if (watch.isClosed) return undefined;
          const { promise, resolve } = Promise.withResolvers<string | undefined>();
          watch.takers.push(resolve);
          serve(watch);
          return promise;
        },
        putBack(name, hasMore) {
          watch.taken.delete(name);
          if (hasMore) watch.due.add(name);
          serve(watch);
        },
        leave,
        close() {
          watch.isClosed = true;
          followed.forEach(leave);
          for (const resolve of watch.takers.splice(0)) resolve(undefined);
        },
      };
    },
    /** Calls the listener with every table that is opened or moves, watched or not, until the returned function is called. */
    onMoved(listener: (table: string) => void): () => void {
      state.listeners.add(listener);
      return () => void state.listeners.delete(listener);
    },
    /**
     * A number that is new after every change of a watched table. It never repeats, even when nobody watched in between; a page that was
     * requested under another number may be stale.
     */
    version: (name: string): number => state.tables.get(name)?.version ?? ++state.lastVersion,
    async close(): Promise<void> {
      for (const { poll } of state.tables.values()) clearTimeout(poll);
      await subscription.stop();
    },
  };
}

function watchedTable(state: ChangesState, name: string): WatchedTable {
  const known = state.tables.get(name);
  if (known) return known;
  const poll = setTimeout(() => ring(state, name), state.pollMs);
  const table: WatchedTable = { version: ++state.lastVersion, watches: new Set(), poll };
  state.tables.set(name, table);
  return table;
}

function unwatch({ tables }: ChangesState, name: string, watch: Watch): void {
  const table = tables.get(name);
  if (!table?.watches.delete(watch) || table.watches.size) return;
  clearTimeout(table.poll);
  tables.delete(name);
}

function ring(state: ChangesState, name: string): void {
  const table = state.tables.get(name);
  if (!table) return;
  table.version = ++state.lastVersion;
  table.poll.refresh();
  for (const watch of table.watches) {
    watch.due.add(name);
    serve(watch);
  }
}

/** Gives the tables that are due to those who wait for one. */
function serve({ due, taken, takers }: Watch): void {
  for (const name of due) {
    if (!takers.length) return;
    if (taken.has(name)) continue;
    due.delete(name);
    taken.add(name);
    takers.shift()!(name);
  }
}
