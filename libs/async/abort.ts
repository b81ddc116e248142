/**
 * Resolves or rejects as `promise` does, unless `signal` is aborted first. The work behind the promise is not stopped by this.
 * @throws the reason of the abort
 */
export function unlessAborted<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    const fulfill = (value: T): void => {
      signal.removeEventListener('abort', abort);
      resolve(value);
    };
    const fail = (error: unknown): void => {
      signal.removeEventListener('abort', abort);
      reject(error as Error);
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    promise.then(fulfill, fail);
  });
}

/** Resolves once `signal` is aborted, at once when it already is. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
