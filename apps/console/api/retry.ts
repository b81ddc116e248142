import { type ApiProblem, problemOf } from './problem.ts';

const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 5_000;

/**
 * How long to wait before the next attempt: twice as long after each failure, at least as long as the server asks for, and up to half as long
 * again: pages that lost a server together do not all come back to it together.
 * @param failures how many attempts have failed since the last success, from 1
 */
export const retryPause = (failures: number, problem?: ApiProblem, firstMs = FIRST_PAUSE_MS, random = Math.random()): number =>
  Math.max(Math.min(LONGEST_PAUSE_MS, firstMs * 2 ** (failures - 1)), problem?.retryAfterMs ?? 0) * (1 + random / 2);

/** Waits, at most until the signal is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}

export interface Retrying {
  readonly signal: AbortSignal;
  /** The first pause, in milliseconds. */
  readonly firstMs?: number;
  /** Hears each failure after which the request is sent again. */
  onFailure(problem: ApiProblem): void;
}

/**
 * Sends a request again, with growing pauses, until the server answers or refuses it.
 * @throws ApiProblem when the server refuses it; the reason of the signal once that is aborted
 */
export async function sendUntilAnswered<T>(send: () => Promise<T>, { signal, firstMs, onFailure }: Retrying): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await send();
    } catch (error) {
      const problem = problemOf(error);
      signal.throwIfAborted();
      if (!problem.isTemporary) throw problem;
      onFailure(problem);
      await pause(retryPause(failures, problem, firstMs), signal);
      signal.throwIfAborted();
    }
  }
}
