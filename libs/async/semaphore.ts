/** Runs a task once a slot is free. Resolves or rejects as the task does. */
export type Semaphore = <T>(task: () => Promise<T>) => Promise<T>;

/** Runs at most `slots` tasks at a time; further ones wait, first come, first served. */
export function semaphore(slots: number): Semaphore {
  const waiting: (() => void)[] = [];
  let free = slots;
  return async (task) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
