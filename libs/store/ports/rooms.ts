/** One line of a room. */
export interface Line {
  readonly line: number;
  readonly by?: number;
  /** The receiver of a private line. */
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
  /** The members that minds play; undefined for a room that was opened before this was noted. */
  readonly minds?: readonly number[] | undefined;
  readonly maxChars: number;
  readonly until: number;
  /** The tape's sequence at which it opened. */
  readonly opened: number;
  /** The tape's sequence at which it closed; undefined while it is open. */
  readonly closed: number | undefined;
  /** How many lines it has in all; undefined while it is open. */
  readonly lines: number | undefined;
  readonly isArchived: boolean;
}

/** The rooms of all tables, their numbered lines and read marks. Every call may be repeated and arrive in any order. */
export interface Rooms {
  /** Opens a room; a later opening (by its sequence) replaces an earlier one. A closed room stays closed. Returns whether it is open now. */
  open(room: Omit<Room, 'closed' | 'lines' | 'isArchived'>): Promise<boolean>;
  /** Closes a room, also one that has not been opened yet. */
  close(table: string, room: string, about: { readonly closed: number; readonly lines: number }): Promise<void>;
  room(table: string, room: string): Promise<Room | undefined>;
  /**
   * Adds a line unless its number is there already. Returns whether it was new, and whether the room is open: whoever closes that room later
   * finds the line there. A room that nobody has opened is not open.
   */
  addLine(table: string, room: string, line: Line): Promise<{ readonly isNew: boolean; readonly isOpen: boolean }>;
  /** The lines after one up to the first gap, at most `limit`; purged lines are no gap. `last` is the last line before the gap. */
  lines(table: string, room: string, after: number, limit: number): Promise<{ readonly lines: readonly Line[]; readonly last: number }>;
  /** Notes that a seat has read up to a line. Never moves back. */
  markRead(table: string, room: string, seat: number, line: number): Promise<void>;
  readMarks(table: string, room: string): Promise<readonly { readonly seat: number; readonly line: number }[]>;
  /** Moves the lines up to `line` to the archive, none past a gap. Returns how many. */
  purge(table: string, room: string, line: number): Promise<number>;
  /** Moves all lines of a closed room to the archive, if none is missing. Returns whether it is archived now. */
  archive(table: string, room: string): Promise<boolean>;
  /** The archived lines of a room, in order. */
  archived(table: string, room: string): Promise<readonly Line[]>;
}
