import type { Bus } from '@maw/bus/bus.ts';

/** The doorbell of one reader at one table. */
export interface TableWatch {
  /**
   * Waits until something has happened since the last wait, at most `ms`. Never rejects.
   * @returns whether it rang
   */
  wait(ms: number, signal: AbortSignal): Promise<boolean>;
  close(): void;
}

export type TableChanges = Awaited<ReturnType<typeof watchTableChanges>>;

interface Door {
  /** Which ring was the last: what was asked before it is not taken for an answer after it. */
  lastRing: number;
  readonly bells: Set<() => void>;
}

const nothing = (): void => {};

/** Listens once for the whole process; what rings at tables that nobody watches is not looked at. */
export async function watchTableChanges(bus: Bus) {
  const doors = new Map<string, Door>();
  let rings = 0;
  const ring = (table: string): void => {
    const door = doors.get(table);
    if (!door) return;
    door.lastRing = ++rings;
    for (const bell of door.bells) bell();
  };
  const tap = await bus.subscribe(['table.moved', 'room.line'], ({ subject }) => Promise.resolve(ring(subject)));

  return {
    at(table: string): TableWatch {
      const door = doors.get(table) ?? { lastRing: ++rings, bells: new Set() };
      doors.set(table, door);
      let hasRung = false;
      let wake = nothing;
      const bell = (): void => {
        hasRung = true;
        wake();
      };
      door.bells.add(bell);
      return {
        async wait(ms, signal) {
          if (!hasRung && !signal.aborted)
            await new Promise<void>((resolve) => {
              const timer = setTimeout(resolve, Math.max(0, ms));
              wake = () => {
                clearTimeout(timer);
                signal.removeEventListener('abort', wake);
                resolve();
              };
              signal.addEventListener('abort', wake);
            });
          signal.removeEventListener('abort', wake);
          wake = nothing;
          const rung = hasRung;
          hasRung = false;
          return rung;
        },
        close() {
          door.bells.delete(bell);
          if (!door.bells.size && doors.get(table) === door) doors.delete(table);
        },
      };
    },
    /** The number of the last ring at a table that is watched; it never comes again, not even when everybody has left in between. */
    lastRing: (table: string): number => doors.get(table)?.lastRing ?? ++rings,
    close: (): Promise<void> => tap.stop(),
  };
}
