import type { FuzzedSystem } from './fuzzed-system.ts';
import { runSession, type SessionRange, type SessionResult } from './fuzz-session.ts';
import { type ClosedSession, findGrowth, type Weight } from './memory-growth.ts';
import type { RandomMessage } from './random-message.ts';
import { addCounts, type Counts } from './service-counters.ts';

export interface FuzzOptions {
  readonly seed: string;
  /** Sends messages 0 up to, but excluding, this one, and one HTTP request per twenty of them. */
  readonly messages: number;
  /** Begins with this message, the first of a session. */
  readonly from?: number;
  /** Messages per session. */
  readonly sessionSize?: number;
  readonly signal: AbortSignal;
  /** These messages instead of those of the seed, all in one session. */
  readonly again?: readonly RandomMessage[];
  /** Plants a fault in the system before anything is sent, to test the fuzzer itself. */
  plant?(system: FuzzedSystem): void;
}

export interface FuzzResult {
  readonly messages: number;
  readonly requests: number;
  /** Sessions that sent all of their messages and closed. */
  readonly sessions: number;
  /** Failures, each with the messages among which the cause is, as data. */
  readonly wrong: readonly string[];
  readonly outcomes: Counts;
  readonly reasons: Counts;
  readonly statuses: Counts;
  /** By process: memory after each of its sessions. */
  readonly weights: readonly (readonly Weight[])[];
  readonly ms: number;
}

/** The default size: the in-memory store's share of this many messages fits in memory many times over. */
export const SESSION_SIZE = 20_000;

/** The sessions of a run, in order. */
export const sessionsOf = ({
  seed,
  messages,
  from = 0,
  sessionSize = SESSION_SIZE,
  again,
}: Omit<FuzzOptions, 'signal' | 'plant'>): readonly SessionRange[] =>
  again
    ? [{ seed, from: 0, to: again.length, again }]
    : Array.from({ length: Math.max(0, Math.ceil((messages - from) / sessionSize)) }, (_, i) => ({
        seed,
        from: from + i * sessionSize,
        to: Math.min(messages, from + (i + 1) * sessionSize),
      }));

/** Runs session after session in this process. */
export async function fuzz({ signal, plant, ...options }: FuzzOptions): Promise<FuzzResult> {
  const totals = new FuzzTotals();
  const mine = totals.process();
  for (const range of sessionsOf(options)) {
    if (signal.aborted) break;
    mine.add(range, await runSession({ ...range, signal, onBatch: (_, wrong) => totals.fail(wrong), ...(plant ? { plant } : {}) }));
  }
  return totals.result();
}

/** The totals of one process, whose memory is judged separately. */
export interface ProcessTotals {
  add(range: SessionRange, result: SessionResult): void;
}

/** Sums up the results of all sessions. */
export class FuzzTotals {
  readonly #began = performance.now();
  readonly #wrong: string[] = [];
  readonly #closed: ClosedSession[][] = [];
  #sums: Pick<FuzzResult, 'messages' | 'requests' | 'sessions' | 'outcomes' | 'reasons' | 'statuses'> = {
    messages: 0,
    requests: 0,
    sessions: 0,
    outcomes: {},
    reasons: {},
    statuses: {},
  };

  fail(wrong: readonly string[]): void {
    this.#wrong.push(...wrong);
  }

  process(): ProcessTotals {
    const closed: ClosedSession[] = [];
    this.#closed.push(closed);
    let sent = 0;
    return {
      add: ({ from, to }, result) => {
        sent += result.messages;
        closed.push({ messages: sent, weight: result.closed });
        const sums = this.#sums;
        this.#sums = {
          messages: sums.messages + result.messages,
          requests: sums.requests + result.requests,
          sessions: sums.sessions + (result.messages === to - from ? 1 : 0),
          outcomes: addCounts(sums.outcomes, result.outcomes),
          reasons: addCounts(sums.reasons, result.reasons),
          statuses: addCounts(sums.statuses, result.statuses),
        };
      },
    };
  }

  /** Adds the memory that grew over a process's sessions to the failures. */
  result(): FuzzResult {
    const wrong = [...this.#wrong, ...this.#closed.flatMap(findGrowth)];
    const weights = this.#closed.map((sessions) => sessions.map(({ weight }) => weight));
    return { ...this.#sums, wrong, weights, ms: performance.now() - this.#began };
  }
}
