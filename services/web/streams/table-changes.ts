import type { Bus } from '@maw/bus/bus.ts';

/** Notifies one reader of changes at one table. */
export interface TableWatch {
  /** Waits for a change since the last call, at most `ms`. Returns whether there was one; never rejects. */
  wait(ms: number, signal: AbortSignal): Promise<boolean>;
  close(): void;
}

export interface TableChanges {
  watch(table: string): TableWatch;
  /**
   * A number that is new after every change of a watched table. It never repeats, even when nobody watched in between; a page that was
   * requested under another number may be stale.
   */
  version(table: string): number;
  close(): Promise<void>;
}

/** A table that is watched. */
interface WatchedTable {
  version: number;
  readonly watches: Set<Watch>;
}

interface Watch {
  hasChanged: boolean;
  wake: () => void;
}

/** Follows the changes of all tables with one subscription; those of tables that nobody watches are ignored. */
export async function watchTableChanges(bus: Bus): Promise<TableChanges> {
  const tables = new Map<string, WatchedTable>();
  let lastVersion = 0;
  const subscription = await bus.subscribe(['table.moved', 'room.line'], async ({ subject }) => {
    const table = tables.get(subject);
    if (!table) return;
    table.version = ++lastVersion;
    for (const watch of table.watches) {
      watch.hasChanged = true;
      watch.wake();
    }
  });
  return {
    watch(name) {
      const table = tables.get(name) ?? { version: ++lastVersion, watches: new Set() };
      tables.set(name, table);
      const watch: Watch = { hasChanged: false, wake: () => undefined };
      table.watches.add(watch);
      return {
        wait: (ms, signal) => waitForChange(watch, ms, signal),
        close() {
          table.watches.delete(watch);
          if (!table.watches.size && tables.get(name) === table) tables.delete(name);
        },
      };
    },
    version: (name) => tables.get(name)?.version ?? ++lastVersion,
    close: () => subscription.stop(),
  };
}

async function waitForChange(watch: Watch, ms: number, signal: AbortSignal): Promise<boolean> {
  if (!watch.hasChanged && !signal.aborted) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, Math.max(0, ms));
    watch.wake = resolve;
    signal.addEventListener('abort', watch.wake);
    await promise;
    clearTimeout(timer);
    signal.removeEventListener('abort', watch.wake);
    watch.wake = () => undefined;
  }
  const { hasChanged } = watch;
  watch.hasChanged = false;
  return hasChanged;
}
