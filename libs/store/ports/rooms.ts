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
  addLine(table: string, room: string, line: Line): Promise<boolean>;
  /** The lines after one, as far as they are there without a gap (purged lines before count as there), at most `limit`. `last` is the last that can be read. */
  lines(table: string, room: string, after: number, limit: number): Promise<{ readonly lines: readonly Line[]; readonly last: number }>;
  /** Remembers that a seat has read up to a line; never goes back. */
  markRead(table: string, room: string, seat: number, line: number): Promise<void>;
  readMarks(table: string, room: string): Promise<readonly { readonly seat: number; readonly line: number }[]>;
  /** Moves the lines up to `line` from the live log to the archive. Returns how many. */
  purge(table: string, room: string, line: number): Promise<number>;
  /** Moves the whole log of a closed room to the archive once all its lines are there. Returns whether it is archived now. */
  archive(table: string, room: string): Promise<boolean>;
  /** The archived lines of a room, in order. */
  archived(table: string, room: string): Promise<readonly Line[]>;
}
