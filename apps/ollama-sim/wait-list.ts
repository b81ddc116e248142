/** Waiters in order of arrival. One whose signal aborts leaves. */
export interface WaitList<T> {
  /** Resolves with the value of its turn. @throws the reason of the abort */
  wait(signal: AbortSignal): Promise<T>;
  /** Ends the wait of the first. */
  next(value: T): void;
  /** Ends the wait of all. */
  all(value: T): void;
  size(): number;
}

export const newWaitList = <T = void>(): WaitList<T> => {
  const waiting = new Set<(value: T) => void>();
  return {
    wait: async (signal) => {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const leave = (): void => reject(signal.reason as Error);
      waiting.add(resolve);
      signal.addEventListener('abort', leave, { once: true });
      return promise.finally(() => {
        signal.removeEventListener('abort', leave);
        waiting.delete(resolve);
      });
    },
    next: (value) => {
      const [first] = waiting;
      if (first === undefined) return;
      waiting.delete(first);
      first(value);
    },
    all: (value) => {
      for (const resolve of waiting) resolve(value);
      waiting.clear();
    },
    size: () => waiting.size,
  };
};
