import type { Bus } from '@maw/bus/bus.ts';
import type { Message } from '@maw/contracts/contracts.ts';
import type { Asking, Recipe, Tools } from '@maw/minds/mind.ts';
import type { Strategies } from '@maw/store/ports/strategies.ts';
import type { Thoughts } from '@maw/store/ports/thoughts.ts';
import type { Log } from '@maw/telemetry/log.ts';
import type { RoomReader } from '../news/room-reader.ts';
import type { LostDecisions } from '../news/lost-decisions.ts';
import type { TableEvents } from '../news/table-events.ts';
import type { PlayerOptions } from '../defaults.ts';
import type { sleep } from '../sleep.ts';
import type { OutgoingAnswer } from '../state/progress.ts';
import type { DecisionState } from './decision-state.ts';
import { Superseded } from './seat-turns.ts';
import { type Timing, timingOf } from './timing.ts';
import type { TokenRatios } from './token-ratios.ts';

/*
 * The modes of a decision. `run-decision.ts` alone moves it from one to the next.
 *
 *   seat.decide ── its seat was asked something newer ──────────────────────────────────────────▶ over
 *       │
 *       │ memory and news are read
 *       ▼
 *   sending ── each answer has its outcome ──▶ waiting (talk, and votes that may be changed)
 *       ▲                                   or choosing (questions that are asked once) ─────────▶ over: no question is left
 *       │                                          │
 *       │ the mind has thought                     │ its turn has come, and a question is open
 *       └───────────────── thinking ◀──────────────┘
 *
 * From every mode it is over at once when its questions are closed, the table is paused, or a newer message supersedes it, and left when another
 * replica goes on: then `signal` is aborted, and whatever waits for it throws. Resumed, it begins with `sending`, as answers are stored before they
 * are sent; the model's replies of an unfinished thought are stored too.
 */
export type Mode =
  /** Answers are sent. Those that were sent before a crash have no further effect. */
  { readonly is: 'sending'; readonly outbox: readonly OutgoingAnswer[]; readonly next: Turn } | Turn | Thinking | { readonly is: 'over' };
export type Turn = Waiting | Choosing;

/** It waits for its turn in a dialogue, and reads what is new. */
export interface Waiting {
  readonly is: 'waiting';
  /** How many thoughts in a row had neither news nor answers. */
  readonly idle: number;
}

/** It looks at a question that is asked once. */
export interface Choosing {
  readonly is: 'choosing';
  /** The place of the question in the message, and how often it was thought about. */
  readonly at: number;
  readonly tries: number;
}

export interface Thinking {
  readonly is: 'thinking';
  readonly questions: readonly Asking[];
  readonly time: Timing;
  readonly from: Turn;
}

/** What all decisions of a player use. */
export interface DecisionDeps {
  readonly bus: Bus;
  readonly thoughts: Thoughts;
  readonly experience?: NonNullable<Tools['experience']>;
  /** Opens policies; absent: none are kept. */
  readonly policy?: Tools['policy'];
  readonly strategies?: Strategies;
  now(): number;
  readonly sleep: typeof sleep;
  readonly log: Log;
  readonly options: PlayerOptions;
  readonly events: TableEvents;
  readonly lost: LostDecisions;
  readonly tokenRatios: TokenRatios;
}

/** One decision of one seat while it runs. */
export interface Decision {
  readonly deps: DecisionDeps;
  readonly recipe: Recipe;
  readonly message: Message<'seat.decide'>;
  readonly signals: Signals;
  readonly rooms: RoomReader;
  readonly state: DecisionState;
  /** Questions that were closed by events or with their room. Written by `closeQuestions`. */
  readonly closed: Set<string>;
  readonly durations: Durations;
}

interface Signals {
  /** Aborted when nothing is left to decide, or a newer message supersedes it. */
  readonly over: AbortController;
  /** Aborted with `over`, and when another replica is to go on. */
  readonly signal: AbortSignal;
  /** Like `signal`, and aborted when the message is to be given back; what waits between two thoughts waits for it. */
  readonly resting: AbortSignal;
  /** Aborted only when superseded, or when another replica is to go on: the reply to an answer in flight is awaited. */
  readonly sending: AbortSignal;
}

/** In milliseconds; 0 when unknown. Written while it thinks. */
interface Durations {
  /** The model that answered the last call; undefined: none has. */
  model?: string;
  /** How long the last thought took. */
  thoughtMs: number;
  /** How long a call of the model takes. */
  callMs: number;
}

type Asked = Pick<Decision, 'message' | 'closed' | 'state' | 'signals' | 'deps'>;

export const openQuestions = ({ message, closed, state, deps }: Asked): readonly Asking[] =>
  message.data.questions.filter(({ id, until }) => !closed.has(id) && !state.progress.closed.includes(id) && until > deps.now());

/** Closes questions; without any open one the decision is over. */
export function closeQuestions(decision: Asked, questions: readonly string[]): void {
  for (const id of questions) decision.closed.add(id);
  if (!openQuestions(decision).length) decision.signals.over.abort(new Error('all questions are closed'));
}

/** Ends a decision of a table that is paused. The seat is asked again when it goes on, and sends its last answers again. */
export const pauseDecision = ({ signals: { over } }: Decision): void => over.abort(new Error('the table is paused'));

export const timingNow = ({ message, deps: { now, options }, state, durations }: Decision, questions: readonly Asking[]): Timing =>
  timingOf(
    questions,
    { asked: Date.parse(message.time), now: now(), standing: state.progress.standing, lastMs: durations.thoughtMs },
    options,
  );

/** @throws Superseded when the seat was asked something newer, maybe at another replica: two must not act for one seat */
export async function saveMemory({ state, signals: { over } }: Decision): Promise<void> {
  if (await state.save()) return;
  const reason = new Superseded('the seat was asked again, and another replica thinks about it');
  over.abort(reason);
  throw reason;
}
