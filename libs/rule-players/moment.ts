import type { Instant, Question, Seat } from '@maw/games/kernel/question.ts';

/** A question as a seat sees it. */
export interface Asking extends Pick<Question, 'id' | 'verb' | 'pick' | 'final' | 'maxChars'> {
  readonly options: readonly { readonly is: string }[];
}

/** An answer to a question. */
export interface Answer {
  readonly question: string;
  /** say: `[text]`. tell: `[option, text]`. choose: options. */
  readonly says: readonly string[];
}

/** One piece of news for a seat: an event of its view, or a line that it read in a room before the event arrived. */
export interface News {
  /** The number in the seat's view; absent for a line read in a room. */
  readonly n?: number;
  readonly room?: string;
  readonly line?: number;
  /** Who spoke or chose. */
  readonly by?: Seat;
  /** The raw speech. */
  readonly speech?: string;
  /** The options that were chosen. */
  readonly says?: readonly string[];
  readonly event?: { readonly type: string; readonly [field: string]: unknown };
}

/** The situation in which a player thinks. */
export interface Moment {
  /** The table's id: public, and different for every game. */
  readonly table: string;
  readonly seat: Seat;
  readonly now: Instant;
  /** The deadline of its answer. */
  readonly until: Instant;
  readonly phase: string;
  /** Counts the thoughts of a decision from 0. */
  readonly iteration: number;
  readonly questions: readonly Asking[];
  /** Its standing answers, by question: for example its vote. */
  readonly standing: { readonly [question: string]: readonly string[] };
  /** News since the last thought. */
  readonly news: readonly News[];
  readonly rules: { readonly name: string };
  readonly players: readonly { readonly seat: Seat; readonly name: string; readonly alive: boolean }[];
  /** For the dice of this player; independent of the game's. */
  readonly seed: string;
  readonly isTimeShort: boolean;
}
