import { setTimeout as sleep } from 'node:timers/promises';

/** The simulator's clock; tests use a manual one. */
export interface Clock {
  /** Monotonic, in milliseconds with fractions. */
  now(): number;
  /** Milliseconds since 1970. */
  wall(): number;
  /** Resolves after `ms`, or as soon as `signal` aborts. Never rejects. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A longer timer fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  wall: Date.now,
  async wait(ms, signal) {
    if (ms > 0) await sleep(Math.min(ms, MAX_TIMER_MS), undefined, { signal }).catch(() => undefined);
  },
};
