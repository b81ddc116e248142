/** closed: used. open: not used until its time is over. half-open: one attempt may try. */
export type BreakerState = 'closed' | 'open' | 'half-open';

export type CircuitBreaker = ReturnType<typeof circuitBreaker>;

/** This many consecutive failures open it. */
const CONSECUTIVE_FAILURES = 3;
/** It opens too when more than half of this many attempts fail. */
const WINDOW = 20;
/** How long it opens at first, in milliseconds; doubled by each failed trial. */
const OPEN_MS = 5_000;
const MAX_OPEN_MS = 60_000;

/**
 * A circuit breaker. Times are passed in, in milliseconds. While it is half-open, only the outcome of the one trial attempt counts: older
 * attempts began before the failures and say nothing of how things are now. `attempt` identifies whose outcome it is.
 */
export function circuitBreaker() {
  /** The last outcomes, the newest last; true is a success. */
  const outcomes: boolean[] = [];
  let openedAt = 0;
  /** 0: closed. */
  let openForMs = 0;
  let trial: { readonly attempt: object | undefined } | undefined;
  let failedTrials = 0;

  function state(at: number): BreakerState {
    if (openForMs === 0) return 'closed';
    openedAt = Math.min(openedAt, at); // a clock that was set back must not prolong it
    return at < openedAt + openForMs ? 'open' : 'half-open';
  }

  function open(at: number, ms: number): void {
    openedAt = at;
    openForMs = ms;
    trial = undefined;
  }

  const isTrial = (attempt: object | undefined): boolean => trial !== undefined && trial.attempt === attempt;

  return {
    state,
    /** Whether an attempt may start: it is closed, or half-open without a trial. */
    allows: (at: number): boolean => state(at) === 'closed' || (state(at) === 'half-open' && !trial),
    /** An attempt starts; when half-open, it is the trial. */
    attempted(at: number, attempt?: object): void {
      if (state(at) === 'half-open') trial = { attempt };
    },
    succeeded(at: number, attempt?: object): void {
      const before = state(at);
      if (before === 'open' || (before === 'half-open' && !isTrial(attempt))) return; // it began before the failures
      if (before === 'half-open') outcomes.length = 0;
      openForMs = 0;
      failedTrials = 0;
      trial = undefined;
      remember(outcomes, true);
    },
    /** @param ms opens it at once for this time, whichever attempt reports it */
    failed(at: number, ms?: number, attempt?: object): void {
      if (ms === undefined && state(at) === 'half-open' && !isTrial(attempt)) return;
      remember(outcomes, false);
      if (ms !== undefined) return open(at, Math.max(ms, state(at) === 'open' ? openedAt + openForMs - at : 0));
      const now = state(at);
      if (now === 'open') return;
      if (now === 'half-open' || hasTooManyFailures(outcomes)) open(at, Math.min(MAX_OPEN_MS, OPEN_MS * 2 ** failedTrials++));
    },
    /** The attempt says nothing of the server: it was cancelled, or failed by its own fault. */
    inconclusive(attempt?: object): void {
      if (isTrial(attempt)) trial = undefined;
    },
    /** When it may be tried again; undefined: now. */
    openUntil: (at: number): number | undefined => (state(at) === 'open' ? openedAt + openForMs : undefined),
  };
}

function remember(outcomes: boolean[], isSuccess: boolean): void {
  outcomes.push(isSuccess);
  if (outcomes.length > WINDOW) outcomes.shift();
}

function hasTooManyFailures(outcomes: readonly boolean[]): boolean {
  const row = outcomes.slice(-CONSECUTIVE_FAILURES);
  if (row.length === CONSECUTIVE_FAILURES && !row.includes(true)) return true;
  return outcomes.length === WINDOW && outcomes.filter((isSuccess) => !isSuccess).length > WINDOW / 2;
}
