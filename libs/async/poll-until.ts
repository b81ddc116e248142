import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { TimeoutError } from './timeout.ts';

interface PollOptions {
  /** Default: five minutes, because a busy machine is slow, not wrong. */
  readonly timeoutMs?: number;
  /** The pause between two looks. Default: a tenth of the time waited so far, from 5 to 100 ms. */
  readonly everyMs?: number;
  /** Whether a probe that throws is tried again; the error is the cause of the timeout. Default: it is thrown at once. */
  readonly retryErrors?: boolean;
  /** Ends the polling with the reason of the abort. */
  readonly signal?: AbortSignal;
  /** What to show in the error. Default: what the probe returned last. */
  readonly lastSeen?: () => unknown;
}

type Falsy = false | 0 | 0n | '' | null | undefined;

/**
 * Calls `probe` until it returns something truthy, and resolves with that.
 * @param what the fact that is waited for, for the message of the error
 * @throws TimeoutError that says what was seen last; what the probe throws, unless `retryErrors`; the reason of the abort
 */
export async function pollUntil<T>(what: string, probe: () => T | PromiseLike<T>, options: PollOptions = {}): Promise<Exclude<T, Falsy>> {
  const { timeoutMs = 300_000, everyMs, retryErrors = false, signal } = options;
  const startedAt = performance.now();
  for (;;) {
    signal?.throwIfAborted();
    let seen: unknown;
    let error: unknown;
    try {
      const value = await probe();
      if (value) return value as Exclude<T, Falsy>;
      seen = value;
    } catch (thrown) {
      if (!retryErrors) throw thrown;
      error = thrown;
    }
    const waitedMs = performance.now() - startedAt;
    if (waitedMs >= timeoutMs) throw timeoutOf(what, timeoutMs, options.lastSeen ? options.lastSeen() : seen, error);
    await sleep(everyMs ?? Math.min(100, Math.max(5, waitedMs / 10)), undefined, signal ? { signal } : undefined).catch(() =>
      signal?.throwIfAborted(),
    );
  }
}

function timeoutOf(what: string, timeoutMs: number, seen: unknown, cause: unknown): TimeoutError {
  const error = new TimeoutError(timeoutMs, `waiting until ${what}`);
  const last = cause instanceof Error ? `${cause.name}: ${cause.message}` : inspect(cause ?? seen, { breakLength: Infinity });
  error.message += `; last seen: ${last.slice(0, 1_000)}`;
  if (cause !== undefined) error.cause = cause;
  return error;
}
