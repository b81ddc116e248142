/** A clock that stands until it is told to go on, and those who sleep by it. */
export interface DrivenClock {
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal, wake?: AbortSignal) => Promise<void>;
  /** When the next sleeper wakes; Infinity without any. */
  next(): number;
  /** Sets the time, and wakes those who have slept long enough. */
  goOn(to: number): void;
  /** How often somebody went to sleep. */
  sleeps(): number;
}

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

export function drivenClock(start: number): DrivenClock {
  let [now, sleeps] = [start, 0];
  const sleepers = new Set<Sleeper>();
  return {
    now: () => now,
    sleeps: () => sleeps,
    next: () => Math.min(Infinity, ...[...sleepers].map(({ until }) => until)),
    goOn(to) {
      now = Math.max(now, to);
      for (const sleeper of [...sleepers].filter(({ until }) => until <= now)) sleeper.wake();
    },
    async sleep(ms, signal, wake) {
      signal.throwIfAborted();
      sleeps++;
      if (ms > 0 && !wake?.aborted) {
        await new Promise<void>((resolve) => {
          const end = (): void => {
            sleepers.delete(sleeper);
            signal.removeEventListener('abort', end);
            wake?.removeEventListener('abort', end);
            resolve();
          };
          const sleeper: Sleeper = { until: now + ms, wake: end };
          sleepers.add(sleeper);
          signal.addEventListener('abort', end);
          wake?.addEventListener('abort', end);
        });
      }
      signal.throwIfAborted();
    },
  };
}
