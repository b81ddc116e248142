/** closed: used. open: not used until its time is over. half-open: one job may try. */
export type BreakerState = 'closed' | 'open' | 'half-open';

/**
 * Whether something that fails may be used. It knows no clock but what it is told, in milliseconds. Half-open, only what comes of the one job that
 * tries counts: `who` says whose outcome it is, the same as it was tried by. Older jobs went there before it failed, and say nothing of how it is
 * now.
 */
export interface Breaker {
  state(at: number): BreakerState;
  /** Whether a job may go there now: it is closed, or half-open and nobody tries it. */
  mayTry(at: number): boolean;
  /** A job goes there. Half-open, it is the one that tries. */
  tried(at: number, who?: object): void;
  passed(at: number, who?: object): void;
  /** @param openMs opens it at once for so long, whatever came before, and whoever says it */
  failed(at: number, openMs?: number, who?: object): void;
  /** A job that went there came to nothing that says anything about it: cancelled, or its own fault. */
  nothing(who?: object): void;
  /** When it may be tried again; undefined while it may be. */
  until(at: number): number | undefined;
}

export interface BreakerOptions {
  /** So many failures one after another open it. */
  readonly inRow: number;
  /** More than half of so many last ones open it too. */
  readonly window: number;
  /** How long it stays open the first time, doubled each time a trial fails. */
  readonly openMs: number;
  readonly mostOpenMs: number;
}

export const usualBreaker: BreakerOptions = { inRow: 3, window: 20, openMs: 5_000, mostOpenMs: 60_000 };

export function breaker({ inRow, window, openMs, mostOpenMs }: BreakerOptions = usualBreaker): Breaker {
  let last: boolean[] = [];
  let openedAt = 0;
  let openFor = 0;
  /** The one that tries. */
  let trying: { readonly who: object | undefined } | undefined;
  let rounds = 0;

  function state(at: number): BreakerState {
    if (openFor === 0) return 'closed';
    openedAt = Math.min(openedAt, at); // a clock that was set back must not keep it open for as long
    return at < openedAt + openFor ? 'open' : 'half-open';
  }

  function open(at: number, ms: number): void {
    openedAt = at;
    openFor = ms;
    trying = undefined;
  }

  const isTrying = (who: object | undefined): boolean => trying !== undefined && trying.who === who;

  return {
    state,
    mayTry: (at) => state(at) === 'closed' || (state(at) === 'half-open' && !trying),
    tried(at, who) {
      if (state(at) === 'half-open') trying = { who };
    },
    passed(at, who) {
      if (state(at) === 'open' || (state(at) === 'half-open' && !isTrying(who))) return; // it had begun before the others failed
      if (state(at) === 'half-open') last = [];
      openFor = 0;
      rounds = 0;
      trying = undefined;
      last = [...last, true].slice(-window);
    },
    failed(at, ms, who) {
      if (ms === undefined && state(at) === 'half-open' && !isTrying(who)) return;
      last = [...last, false].slice(-window);
      if (ms !== undefined) return open(at, Math.max(ms, state(at) === 'open' ? openedAt + openFor - at : 0));
      const now = state(at);
      if (now === 'open') return;
      const row = last.slice(-inRow);
      const isBad = row.length === inRow && row.every((one) => !one);
      const isOften = last.length === window && last.filter((one) => !one).length > window / 2;
      if (now === 'half-open' || isBad || isOften) open(at, Math.min(mostOpenMs, openMs * 2 ** rounds++));
    },
    nothing(who) {
      if (isTrying(who)) trying = undefined;
    },
    until: (at) => (state(at) === 'open' ? openedAt + openFor : undefined),
  };
}
