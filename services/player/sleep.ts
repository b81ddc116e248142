import { setTimeout as delay } from 'node:timers/promises';

/** The longest delay of a timer; a longer one would be no delay at all. */
const MAX_MS = 2 ** 31 - 1;

/**
 * Resolves after `ms`.
 * @param wake ends it early when it is aborted
 * @throws the abort reason of `signal`
 */
export async function sleep(ms: number, signal: AbortSignal, wake?: AbortSignal): Promise<void> {
  try {
    await delay(Math.min(ms, MAX_MS), undefined, { signal: wake ? AbortSignal.any([signal, wake]) : signal });
  } catch {
    signal.throwIfAborted(); // otherwise it was woken
  }
}
