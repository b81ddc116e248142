import type { Bus } from '@maw/bus/bus.ts';
import type { Message } from '@maw/contracts/contracts.ts';
import type { Asking, Recipe, Tools } from '@maw/minds/mind.ts';
import type { Strategies } from '@maw/store/ports/strategies.ts';
import type { Thought, Thoughts } from '@maw/store/ports/thoughts.ts';
import type { Log } from '@maw/telemetry/log.ts';
import type { RoomReader } from '../news/room-reader.ts';
import type { LostDecisions } from '../news/lost-decisions.ts';
import type { TableEvents } from '../news/table-events.ts';
import type { PlayerOptions } from '../defaults.ts';
import type { sleep } from '../sleep.ts';
import { consumeLoadedContext, type LoadedContext, loadedContextIn } from '../state/loaded-context.ts';
import { type Memory, newMemory, parseMemory, storedAs } from '../state/memory.ts';
import type { Progress } from '../state/progress.ts';
import { Superseded } from './seat-turns.ts';
import { type Timing, timingOf } from './timing.ts';
import type { TokenRatios } from './token-ratios.ts';

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
export interface DecisionState extends DecisionDeps {
  readonly recipe: Recipe;
  readonly message: Message<'seat.decide'>;
  /** Aborted when nothing is left to decide, or a newer message supersedes it. */
  readonly over: AbortController;
  /** Aborted with `over`, and when another replica is to go on. */
  readonly signal: AbortSignal;
  /** Aborted only when superseded, or when another replica is to go on: the reply to an answer in flight is awaited. */
  readonly sending: AbortSignal;
  memory: Memory;
  progress: Progress;
  /** What the decision began with, until the memory is saved. */
  loaded: LoadedContext | undefined;
  /** Thoughts of a mind without a model that are stored with the next memory. */
  readonly unstored: Thought[];
  /** How long the last thought took, in milliseconds. */
  lastThoughtMs: number;
  /** How long a call of the model takes, in milliseconds; 0 when unknown. */
  callMs: number;
  /** Questions that were closed by events or with their room. */
  readonly closedQuestions: Set<string>;
}

export interface Decision extends DecisionState {
  readonly rooms: RoomReader;
}

export const openQuestions = ({ message, closedQuestions, progress, now }: DecisionState): readonly Asking[] =>
  message.data.questions.filter(({ id, until }) => !closedQuestions.has(id) && !progress.closed.includes(id) && until > now());

/** Closes questions; without any open one the decision is over. */
export function closeQuestions(state: DecisionState, questions: readonly string[]): void {
  for (const id of questions) state.closedQuestions.add(id);
  if (!openQuestions(state).length) state.over.abort(new Error('all questions are closed'));
}

/** Ends a decision of a table that is paused. The seat is asked again when it goes on, and sends its last answers again. */
export const pauseDecision = ({ over }: DecisionState): void => over.abort(new Error('the table is paused'));

export const timingNow = ({ message, now, progress, lastThoughtMs, options }: DecisionState, questions: readonly Asking[]): Timing =>
  timingOf(questions, { asked: Date.parse(message.time), now: now(), standing: progress.standing, lastMs: lastThoughtMs }, options);

/** What the seat has in mind, and the context that waits for it. */
export async function loadMemory(
  deps: DecisionDeps,
  message: Message<'seat.decide'>,
): Promise<{ readonly stored: Memory; readonly waiting: LoadedContext | undefined }> {
  const { subject: table, data } = message;
  const [memory, context] = await deps.thoughts.recallAll(table, [storedAs.decisions(data.seat), storedAs.loadedContext(data.seat)]);
  const stored = readMemory(deps, message, memory);
  return { stored, waiting: loadedContextIn(context, stored) };
}

/** A new memory when none is stored, or it cannot be read. */
function readMemory({ log }: DecisionDeps, { id: decision, subject: table }: Message<'seat.decide'>, stored: unknown): Memory {
  if (stored === undefined || stored === null) return newMemory;
  const memory = parseMemory(stored);
  if (!memory) log.warn({ table, decision }, 'stored memory of a seat is unreadable; starting with a new one');
  return memory ?? newMemory;
}

/** @throws Superseded when the seat was asked something newer, maybe at another replica: two must not act for one seat */
export async function saveMemory(state: DecisionState): Promise<void> {
  if (await saveUnlessSuperseded(state)) return;
  const reason = new Superseded('the seat was asked again, and another replica thinks about it');
  state.over.abort(reason);
  throw reason;
}

/** Saves the memory and the thoughts before it. False: the seat was asked something newer, so its memory is kept. */
export async function saveUnlessSuperseded(state: DecisionState, progress: Progress = state.progress): Promise<boolean> {
  const { thoughts, message, unstored } = state;
  state.memory = { ...state.memory, decision: progress };
  const { subject: table, data, sequence = 0 } = message;
  const told = [...unstored];
  const isStored = await thoughts.remember(table, storedAs.decisions(data.seat), state.memory.n, state.memory, {
    sequence,
    thoughts: told,
  });
  unstored.splice(0, told.length);
  if (!isStored && (await isSuperseded(state))) return false; // otherwise it was asked nothing newer, but has seen more
  if (!state.loaded) return true;
  await consumeLoadedContext(thoughts, table, data.seat, state.loaded);
  state.loaded = undefined;
  return true;
}

async function isSuperseded(state: DecisionState): Promise<boolean> {
  const { thoughts, message } = state;
  const { decision } = readMemory(state, message, await thoughts.recall(message.subject, storedAs.decisions(message.data.seat)));
  return (decision?.sequence ?? 0) > (message.sequence ?? 0);
}
