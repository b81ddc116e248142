import type { Draws } from './dice.ts';
import type { Answer, Instant, Open, Question, Seat, Viewer } from './question.ts';
import type { Reason } from './refusal.ts';

/** Events of every table, whatever the game. */
export type TableEvent =
  | { readonly type: 'asked'; readonly question: Question }
  | { readonly type: 'answered'; readonly question: string; readonly answer: Answer; readonly at: Instant }
  /** A turn timed out, or a seat does without its answer, and nobody waits for it. */
  | { readonly type: 'passed'; readonly question: string; readonly seat: Seat; readonly at: Instant }
  /** The question is closed. `answers` holds those that become public only now, `defaulted` the defaults of silent seats. */
  | { readonly type: 'settled'; readonly question: string; readonly answers: readonly Answer[]; readonly defaulted?: readonly Answer[] }
  /** A majority stands that settles the question at `until`, unless it is lost before. Without the option where votes are not heard at once. */
  | {
      readonly type: 'majority-reached';
      readonly question: string;
      readonly option?: string;
      readonly at: Instant;
      readonly until: Instant;
    }
  | { readonly type: 'majority-lost'; readonly question: string }
  /** A seat waits for nothing more in a public vote. Nobody else learns it, so that nobody learns who says it and who need not. */
  | { readonly type: 'ready'; readonly question: string; readonly seat: Seat; readonly at: Instant }
  /** All are ready: the vote ends at `until`, and may change until then. */
  | { readonly type: 'hastened'; readonly question: string; readonly at: Instant; readonly until: Instant }
  /** The question is withdrawn without consequences. */
  | { readonly type: 'withdrawn'; readonly question: string }
  /** A refused act. Changes nothing; visible to its seat only. */
  | { readonly type: 'refused'; readonly question: string; readonly seat: Seat; readonly reason: Reason; readonly detail: string }
  /**
   * An outage of `ms` until `at`: all open questions, secret ones too, are extended by that time.
   */
  | { readonly type: 'delayed'; readonly ms: number; readonly at: Instant }
  /** Nothing is due and no act is taken until the table is resumed, at the latest at `until`. */
  | { readonly type: 'paused'; readonly at: Instant; readonly until: Instant }
  /** The table goes on after a pause of `ms`: all open questions are extended by that time. */
  | { readonly type: 'resumed'; readonly ms: number; readonly at: Instant };

/** Events that concern the whole table and name no question. */
export type TimeEvent = Extract<TableEvent, { readonly type: 'delayed' | 'paused' | 'resumed' }>;
export type QuestionEvent = Exclude<TableEvent, TimeEvent>;

const TIME_EVENTS = ['delayed', 'paused', 'resumed'] satisfies TimeEvent['type'][];
export const isTimeEvent = (event: { readonly type: string }): event is TimeEvent =>
  (TIME_EVENTS as readonly string[]).includes(event.type);

export const ask = (question: Question): TableEvent => ({ type: 'asked', question });
export const withdraw = (question: string): TableEvent => ({ type: 'withdrawn', question });

/** What a decision may use besides the game's own state. */
export interface Moment {
  readonly now: Instant;
  readonly dice: Draws;
  /** The questions open besides the one just settled. */
  readonly open: readonly Open[];
  /** The names of the players, by seat, where the game is played with names. */
  readonly names?: readonly (string | undefined)[];
}

/** The outcome of a game or of one round. */
export interface Outcome {
  /** The winning side, or `draw`. */
  readonly winner: string;
  readonly winners: readonly Seat[];
  /** Final role by seat. */
  readonly roles: readonly string[];
  /** Dealt role by seat, in games in which roles change hands. */
  readonly dealt?: readonly string[];
  /** Points by seat; zeroes in games without points. */
  readonly points: readonly number[];
}

/** An outcome that gives each winner a point. */
export function outcomeFor(winner: string, roles: readonly string[], hasWon: (seat: Seat) => boolean): Outcome {
  const points = roles.map((_, seat) => (hasWon(seat) ? 1 : 0));
  return { winner, winners: points.flatMap((point, seat) => (point ? [seat] : [])), roles, points };
}

/** The dealt roles as `eye` sees them: its own, and within a pack the others of it. */
export const rolesSeen = <R extends string>(roles: readonly R[], eye: Viewer, pack?: R): (R | 'hidden')[] => {
  const isPack = pack !== undefined && typeof eye === 'number' && roles[eye] === pack;
  return roles.map((role, seat) => (seat === eye || (isPack && role === pack) ? role : 'hidden'));
};

/**
 * A game. `play` handles what all games share: who may answer, what is legal, turns, timers, secrecy of answers. A game says how it is
 * dealt, what each settled question leads to, and who sees what.
 */
export interface Rules<S, E extends { readonly type: string }> {
  readonly name: string;
  begin(): S;
  deal(players: number, moment: Moment): readonly (E | TableEvent)[];
  /**
   * The options of an open question for `seat`, where they differ between seats. Must not reveal more than the seat may know. Absent: all
   * options.
   */
  narrow?(state: S, q: Open, seat: Seat): readonly string[];
  /**
   * Normalises an answer before it is stored.
   * @param names as in `Moment`
   * @throws Refusal when the game does not allow it
   */
  admit?(state: S, q: Open, answer: Answer, names?: Moment['names']): Answer;
  /** Default answers for silent seats, once a question settles. Absent: silence. */
  defaults?(state: S, settled: Open, moment: Moment): readonly Answer[];
  /** What follows once the question `phase/step` has settled, by step. Every step has an entry. `settled` includes default answers. */
  readonly follow: { readonly [step: string]: (state: S, settled: Open, moment: Moment) => readonly (E | TableEvent)[] };
  /** Folds a game event into the state. Pure and total: never throws, rolls or reads a clock. */
  evolve(state: S, event: E): S;
  /** The state with its pending deadlines postponed by `ms`, for games with deadlines besides those of questions. */
  delay?(state: S, ms: number): S;
  /** A game event as `eye` sees it, given the state before it: whole, redacted, or undefined. The narrator sees all. */
  see(event: E, eye: Viewer, state: S): E | undefined;
  /** Seats that can no longer act. */
  out(state: S): readonly Seat[];
  /**
   * A phase without a public question, such as a night: its name, and how long it lasts at most after the last public event, in milliseconds.
   * Everybody is told, so it depends on nothing but what the audience knows. Absent: nobody learns when such a phase ends.
   */
  secretPhase?(seenByAll: S): SecretPhase;
  /** Seats that are ready once they have answered, without saying so. Absent: none. */
  readyOnceAnswered?(state: S): readonly Seat[];
  /** The outcome once the game is over; undefined before. */
  outcome(state: S): Outcome | undefined;
  /** One sentence about an event, for people and prompts, or undefined when there is nothing to say. */
  tell(event: E | QuestionEvent, about: Telling): string | undefined;
  /** The rooms in which an event is announced, if they are open. */
  announce(event: E): readonly string[];
  /** What a seat knows about itself, from its own view: role, partners, points at stake. */
  brief(seen: S, seat: Seat, names: readonly string[]): string;
}

/** The public name of a secret phase, and its longest duration in milliseconds. */
export interface SecretPhase {
  readonly phase: string;
  readonly ms: number;
}

/** What a sentence may mention. */
export interface Telling {
  readonly names: readonly string[];
  /** The question that an `answered`, `passed` or `settled` event belongs to. */
  readonly question?: Question;
}
