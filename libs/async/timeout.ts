/** The longest delay that setTimeout takes; it treats a longer one as no delay at all. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The work took longer than it may. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
  readonly timeoutMs: number;
  constructor(timeoutMs: number, what?: string) {
    super(what === undefined ? `timed out after ${timeoutMs} ms` : `${what} timed out after ${timeoutMs} ms`);
    this.timeoutMs = timeoutMs;
  }
}

/** Starts a timer that calls `run` after `ms` milliseconds, and returns how to cancel it. */
export type StartTimer = (run: () => void, ms: number) => () => void;

interface TimeoutOptions<L> {
  /** What the work is, for the message of the error. */
  readonly what?: string;
  /** What to resolve with instead of rejecting. */
  readonly onTimeout?: () => L;
  /** The timer does not keep the process alive. */
  readonly unref?: boolean;
  /** For tests that drive the time. Default: setTimeout. */
  readonly startTimer?: StartTimer;
}

const systemTimer =
  (unref: boolean): StartTimer =>
  (run, ms) => {
    const timer = setTimeout(run, Math.min(ms, MAX_TIMER_MS));
    if (unref) timer.unref();
    return () => clearTimeout(timer);
  };

/**
 * Resolves or rejects as `work` does, unless that takes longer than `ms` milliseconds. Work given as a function gets a signal, which is
 * aborted at the timeout; work that ignores it goes on, and its outcome is dropped.
 * @throws TimeoutError after `ms`, unless `onTimeout` provides a value
 */
export async function withTimeout<T, L = never>(
  ms: number,
  work: PromiseLike<T> | ((signal: AbortSignal) => PromiseLike<T>),
  { what, onTimeout, unref = false, startTimer = systemTimer(unref) }: TimeoutOptions<L> = {},
): Promise<T | L> {
  const { promise: timedOut, resolve, reject } = Promise.withResolvers<L>();
  const abort = new AbortController();
  const cancel = startTimer(() => {
    const error = new TimeoutError(ms, what);
    if (onTimeout) resolve(onTimeout());
    else reject(error);
    abort.abort(error);
  }, ms);
  try {
    return await Promise.race([typeof work === 'function' ? work(abort.signal) : work, timedOut]);
  } finally {
    cancel();
  }
}
