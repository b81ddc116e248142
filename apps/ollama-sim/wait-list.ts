export type WaitList = ReturnType<typeof newWaitList>;

/** Waiters in order of arrival. One whose signal aborts leaves. */
export const newWaitList = () => {
  const waiting = new Set<() => void>();
  return {
    /** Resolves at its turn. @throws the reason of the abort */
    wait: async (signal: AbortSignal): Promise<void> => {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const leave = (): void => reject(signal.reason as Error);
      waiting.add(resolve);
      signal.addEventListener('abort', leave, { once: true });
      return promise.finally(() => {
        signal.removeEventListener('abort', leave);
        waiting.delete(resolve);
      });
    },
    /** Ends the wait of the first. */
    next: (): void => {
      const [first] = waiting;
      if (first) waiting.delete(first);
      first?.();
    },
    /** Ends the wait of all. */
    all: (): void => {
      for (const resolve of waiting) resolve();
      waiting.clear();
    },
    size: (): number => waiting.size,
  };
};
