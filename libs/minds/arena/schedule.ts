import type { Dice } from '@maw/games/kernel/dice.ts';
import { type Instant, type Open, phaseOf, type Seat } from '@maw/games/kernel/question.ts';
import { type Mind, newMind } from '../mind.ts';
import { type Cursor, newCursor } from './tape.ts';

/** After this many thoughts without news or answer a seat rests until there is news. */
const MAX_IDLE = 4;
/** How often a seat may try to answer a final question. */
const MAX_TRIES = 3;

/** The state of one seat in the arena. */
export interface SeatState {
  readonly seat: Seat;
  mind: Mind;
  /** The questions it may answer now, in the order in which they were asked. */
  asked: readonly Open[];
  /** By phase. */
  readonly decisions: Map<string, Decision>;
  /** The length of the tape at its last thought. */
  since: number;
  readonly cursor: Cursor;
}

/** The questions to a seat in one phase, and its progress with them. */
export interface Decision {
  readonly phase: string;
  /** When it thinks next; Infinity: not before there is news. */
  wakesAt: Instant;
  /** The longest pause between two thoughts, in milliseconds of the game. */
  paceMs: number;
  /** From when on time is short. */
  shortAt: Instant;
  iteration: number;
  /** Thoughts in a row without news or answer. */
  idle: number;
  standing: { readonly [question: string]: readonly string[] };
  refused: string[];
  /** By question: how often a final one was thought about; Infinity: done. */
  readonly tries: Map<string, number>;
}

export const newSeatState = (seat: Seat): SeatState => ({
  seat,
  mind: newMind,
  asked: [],
  decisions: new Map(),
  since: 0,
  cursor: newCursor(seat),
});

const newDecision = { wakesAt: Infinity, paceMs: 1, shortAt: 0, iteration: 0, idle: 0, standing: {}, refused: [] };

interface Time {
  readonly now: Instant;
  /** The longest pause between two thoughts; capped at a quarter of a question's time. */
  readonly paceMs: number;
  readonly dice: Dice;
}

/** Starts a decision for each new phase, wakes it for new questions, and ends it with its questions. */
export function noteQuestions({ asked, decisions }: SeatState, { now, paceMs, dice }: Time): void {
  if (!asked.length) {
    if (decisions.size) decisions.clear();
    return;
  }
  const phases = new Set<string>();
  for (const { id, until } of asked) {
    const phase = phaseOf(id);
    phases.add(phase);
    let decision = decisions.get(phase);
    if (decision?.tries.has(id)) continue;
    if (!decision) decisions.set(phase, (decision = { ...newDecision, phase, tries: new Map() }));
    decision.tries.set(id, 0);
    decision.idle = 0;
    decision.paceMs = Math.max(1, Math.min(paceMs, Math.floor((until - now) / 4)));
    decision.shortAt = until - decision.paceMs; // so at least one thought falls into the short time
    decision.wakesAt = Math.min(decision.wakesAt, now + dice.below(decision.paceMs));
  }
  if (decisions.size > phases.size) for (const phase of decisions.keys()) if (!phases.has(phase)) decisions.delete(phase);
}

/** The questions of the next thought: all that may be answered repeatedly, or final ones one by one. */
export function dueQuestions({ asked }: SeatState, { phase, tries }: Decision): readonly Open[] {
  const open = asked.filter(({ id }) => phaseOf(id) === phase);
  if (open.some(({ final }) => !final)) return open;
  const next = open.find(({ id }) => tries.get(id)! < MAX_TRIES);
  return next ? [next] : [];
}

/** The result of a thought. */
export interface ThoughtResult {
  readonly about: readonly Open[];
  readonly isAnswered: boolean;
  readonly isRefused: boolean;
  readonly isNews: boolean;
  /** When the mind wants to think again, in milliseconds from now. Absent: it has not said so. */
  readonly pauseMs?: number | undefined;
}

/** Sets the next thought of a decision. A final question is done once it is answered, or left unanswered. */
export function scheduleNext(
  decision: Decision,
  { about, isAnswered, isRefused, isNews, pauseMs }: ThoughtResult,
  { now, dice }: Time,
): void {
  decision.iteration++;
  const soon = now + 1 + dice.below(decision.paceMs);
  if (about.every(({ final }) => final)) {
    for (const { id } of about) decision.tries.set(id, isRefused ? decision.tries.get(id)! + 1 : Infinity);
    decision.wakesAt = now; // `dueQuestions` tells whether there is another one
    return;
  }
  if (pauseMs !== undefined) {
    // a clock of its own is never too late for the short time
    decision.wakesAt = now + Math.max(1, Math.min(pauseMs, decision.paceMs));
    return;
  }
  decision.idle = isAnswered || isNews ? 0 : decision.idle + 1;
  decision.wakesAt = decision.idle < MAX_IDLE ? soon : decision.shortAt > now ? decision.shortAt + dice.below(decision.paceMs) : Infinity;
}

/** Whether a decision rests until there is news or time is short. */
export const isAsleep = ({ idle }: Decision): boolean => idle >= MAX_IDLE;

/** Wakes a resting decision for news. */
export function wake(decision: Decision, { now, dice }: Pick<Time, 'now' | 'dice'>): void {
  decision.idle = 0;
  decision.wakesAt = Math.min(decision.wakesAt, now + 1 + dice.below(decision.paceMs));
}
