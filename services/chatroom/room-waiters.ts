/** How often a waiting message looks by itself: the opening may have been taken by another replica. */
const LOOK_EVERY_MS = 50;

/** Lets messages that are ahead of their room wait for it to open. */
export function roomWaiters() {
  const waiting = new Map<string, Set<() => void>>();
  const key = (table: string, room: string) => `${table} ${room}`;
  return {
    /** The room has opened in this process. */
    ring(table: string, room: string): void {
      for (const wake of waiting.get(key(table, room)) ?? []) wake();
    },
    /** Resolves when the room opens here, when it is time to look again, or when the signal aborts. Never rejects. */
    next(table: string, room: string, signal: AbortSignal): Promise<void> {
      return new Promise((resolve) => {
        const at = key(table, room);
        const those = waiting.get(at) ?? new Set();
        waiting.set(at, those);
        const wake = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', wake);
          those.delete(wake);
          if (!those.size && waiting.get(at) === those) waiting.delete(at);
          resolve();
        };
        const timer = setTimeout(wake, LOOK_EVERY_MS);
        those.add(wake);
        if (signal.aborted) wake();
        else signal.addEventListener('abort', wake);
      });
    },
  };
}
