import type { Data } from '@maw/contracts/contracts.ts';

/** Somebody who wants to know when something happens at a table. */
export interface TableListener {
  /** Questions that everybody may know of are closed. */
  closed(questions: readonly string[]): void;
  /** The phase is another one: whatever one may not be told of may be closed too. */
  phaseChanged(): void;
  /** A room has a new line. */
  roomChanged(room: string): void;
}

/** How many tables' phases are remembered; the oldest are forgotten first. */
const MOST = 10_000;

/** The doorbells of all tables: who is in, hears them. They may be lost and ring twice; nothing depends on one. */
export function tableEvents() {
  const listeners = new Map<string, Set<TableListener>>();
  const phases = new Map<string, string>();
  const at = (table: string): ReadonlySet<TableListener> => listeners.get(table) ?? new Set();
  return {
    /** Listens until the returned function is called. */
    listen(table: string, listener: TableListener): () => void {
      const those = listeners.get(table) ?? new Set();
      listeners.set(table, those.add(listener));
      return () => {
        those.delete(listener);
        if (!those.size && listeners.get(table) === those) listeners.delete(table);
      };
    },

    moved(table: string, { stage, phase, closed }: Data<'table.moved'>): void {
      const now = `${stage} ${phase}`;
      const isTurned = phases.get(table) !== now;
      phases.delete(table);
      phases.set(table, now);
      if (phases.size > MOST) phases.delete(phases.keys().next().value!);
      for (const listener of at(table)) {
        if (closed.length) listener.closed(closed);
        if (isTurned) listener.phaseChanged();
      }
    },

    /** How many tables are listened to; for tests. */
    inside: () => listeners.size,

    line(table: string, room: string): void {
      for (const listener of at(table)) listener.roomChanged(room);
    },
  };
}

export type TableEvents = ReturnType<typeof tableEvents>;
