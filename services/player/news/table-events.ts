import type { Data, Message } from '@maw/contracts/contracts.ts';
import { LRUCache } from 'lru-cache';
import { heardRooms } from './heard-rooms.ts';

/** Hears what happens at one table. */
export interface TableListener {
  /** Questions that are public were closed. */
  questionsClosed(questions: readonly string[]): void;
  /** A new phase began; private questions may have closed with the old one. */
  phaseChanged(): void;
  /** The round ended at a sequence of the tape of the table: none of its questions is open any more. */
  roundEnded(sequence: number): void;
  /** The table was paused at a sequence of its tape: its questions stay open, and are asked again when it goes on. */
  paused(sequence: number): void;
  /** A room has a new line. */
  roomChanged(room: string): void;
}

/** How many tables' phases are remembered, the most recently used ones. */
const MAX_PHASES = 10_000;

export type TableEvents = ReturnType<typeof tableEvents>;

/**
 * Passes the events of tables on to those who listen, and remembers what they tell of rooms. Events may be lost or repeated; nothing depends on
 * a single one.
 */
export function tableEvents(now: () => number) {
  const listeners = new Map<string, Set<TableListener>>();
  const phases = new LRUCache<string, string>({ max: MAX_PHASES });
  const rooms = heardRooms(now);
  const listenersAt = (table: string): ReadonlySet<TableListener> => listeners.get(table) ?? new Set();
  const roomChanged = (table: string, doorbell: Data<'room.line'>): void => {
    rooms.hear(table, doorbell);
    for (const listener of listenersAt(table)) listener.roomChanged(doorbell.room);
  };
  return {
    /** Returns how to unsubscribe. */
    listen(table: string, listener: TableListener): () => void {
      const others = listeners.get(table) ?? new Set();
      listeners.set(table, others.add(listener));
      return () => {
        others.delete(listener);
        if (!others.size && listeners.get(table) === others) listeners.delete(table);
      };
    },

    tableMoved({ subject: table, sequence = 0, data }: Message<'table.moved'>): void {
      const { stage, phase, closed, isPaused, lines = [] } = data;
      for (const { room, ...said } of lines) roomChanged(table, { room, line: said.line, said });
      const current = `${stage} ${phase}`;
      const isNewPhase = phases.get(table) !== current;
      phases.set(table, current);
      for (const listener of listenersAt(table)) {
        if (closed.length) listener.questionsClosed(closed);
        if (stage !== 'round') listener.roundEnded(sequence);
        else if (isNewPhase) listener.phaseChanged();
        if (isPaused) listener.paused(sequence);
      }
    },

    roomChanged,
    beginAt: rooms.beginAt,
    linesAfter: rooms.linesAfter,

    /** How many tables have listeners; for tests. */
    size: () => listeners.size,
  };
}
