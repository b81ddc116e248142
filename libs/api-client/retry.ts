import { ApiProblem } from './problem.ts';

const FIRST_PAUSE_MS = 300;
const MAX_PAUSE_MS = 5_000;

/** How patient a caller is. */
export interface Patience {
  /** Aborted: a GET is broken off, and nothing is sent again. */
  readonly signal?: AbortSignal | undefined;
  /** How long the pauses between the attempts may be together, in milliseconds; 0: there is one attempt. */
  readonly forMs?: number | undefined;
  /** Hears each failure after which the request is sent again. */
  readonly onFailure?: ((problem: ApiProblem) => void) | undefined;
  /** Waits before the next attempt; a caller that knows when the server is back may wait for less. */
  readonly pause?: typeof pause | undefined;
}

/**
 * How long to wait before the next attempt: twice as long after each failure, at least as long as the server asks for, and up to half as long
 * again: clients that lost a server together do not all come back to it together.
 * @param failures how many attempts have failed since the last success, from 1
 */
export const retryPause = (failures: number, problem?: ApiProblem, random = Math.random()): number =>
  Math.max(Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1)), problem?.retryAfterMs ?? 0) * (1 + random / 2);

/** Waits, at most until the signal is aborted. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}

/**
 * Sends a request again, with growing pauses, until it is answered or refused, or the next pause would be too long.
 * @throws ApiProblem; the reason of the signal once that is aborted
 */
export async function withRetries<T>(send: () => Promise<T>, patience: Patience): Promise<T> {
  const { signal, forMs = 0, onFailure, pause: wait = pause } = patience;
  let waitedMs = 0;
  for (let failures = 1; ; failures++) {
    try {
      return await send();
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ApiProblem && error.isTemporary)) throw error;
      const pauseMs = retryPause(failures, error);
      waitedMs += pauseMs;
      if (waitedMs > forMs) throw error;
      onFailure?.(error);
      await wait(pauseMs, signal);
      signal?.throwIfAborted();
    }
  }
}
