/** One event on the tape of a table. */
export interface RecordedEvent {
  readonly table: string;
  /** 1, 2, 3 ... within the table. */
  readonly sequence: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The id of the message that caused it. */
  readonly cause: string;
  readonly event: { readonly type: string; readonly [field: string]: unknown };
}

/** Another writer has appended since the tape was read. Read again. */
export class Conflict extends Error {
  override readonly name = 'Conflict';
}

/** What is written in the same transaction as some events. */
export interface AppendMetadata {
  readonly at: number;
  readonly cause: string;
  /** When the table's next alarm is due; undefined: never. */
  readonly wake: number | undefined;
  /** What lists of tables show; JSON. */
  readonly summary: { readonly stage: string; readonly [field: string]: unknown };
  /** With the last events of a table: its result; JSON. The first one stays. */
  readonly result?: { readonly [field: string]: unknown };
  /** With the result: what the table counts in the leaderboard, one score for each kind of player and side. */
  readonly scores?: readonly Score[];
}

/** The games that one kind of player has finished for one side, and how many of them it won. */
export interface Score {
  readonly rules: string;
  /** In the word of the rules; empty when they name no sides. */
  readonly side: string;
  readonly kind: 'mind' | 'person' | 'agent';
  /** Of minds; absent: the default. Of programs the name of the key. */
  readonly recipe?: string;
  readonly model?: string;
  readonly games: number;
  readonly wins: number;
}

/** The tapes of all tables. The tape is the outbox, and the alarm of a table is written with its events. */
export interface Tapes {
  /** The events of a table after a sequence, in order. */
  read(table: string, after?: number): Promise<readonly RecordedEvent[]>;
  /**
   * Writes all of `events` or none. Concurrent appends are committed in groups.
   * @param after the sequence of the last event the caller has read; 0 opens the table
   * @throws Conflict when the tape has grown since, or the table exists already
   */
  append(table: string, after: number, events: readonly RecordedEvent['event'][], writing: AppendMetadata): Promise<void>;
  /** Those among these ids of messages that have caused events at their table. */
  causesAmong(asked: readonly { readonly table: string; readonly cause: string }[]): Promise<ReadonlySet<string>>;
  /** Tables whose alarm is due, most overdue first. They stay due until an append moves the alarm. */
  due(now: number, limit: number): Promise<readonly { readonly table: string; readonly alarm: number }[]>;
  /** Counts all tables whose alarm is due. */
  countDue(now: number): Promise<number>;
  /**
   * Lists tables, newest first; of those opened in the same millisecond, the highest id first.
   * @param about.before only tables opened before a time, or those after a position in this order
   * @param about.search a part of the id, or of the name of a player in the summary; case does not matter
   */
  list(about: ListQuery): Promise<readonly TableListing[]>;
  result(table: string): Promise<AppendMetadata['result'] | undefined>;
  /** The sums of the scores of all tables, of some rules if they are given, in byte order of rules, side, kind, recipe and model. */
  scores(rules?: string): Promise<readonly Score[]>;
  /** Counts the tables that are not over by the stage of their summary. */
  countByStage(): Promise<Readonly<Record<string, number>>>;
}

/** Which tables a list has: those that fit everything that is given. */
export interface ListQuery {
  readonly limit: number;
  readonly before?: number | TablePosition;
  readonly isOver?: boolean;
  readonly rules?: string;
  readonly stage?: string;
  readonly search?: string;
  /** With a seat of the program whose key has this name. */
  readonly agent?: string;
}

/** A table's position in the list of all: many tables may be opened within one millisecond. */
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

/** Whether a summary says that its table is over. */
export const isOver = (summary: AppendMetadata['summary']): boolean => summary.stage === 'over';

/** The error of an append that came too late. */
export const conflictAt = (table: string, after: number): Conflict =>
  new Conflict(after === 0 ? `Table ${table} exists already` : `The tape of table ${table} does not end with event ${after}`);
