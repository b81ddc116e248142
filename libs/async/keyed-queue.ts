/** Runs a task, once all earlier tasks of the same key have ended. Resolves or rejects as the task does. */
export type KeyedQueue = <T>(key: string, task: () => Promise<T>) => Promise<T>;

/** Runs tasks of one key one after another, in the order they came, and tasks of different keys concurrently. A failed task blocks nothing. */
export function keyedQueue(): KeyedQueue {
  const tails = new Map<string, Promise<void>>();
  return (key, task) => {
    const result = (tails.get(key) ?? Promise.resolve()).then(task);
    const tail = result.then(
      () => undefined,
      () => undefined,
    );
    tails.set(key, tail);
    void tail.then(() => tails.get(key) === tail && tails.delete(key));
    return result;
  };
}
