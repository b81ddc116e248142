import type { Line, Room } from './rooms.ts';
import type { RecordedEvent, AppendMetadata } from './tapes.ts';

/** An event as it is kept. */
export interface StoredEvent extends RecordedEvent {
  /** Its link to the event before it (chain.ts), in hexadecimal; undefined when it was written before there was a chain. */
  readonly hash: string | undefined;
}

/** A room as it is kept, whatever of it there is. */
export interface StoredRoom {
  readonly room: string;
  /** Undefined while only its closing is known, or only lines. */
  readonly opening: Omit<Room, 'table' | 'room' | 'closed' | 'lines' | 'isArchived'> | undefined;
  readonly closing: { readonly closed: number; readonly lines: number } | undefined;
  readonly isArchived: boolean;
  /** Lines 1 to this one have gone to the archive. */
  readonly purged: number;
  /** The lines that have not, and those that have; each by their numbers. */
  readonly live: readonly Line[];
  readonly archive: readonly Line[];
}

/** All that is kept of the course of one table, as it stood at one moment. */
export interface StoredTable {
  readonly table: string;
  /** Its row among the tables; undefined when there is none, though something else of it is there. */
  readonly row:
    | {
        readonly opened: number;
        /** The sequence of its last event, and the hash of it; no hash: it was written before there was a chain. */
        readonly last: number;
        readonly head: string | undefined;
        readonly wake: number | undefined;
        readonly summary: AppendMetadata['summary'];
        readonly isOver: boolean;
        /** Since when its tape is gone and its result alone is kept, in milliseconds since the epoch. */
        readonly retired: number | undefined;
      }
    | undefined;
  readonly tape: readonly StoredEvent[];
  readonly result: AppendMetadata['result'] | undefined;
  /** In the order of their names' bytes. */
  readonly rooms: readonly StoredRoom[];
}

/** Which tables may go. */
export interface RetentionFilter {
  /** Those that ended before this, in milliseconds since the epoch. */
  readonly before: number;
  /** Whether summaries and results stay; then tables of which no more is left are passed over. */
  readonly keepResults: boolean;
}

/** A table that is over, and since when: since its result was kept. */
export interface EndedTable {
  readonly ended: number;
  readonly table: string;
}

/** What was removed. */
export interface RemovalCounts {
  readonly tables: number;
  readonly events: number;
  readonly lines: number;
  readonly thoughts: number;
  readonly takes: number;
}

/** What those do who look after a store: look through everything, and take away what is old. */
export interface Maintenance {
  /** How many tables there are. */
  countTables(): Promise<number>;
  /** The ids of all tables of which anything is kept, in the order of their bytes, those after one, at most `limit`. */
  listTables(after: string, limit: number): Promise<readonly string[]>;
  /** All that is kept of a table, as it stood at one moment; undefined when there is nothing. */
  readTable(table: string): Promise<StoredTable | undefined>;
  /** How many tables may go, and how many events they have. */
  countExpired(about: RetentionFilter): Promise<{ readonly tables: number; readonly events: number }>;
  /** Tables that may go, the one that ended first before the others, those after one of them, at most `limit`. */
  listExpired(about: RetentionFilter & { readonly after?: EndedTable; readonly limit: number }): Promise<readonly EndedTable[]>;
  /**
   * Removes all there is of some tables: tape, rooms, lines, thoughts, memories, takes, and with `keepResults: false` summaries and results.
   * All of it or nothing; a table that is not over stays whole. What somebody else has removed meanwhile is not counted.
   * @param at when, in milliseconds since the epoch
   */
  removeTables(tables: readonly string[], about: { readonly keepResults: boolean; readonly at: number }): Promise<RemovalCounts>;
}
