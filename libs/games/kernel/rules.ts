import type { Draws } from './dice.ts';
import type { Answer, Eye, Instant, Open, Question, Seat } from './question.ts';
import type { Reason } from './refusal.ts';

/** What happens at every table, whatever the game. */
export type TableEvent =
  | { readonly type: 'asked'; readonly question: Question }
  | { readonly type: 'answered'; readonly question: string; readonly answer: Answer; readonly at: Instant }
  /** A turn ran out. */
  | { readonly type: 'passed'; readonly question: string; readonly seat: Seat; readonly at: Instant }
  /** Nothing more is accepted; `answers` holds what becomes public only now, `defaulted` what counts for those who gave none. */
  | { readonly type: 'settled'; readonly question: string; readonly answers: readonly Answer[]; readonly defaulted?: readonly Answer[] }
  /** No longer asked, and nothing follows from it. */
  | { readonly type: 'withdrawn'; readonly question: string }
  /** An act that the rules did not allow. Changes nothing; only its seat sees it. */
  | { readonly type: 'refused'; readonly question: string; readonly seat: Seat; readonly reason: Reason; readonly detail: string }
  /**
   * Nobody could act for `ms`, until `at`: whatever is open ends that much later, what is secret too, so that everybody may know it.
   * It is of the whole table, and names no question.
   */
  | { readonly type: 'delayed'; readonly ms: number; readonly at: Instant };

/** What happens to one question. */
export type QuestionEvent = Exclude<TableEvent, { readonly type: 'delayed' }>;

export const ask = (question: Question): TableEvent => ({ type: 'asked', question });
export const withdraw = (question: string): TableEvent => ({ type: 'withdrawn', question });

/** What a moment of deciding may look at besides the game's own state. */
export interface Moment {
  readonly now: Instant;
  readonly dice: Draws;
  /** The questions that are open besides the one just settled. */
  readonly open: readonly Open[];
}

/** How a game, or one round of it, came out. */
export interface Outcome {
  /** The winning side, or `draw`. */
  readonly winner: string;
  readonly winners: readonly Seat[];
  /** Each seat's role at the end. */
  readonly roles: readonly string[];
  /** Each seat's role as it was dealt, in games in which roles change hands. */
  readonly dealt?: readonly string[];
  /** Points by seat; zeroes where the game has none. */
  readonly points: readonly number[];
}

/**
 * A game. Everything that is the same at every table (who may answer, what is legal, turns, timers, secrecy of answers)
 * lives in `play`; a game only says how it is dealt, what each settled question leads to, and who sees what.
 */
export interface Rules<S, E extends { readonly type: string }> {
  readonly name: string;
  begin(): S;
  deal(players: number, moment: Moment): readonly (E | TableEvent)[];
  /**
   * The options of an open question that `seat` may choose, where they are not the same for all who are asked. Tells no more than the seat
   * may know. Absent: all of them.
   */
  narrow?(state: S, q: Open, seat: Seat): readonly string[];
  /**
   * An answer as it is written down: what was meant, where the game reads more than its own words; the same when it is fine.
   * @throws Refusal when the game does not allow it
   */
  admit?(state: S, q: Open, answer: Answer): Answer;
  /** What counts as the answers of those who gave none, once a question settles. Absent: silence. */
  defaults?(state: S, settled: Open, moment: Moment): readonly Answer[];
  /** What follows once the question `phase/step` is settled. Every step the game asks has an entry; `settled` has the defaults among its answers. */
  readonly follow: { readonly [step: string]: (state: S, settled: Open, moment: Moment) => readonly (E | TableEvent)[] };
  /** Folds a game event. Pure and total: never throws, never rolls, never looks at a clock. */
  evolve(state: S, event: E): S;
  /** The state once everything that was still to come is put off by `ms`, for games that keep deadlines besides those of their questions. */
  delay?(state: S, ms: number): S;
  /** A game event as `eye` sees it, given the state before it: whole, with parts struck out, or not at all. */
  see(event: E, eye: Eye, state: S): E | undefined;
  /** Seats that can no longer act, whatever they are asked. */
  out(state: S): readonly Seat[];
  /** The outcome once the game is over; undefined before. */
  outcome(state: S): Outcome | undefined;
  /** One sentence about an event for people and prompts, or undefined when there is nothing to say. */
  tell(event: E | QuestionEvent, about: Telling): string | undefined;
  /** The rooms in which an event is announced, those of them that are open. */
  announce(event: E): readonly string[];
  /** What a seat knows of itself, folded from nothing but its own view: role, partners, points at stake. */
  brief(seen: S, seat: Seat, names: readonly string[]): string;
}

/** What a sentence may mention. */
export interface Telling {
  readonly names: readonly string[];
  /** The question an `answered`, `passed` or `settled` event is about. */
  readonly question?: Question;
}
