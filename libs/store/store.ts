import type { Audit, Permits } from './permits.ts';
import type { Pulse } from './pulse.ts';
import type { Upkeep } from './upkeep.ts';

/** One event of one table, as it was written down. */
export interface Recorded {
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
export interface Writing {
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
  read(table: string, after?: number): Promise<readonly Recorded[]>;
  /**
   * Writes all of `events` or none. Many small appends that arrive together are committed together.
   * @param after the sequence of the last event you have read; 0 opens the table
   * @throws Conflict when the table has gone on since, or exists already
   */
  append(table: string, after: number, events: readonly Recorded['event'][], writing: Writing): Promise<void>;
  /** Tables whose alarm is due, most overdue first; the same again and again until they are woken. */
  due(now: number, limit: number): Promise<readonly { readonly table: string; readonly alarm: number }[]>;
  /** How many tables have an alarm that is due: all of them, whatever limit a list of them has. */
  overdue(now: number): Promise<number>;
  /**
   * Summaries, the table opened last first; of those opened in the same moment, the highest id first.
   * @param about.before only tables opened before a time, or those that come after one of them in this order
   */
  list(about: { readonly limit: number; readonly before?: number | Place; readonly isOver?: boolean }): Promise<readonly Listed[]>;
  result(table: string): Promise<Writing['result'] | undefined>;
  /** How many tables are not over, by the stage of their summary. */
  census(): Promise<Readonly<Record<string, number>>>;
}

/** Where a table stands among all, by when it was opened and by its id: any number of tables may be opened within one millisecond. */
export interface Place {
  readonly opened: number;
  readonly table: string;
}

export interface Listed {
  readonly table: string;
  /** Milliseconds since the epoch. */
  readonly opened: number;
  readonly summary: Writing['summary'];
}

/** A line as a room keeps it. */
export interface Line {
  readonly line: number;
  readonly by?: number;
  /** A private line: whom it is for. */
  readonly to?: number;
  readonly text: string;
  readonly says?: readonly string[];
  readonly at: number;
}

export interface Room {
  readonly table: string;
  readonly room: string;
  readonly question: string;
  readonly name: string;
  readonly members: readonly number[];
  readonly speakers: readonly number[];
  readonly maxChars: number;
  readonly until: number;
  /** The tape's sequence at which it opened. */
  readonly opened: number;
  /** The tape's sequence at which it closed; undefined while it is open. */
  readonly closed: number | undefined;
  /** How many lines it has in all, known once it is closed. */
  readonly lines: number | undefined;
  readonly isArchived: boolean;
}

/** The rooms of all tables, their numbered lines, and who has read how far. Everything may arrive twice and in any order. */
export interface Rooms {
  /** Opens a room, or repeats it. A room that is closed already stays closed. */
  open(room: Omit<Room, 'closed' | 'lines' | 'isArchived'>): Promise<void>;
  /** Closes a room; one that is not known yet is remembered as closed. */
  close(table: string, room: string, about: { readonly closed: number; readonly lines: number }): Promise<void>;
  room(table: string, room: string): Promise<Room | undefined>;
  /** Keeps a line; the same number again changes nothing. Returns whether it was new. */
  keep(table: string, room: string, line: Line): Promise<boolean>;
  /** The lines after one, as far as they are there without a gap (purged lines before count as there), at most `limit`. `last` is the last that can be read. */
  lines(table: string, room: string, after: number, limit: number): Promise<{ readonly lines: readonly Line[]; readonly last: number }>;
  /** Remembers that a seat has read up to a line; never goes back. */
  mark(table: string, room: string, seat: number, line: number): Promise<void>;
  marks(table: string, room: string): Promise<readonly { readonly seat: number; readonly line: number }[]>;
  /** Moves the lines up to `line` from the live log to the archive. Returns how many. */
  purge(table: string, room: string, line: number): Promise<number>;
  /** Moves the whole log of a closed room to the archive once all its lines are there. Returns whether it is archived now. */
  archive(table: string, room: string): Promise<boolean>;
  /** The archived lines of a room, in order. */
  archived(table: string, room: string): Promise<readonly Line[]>;
}

/** One step of thought of a seat, as the inspector shows it. JSON throughout. */
export interface Thought {
  readonly table: string;
  readonly seat: number;
  /** The message that asked for the decision. */
  readonly decision: string;
  /** 1, 2, 3 ... within the decision. */
  readonly step: number;
  readonly kind: string;
  readonly name: string;
  readonly at: number;
  readonly content: { readonly [field: string]: unknown };
}

/** What seats think and what they keep in mind between decisions. */
export interface Thoughts {
  /** Keeps a thought; the same decision and step again replaces it (the decision was taken up by another replica). */
  think(thought: Thought): Promise<void>;
  thoughts(table: string, about?: { readonly seat?: number; readonly decision?: string }): Promise<readonly Thought[]>;
  /** What a seat keeps in mind; JSON. */
  recall(table: string, seat: number): Promise<unknown>;
  /** `n`: how far the seat had seen; an older memory never replaces a newer one. Returns whether it was kept. */
  remember(table: string, seat: number, n: number, memory: unknown): Promise<boolean>;
}

/** A request to the models and what came of it, kept so that it can be answered again without them. */
export interface Take {
  /** The name of the recording it belongs to. */
  readonly recording: string;
  /** Of what a request asks, whoever asks it and when. */
  readonly hash: string;
  /** The message that asked. */
  readonly id: string;
  readonly table: string;
  /** Who asked, within the table: a seat, or another caller. */
  readonly asker: string;
  /** When it was asked, in milliseconds since the epoch. */
  readonly at: number;
  /** JSON, and so is the outcome; both may hold any text. */
  readonly request: unknown;
  readonly outcome: unknown;
}

/** What models have answered. Several recordings lie beside each other, each with any number of tables. */
export interface Recordings {
  /** Keeps a take. The same request of the same message again keeps its place and takes the new outcome. */
  keep(take: Take): Promise<void>;
  /**
   * The take of the `nth` time (1, 2, 3 ...) that one table has asked this: `table` itself where it is in the recording and has asked so
   * often, otherwise of those that have the one that asked first. A table that is played again under another id follows one that was played.
   */
  find(recording: string, hash: string, nth: number, table: string): Promise<Take | undefined>;
  /** Takes in the order they were asked, at most `limit`. */
  takes(recording: string, about: { readonly asker?: string; readonly limit: number }): Promise<readonly Take[]>;
}

/** How many tokens somebody has used of a budget in one period. All numbers are tokens, but for the period. */
export interface Tally {
  /** What kind of account it is: a game, a tenant. */
  readonly kind: string;
  readonly who: string;
  /** Days since the epoch; 0 for what is counted once and for all. */
  readonly period: number;
  readonly used: number;
  /** What was owed when the period began. */
  readonly carried: number;
  /** The budget of the period. */
  readonly most: number;
}

/**
 * What was used of budgets. Each writer keeps totals of its own, which only grow, so writing twice counts once; an account is the sum over
 * its writers.
 */
export interface Ledger {
  /** Keeps what `writer` has counted until `at` (milliseconds since the epoch): all of it or nothing. A smaller total never replaces a larger one. */
  note(writer: string, at: number, tallies: readonly Tally[]): Promise<void>;
  /**
   * The accounts of a kind that somebody has written to since a time, each period summed over all writers; those written to last come first.
   * `others` is what writers but `except` have used.
   */
  tallies(
    kind: string,
    about: { readonly since: number; readonly limit: number; readonly except: string },
  ): Promise<readonly (Tally & { readonly others: number })[]>;
  /** Forgets periods of accounts that nobody has written to since `before`, the oldest first, at most `limit`. Returns how many. */
  sweep(before: number, limit: number): Promise<number>;
}

export interface Store {
  readonly tapes: Tapes;
  readonly rooms: Rooms;
  readonly thoughts: Thoughts;
  readonly recordings: Recordings;
  readonly upkeep: Upkeep;
  readonly permits: Permits;
  readonly audit: Audit;
  readonly pulse: Pulse;
  readonly ledger: Ledger;
  /** Resolves when the database answers. @throws when it does not */
  ping(): Promise<void>;
  close(): Promise<void>;
}
