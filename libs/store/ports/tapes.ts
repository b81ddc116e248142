/** One event of one table, as it was written down. */
export interface RecordedEvent {
  readonly table: string;
  /** 1, 2, 3 ... within the table. */
  readonly sequence: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The id of the message that made it happen. */
  readonly cause: string;
  readonly event: { readonly type: string; readonly [field: string]: unknown };
}

/** Somebody else has written since you read. Read again. */
export class Conflict extends Error {
  override readonly name = 'Conflict';
}

/** What is written along with some events, in the same moment or not at all. */
export interface AppendMetadata {
  readonly at: number;
  readonly cause: string;
  /** When the table wants to be woken next; undefined never. */
  readonly wake: number | undefined;
  /** What lists of tables show of it; JSON. */
  readonly summary: { readonly stage: string; readonly [field: string]: unknown };
  /** With the last events of a table: how it came out; JSON. Kept once. */
  readonly result?: { readonly [field: string]: unknown };
}

/** The tapes of all tables. There is no outbox: the tape is the outbox. There is no timer table: the alarm is written with the events. */
export interface Tapes {
  /** The events of a table after a sequence, in order. */
  read(table: string, after?: number): Promise<readonly RecordedEvent[]>;
  /**
   * Writes all of `events` or none. Many small appends that arrive together are committed together.
   * @param after the sequence of the last event you have read; 0 opens the table
   * @throws Conflict when the table has gone on since, or exists already
   */
  append(table: string, after: number, events: readonly RecordedEvent['event'][], writing: AppendMetadata): Promise<void>;
  /** Tables whose alarm is due, most overdue first; the same again and again until they are woken. */
  due(now: number, limit: number): Promise<readonly { readonly table: string; readonly alarm: number }[]>;
  /** How many tables have an alarm that is due: all of them, whatever limit a list of them has. */
  countDue(now: number): Promise<number>;
  /**
   * Summaries, the table opened last first; of those opened in the same moment, the highest id first.
   * @param about.before only tables opened before a time, or those that come after one of them in this order
   */
  list(about: {
    readonly limit: number;
    readonly before?: number | TablePosition;
    readonly isOver?: boolean;
  }): Promise<readonly TableListing[]>;
  result(table: string): Promise<AppendMetadata['result'] | undefined>;
  /** How many tables are not over, by the stage of their summary. */
  countByStage(): Promise<Readonly<Record<string, number>>>;
}

/** Where a table stands among all, by when it was opened and by its id: any number of tables may be opened within one millisecond. */
export interface TablePosition {
  readonly opened: number;
  readonly table: string;
}

export interface TableListing {
  readonly table: string;
  /** Milliseconds since the epoch. */
  readonly opened: number;
  readonly summary: AppendMetadata['summary'];
}

/** A table is over when its summary says so. */
export const isOver = (summary: AppendMetadata['summary']): boolean => summary.stage === 'over';

/** What the writer is told who comes too late. */
export const conflictAt = (table: string, after: number): Conflict =>
  new Conflict(after === 0 ? `Table ${table} exists already` : `Table ${table} has gone on since event ${after}, or was never opened`);
