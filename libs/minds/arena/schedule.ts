import type { Dice } from '@maw/games/kernel/dice.ts';
import { type Open, phaseOf, type Seat } from '@maw/games/kernel/question.ts';
import { type Asking, type Mind, newMind } from '../mind.ts';
import { type Hearing, newHearing } from './tape.ts';

/** How many thoughts without news a seat has about what it may answer again and again, before it waits for news. */
const MOST_IDLE = 4;
/** How often a question that is asked once is thought about when the answers are refused. */
const MOST_TRIES = 3;

/** What one seat carries through a game in the arena. */
export interface Sitting {
  readonly seat: Seat;
  mind: Mind;
  /** The questions it may answer now, in the order in which they were asked. */
  asked: readonly Open[];
  readonly decisions: Map<string, Decision>;
  /** How far the tape had come when it last thought. */
  since: number;
  readonly heard: Hearing;
}

/** What is asked of a seat in one phase, and how far the seat has come with it. */
export interface Decision {
  readonly phase: string;
  /** When it thinks next; Infinity: not before it hears something. */
  wakes: number;
  /** The longest wait between two thoughts, and from when on time is short; both in the time of the game. */
  pace: number;
  shortAt: number;
  iteration: number;
  idle: number;
  standing: { readonly [question: string]: readonly string[] };
  refused: string[];
  /** The questions it knows of, and how often those that are asked once have been thought about; Infinity once they are done with. */
  readonly tries: Map<string, number>;
  /** The questions as it was asked them last, with the options that were open to it. */
  readonly askings: Map<string, { readonly asking: Asking; readonly own: readonly string[]; readonly until: number }>;
}

export const newSitting = (seat: Seat): Sitting => ({
  seat,
  mind: newMind,
  asked: [],
  decisions: new Map(),
  since: 0,
  heard: newHearing(seat),
});

const newDecision = { wakes: Infinity, pace: 1, shortAt: 0, iteration: 0, idle: 0, standing: {}, refused: [] };

interface Pace {
  readonly now: number;
  /** The longest wait between two thoughts, in milliseconds; never more than a quarter of what a question lasts, which it is by default. */
  readonly paceMs: number;
  readonly dice: Dice;
}

/** Takes note of what a seat is asked now: a decision for each phase, which wakes when something new is asked and ends with its questions. */
export function note({ asked, decisions }: Sitting, { now, paceMs, dice }: Pace): void {
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
    if (!decision) decisions.set(phase, (decision = { ...newDecision, phase, tries: new Map(), askings: new Map() }));
    decision.tries.set(id, 0);
    decision.idle = 0;
    decision.pace = Math.max(1, Math.min(paceMs, Math.floor((until - now) / 4)));
    decision.shortAt = until - decision.pace; // so that one thought at least falls into the time that is short
    decision.wakes = Math.min(decision.wakes, now + dice.below(decision.pace));
  }
  if (decisions.size > phases.size) for (const phase of decisions.keys()) if (!phases.has(phase)) decisions.delete(phase);
}

/** What a seat thinks about next in a decision: all that may be answered again and again at once, and what is asked once one after the other. */
export function due({ asked }: Sitting, { phase, tries }: Decision): readonly Open[] {
  const open = asked.filter(({ id }) => phaseOf(id) === phase);
  if (open.some(({ final }) => !final)) return open;
  const next = open.find(({ id }) => tries.get(id)! < MOST_TRIES);
  return next ? [next] : [];
}

/** What came of a thought: decides when the seat thinks again. */
export interface Came {
  readonly about: readonly Open[];
  readonly isAnswered: boolean;
  readonly isRefused: boolean;
  readonly isNews: boolean;
}

/** Sets the next waking of a decision after a thought. What is asked once is done with once it is answered, or left unanswered. */
export function rest(decision: Decision, { about, isAnswered, isRefused, isNews }: Came, { now, dice }: Pace): void {
  decision.iteration++;
  const soon = now + 1 + dice.below(decision.pace);
  if (about.every(({ final }) => final)) {
    for (const { id } of about) decision.tries.set(id, isRefused ? decision.tries.get(id)! + 1 : Infinity);
    decision.wakes = now; // whether there is a next one, `due` says
    return;
  }
  decision.idle = isAnswered || isNews ? 0 : decision.idle + 1;
  decision.wakes = decision.idle < MOST_IDLE ? soon : decision.shortAt > now ? decision.shortAt + dice.below(decision.pace) : Infinity;
}

/** Whether a decision waits for nothing but news, or for time to be short. */
export const isAsleep = ({ idle }: Decision): boolean => idle >= MOST_IDLE;

/** Wakes a decision that waits for news. */
export function ring(decision: Decision, { now, dice }: Pace): void {
  decision.idle = 0;
  decision.wakes = Math.min(decision.wakes, now + 1 + dice.below(decision.pace));
}
