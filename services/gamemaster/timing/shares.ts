import { partOf, PARTS } from '@maw/bus/core/topology.ts';
import type { Preference } from '@maw/bus/bus.ts';

/**
 * A gamemaster that has been silent for so long is no longer counted, in milliseconds. Long, because on a busy machine one that lives may be silent for
 * seconds, and tables that move back and forth cost more than they bring. Nobody waits for it: the broker gives the tables of one that dies to the others at once.
 */
const SILENT_MS = 10_000;
/** So long a new one listens before it wants tables, in milliseconds: those who run tell of themselves every second. */
const LISTEN_MS = 1_500;

/** Which tables this gamemaster is served first. */
export interface Shares extends Preference {
  /** Another gamemaster, or this one, has given a sign of life. */
  hear(replica: string): void;
  /** Looks who is alive. To be called about once a second. */
  look(): void;
  /** Whether this gamemaster is served the table first; while it listens, all tables count as its own. */
  isOurs(table: string): boolean;
}

/**
 * Divides the parts of the tables among the gamemasters that are alive, in the order of their names: the n-th one is first served the parts n, n + N,
 * n + 2N ... of N, and each other part with a priority of its own, so that the tables of one that dies are divided too. While replicas
 * disagree, a table is served by both; then the tape decides, as ever.
 * @param replica the name of this gamemaster
 * @param steady a monotonic clock in milliseconds
 */
export function shares(replica: string, steady: () => number): Shares {
  const heardAt = new Map<string, number>();
  const listeners = new Set<() => void>();
  const startedAt = steady();
  let names: readonly string[] = [];
  /** When the names changed, until all know it. */
  let changedAt: number | undefined;

  const distance = (part: number): number => {
    const mine = names.indexOf(replica);
    return mine < 0 ? PARTS : (((part - mine) % names.length) + names.length) % names.length;
  };

  return {
    hear: (name) => void heardAt.set(name, steady()),
    look() {
      const now = steady();
      if (now - startedAt < LISTEN_MS) return;
      for (const [name, at] of heardAt) if (now - at > SILENT_MS) heardAt.delete(name);
      const alive = [...new Set([replica, ...heardAt.keys()])].toSorted();
      const isNew = alive.join() !== names.join();
      // Once more when all others must have noticed it too: meanwhile tables of theirs may have come here.
      const isSettled = changedAt !== undefined && now - changedAt > SILENT_MS;
      if (!isNew && !isSettled) return;
      names = alive;
      changedAt = isNew ? now : undefined;
      for (const listener of listeners) listener();
    },
    isOurs: (table) => names.length === 0 || distance(partOf(table)) === 0,
    priorityOf: (part) => Math.max(0, PARTS - distance(part)),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
