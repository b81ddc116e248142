/** A waiter polls this often: another replica may have stored the opening. */
const POLL_MS = 50;

/** Lets messages that arrive before their room wait for it to open. */
export interface RoomWaiters {
  /** Wakes those who wait for a room: it has opened in this process. */
  ring(table: string, room: string): void;
  /** Resolves when the room opens here, when it is time to poll, or when the signal aborts. Never rejects. */
  next(table: string, room: string, signal: AbortSignal): Promise<void>;
}

export function roomWaiters(): RoomWaiters {
  const waiting = new Map<string, Set<() => void>>();
  const keyOf = (table: string, room: string) => `${table} ${room}`;
  return {
    ring(table, room) {
      for (const wake of waiting.get(keyOf(table, room)) ?? []) wake();
    },
    next: (table, room, signal) =>
      new Promise((resolve) => {
        const key = keyOf(table, room);
        const waiters = waiting.get(key) ?? new Set();
        waiting.set(key, waiters);
        const wake = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', wake);
          waiters.delete(wake);
          if (!waiters.size && waiting.get(key) === waiters) waiting.delete(key);
          resolve();
        };
        const timer = setTimeout(wake, POLL_MS);
        waiters.add(wake);
        if (signal.aborted) wake();
        else signal.addEventListener('abort', wake);
      }),
  };
}
