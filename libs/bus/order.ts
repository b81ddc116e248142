/** Runs tasks of the same key one after another, in the order they came, and those of different keys side by side. */
export function lanes(): (key: string, task: () => Promise<void>) => Promise<void> {
  const last = new Map<string, Promise<void>>();
  return (key, task) => {
    const done = (last.get(key) ?? Promise.resolve()).then(task);
    const over = done.then(
      () => undefined,
      () => undefined,
    );
    last.set(key, over);
    void over.then(() => last.get(key) === over && last.delete(key));
    return done;
  };
}

/** Runs at most `count` tasks at once; the others wait their turn. */
export function slots(count: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = count;
  return async (task) => {
    if (free > 0) free--;
    else await new Promise<void>((turn) => waiting.push(turn));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
