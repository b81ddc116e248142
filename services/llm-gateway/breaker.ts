/** closed: used. open: not used until its time is over. half-open: one job may try. */
export type BreakerState = 'closed' | 'open' | 'half-open';

/** Whether something that fails may be used. It knows no clock but what it is told, in milliseconds. */
export interface Breaker {
  state(at: number): BreakerState;
  /** Whether a job may go there now: it is closed, or half-open and nobody tries it. */
  mayTry(at: number): boolean;
  /** A job goes there. Half-open, it is the one that tries. */
  tried(at: number): void;
  passed(at: number): void;
  /** @param openMs opens it at once for so long, whatever came before */
  failed(at: number, openMs?: number): void;
  /** A job that went there came to nothing that says anything about it: cancelled, or its own fault. */
  nothing(): void;
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
  let isTrying = false;
  let rounds = 0;

  function state(at: number): BreakerState {
    if (openFor === 0) return 'closed';
    openedAt = Math.min(openedAt, at); // a clock that was set back must not keep it open for as long
    return at < openedAt + openFor ? 'open' : 'half-open';
  }

  function open(at: number, ms: number): void {
    openedAt = at;
    openFor = ms;
    isTrying = false;
  }

  return {
    state,
    mayTry: (at) => state(at) === 'closed' || (state(at) === 'half-open' && !isTrying),
    tried(at) {
      if (state(at) === 'half-open') isTrying = true;
    },
    passed(at) {
      if (state(at) === 'open') return; // it had begun before the others failed
      if (state(at) === 'half-open') last = [];
      openFor = 0;
      rounds = 0;
      isTrying = false;
      last = [...last, true].slice(-window);
    },
    failed(at, ms) {
      last = [...last, false].slice(-window);
      if (ms !== undefined) return open(at, Math.max(ms, state(at) === 'open' ? openedAt + openFor - at : 0));
      const now = state(at);
      if (now === 'open') return;
      const row = last.slice(-inRow);
      const isBad = row.length === inRow && row.every((one) => !one);
      const isOften = last.length === window && last.filter((one) => !one).length > window / 2;
      if (now === 'half-open' || isBad || isOften) open(at, Math.min(mostOpenMs, openMs * 2 ** rounds++));
    },
    nothing() {
      isTrying = false;
    },
    until: (at) => (state(at) === 'open' ? openedAt + openFor : undefined),
  };
}
