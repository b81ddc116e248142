/** A condition variable: waiters check again after every notification. */
export interface Condition {
  notify(): void;
  /** Resolves with the next notification, or when the signal aborts. */
  next(signal: AbortSignal): Promise<void>;
}

export const newCondition = (): Condition => {
  const waiting = new Set<() => void>();
  return {
    notify: () => {
      for (const wake of waiting) wake();
    },
    next: (signal) =>
      new Promise((resolve) => {
        const wake = (): void => {
          waiting.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        if (signal.aborted) return wake();
        waiting.add(wake);
        signal.addEventListener('abort', wake, { once: true });
      }),
  };
};
