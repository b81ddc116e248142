import type { Clock } from './clock.ts';

export interface ManualClock extends Clock {
  /** Advances the time and wakes the waits that are due, earliest first. */
  advance(ms: number): void;
  /** The number of pending waits. */
  sleepers(): number;
}

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock for tests: time passes only by `advance`. */
export const manualClock = (startedAt = Date.UTC(2026, 7, 21, 18, 48, 22)): ManualClock => {
  let now = 0;
  const sleepers = new Set<Sleeper>();
  return {
    now: () => now,
    wall: () => startedAt + now,
    wait: (ms, signal) => {
      if (ms <= 0 || signal?.aborted === true) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = (): void => {
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const sleeper: Sleeper = { at: now + ms, wake };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', wake, { once: true });
      });
    },
    advance: (ms) => {
      now += ms;
      for (const due of [...sleepers].filter((s) => s.at <= now).toSorted((a, b) => a.at - b.at)) due.wake();
    },
    sleepers: () => sleepers.size,
  };
};
