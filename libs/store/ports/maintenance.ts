import type { Line, Room } from './rooms.ts';
import type { RecordedEvent, AppendMetadata } from './tapes.ts';

/** An event with its hash. */
export interface StoredEvent extends RecordedEvent {
  /** Its link to the event before it (integrity/hash-chain.ts), in hexadecimal; undefined: written before hash chains existed. */
  readonly hash: string | undefined;
}

/** All that is stored of a room. */
export interface StoredRoom {
  readonly room: string;
  /** Undefined: not opened yet. */
  readonly opening: Omit<Room, 'table' | 'room' | 'closed' | 'lines' | 'isArchived'> | undefined;
  readonly closing: { readonly closed: number; readonly lines: number } | undefined;
  readonly isArchived: boolean;
  /** Lines 1 to this one are in the archive. */
  readonly purged: number;
  /** In the order of their numbers. */
  readonly live: readonly Line[];
  readonly archive: readonly Line[];
}

/** A consistent snapshot of all that is stored of one table. */
export interface StoredTable {
  readonly table: string;
  /** Undefined: the row is missing. */
  readonly row:
    | {
        readonly opened: number;
        /** The sequence and the hash of its last event; no hash: written before hash chains existed. */
        readonly last: number;
        readonly head: string | undefined;
        readonly wake: number | undefined;
        readonly summary: AppendMetadata['summary'];
        readonly isOver: boolean;
        /** When its tape was removed and only its result kept, in milliseconds since the epoch. */
        readonly retired: number | undefined;
      }
    | undefined;
  readonly tape: readonly StoredEvent[];
  readonly result: AppendMetadata['result'] | undefined;
  /** In byte order of their names. */
  readonly rooms: readonly StoredRoom[];
}

/** Which tables a retention run removes. */
export interface RetentionFilter {
  /** Tables that ended before this, in milliseconds since the epoch. */
  readonly before: number;
  /** Whether summaries, results and scores stay; tables already reduced to them are skipped then. */
  readonly keepResults: boolean;
  /** Only thoughts and memories go; tables that have none are skipped then. */
  readonly onlyThoughts?: boolean;
}

/** A table that is over, and when its result was written. */
export interface EndedTable {
  readonly ended: number;
  readonly table: string;
}

/** How much was removed. */
export interface RemovalCounts {
  readonly tables: number;
  readonly events: number;
  readonly lines: number;
  readonly thoughts: number;
  readonly takes: number;
}

/** Verification and retention. */
export interface Maintenance {
  countTables(): Promise<number>;
  /**
   * When the last event of a table was written, in milliseconds since the epoch; undefined without events. A store may leave out tables that are
   * over, but for the thousand that were opened last.
   */
  lastEventAt(): Promise<number | undefined>;
  /** Ids of all tables of which anything is stored, in byte order, those after one, at most `limit`. */
  listTables(after: string, limit: number): Promise<readonly string[]>;
  /** Undefined when nothing is stored. */
  readTable(table: string): Promise<StoredTable | undefined>;
  /** Counts the tables that may be removed, and their events. */
  countExpired(about: RetentionFilter): Promise<{ readonly tables: number; readonly events: number }>;
  /** Tables that may be removed, in the order they ended, those after one of them, at most `limit`. */
  listExpired(about: RetentionFilter & { readonly after?: EndedTable; readonly limit: number }): Promise<readonly EndedTable[]>;
  /**
   * Removes tapes, rooms, lines, thoughts, memories, recorded exchanges and the use by seat of tables, and with `keepResults: false` summaries, results, scores,
   * sets of outside agents and their faults.
   * With `onlyThoughts` thoughts and memories go, and all else stays.
   * All or nothing. A table that is not over stays. What another process has removed meanwhile is not counted.
   * @param about.at the time of removal, in milliseconds since the epoch
   */
  removeTables(tables: readonly string[], about: Omit<RetentionFilter, 'before'> & { readonly at: number }): Promise<RemovalCounts>;
}
