/**
 * Resolves or rejects as `promise` does, unless `signal` is aborted first. The work behind the promise is not stopped by this.
 * @throws the reason of the abort
 */
export async function unlessAborted<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Resolves once `signal` is aborted, at once when it already is. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
