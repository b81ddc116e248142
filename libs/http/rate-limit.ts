import { LRUCache } from 'lru-cache';

export interface Rate {
  /** Requests, or tokens, per minute in the long run. 0: unlimited. */
  readonly perMinute: number;
  /** How many may come at once after a rest, at least 1. */
  readonly burst: number;
}

/** One bucket per key. `at` is in milliseconds; the limiter has no clock of its own. */
export interface RateLimiter {
  /**
   * Takes `cost` for `key`. Returns 0, or, without taking anything, the milliseconds until the same would be admitted. A cost above the burst
   * is admitted for a key that has rested, and owed.
   */
  take(key: string, at: number, cost?: number): number;
  /** Corrects an estimated cost by `more`, which may be negative. What exceeds the burst is owed. */
  settle(key: string, at: number, more: number): void;
  /** The milliseconds until the next one would be admitted; takes nothing. */
  waitMs(key: string, at: number): number;
  /** Changes the rate; a different one resets all keys. */
  setRate(rate: Rate): void;
  /** Number of keys in memory. */
  readonly size: number;
}

const MINUTE_MS = 60_000;
/** Above, the least recently used key is forgotten. */
const MAX_KEYS = 50_000;
/** The largest debt of a key, in minutes of its rate. */
const MAX_MINUTES_OWED = 10;

/**
 * The generic cell rate algorithm (ITU-T I.371, virtual scheduling) per key: one number each, the theoretical arrival time.
 * Time is counted from the first request in units of 1/perMinute milliseconds, so that rounding never adds up: the limit is exact.
 */
export function rateLimiter(initial: Rate): RateLimiter {
  const arrivals = new LRUCache<string, number>({ max: MAX_KEYS });
  let { perMinute, burst } = initial;
  let epoch: number | undefined;
  let last: number | undefined;

  /** A clock that is set back must not lock anybody out: time goes on from where it was. */
  function timeOf(at: number): number {
    epoch ??= at;
    if (last !== undefined && at < last) epoch -= last - at;
    last = at;
    return (at - epoch) * perMinute;
  }

  const arrivalOf = (key: string, time: number): number =>
    Math.min(Math.max(arrivals.peek(key) ?? time, time), time + Math.max(burst, MAX_MINUTES_OWED * perMinute) * MINUTE_MS);
  const earlyBy = (key: string, time: number, cost: number): number => arrivalOf(key, time) - time - Math.max(0, burst - cost) * MINUTE_MS;

  const add = (key: string, time: number, cost: number): void => void arrivals.set(key, arrivalOf(key, time) + cost * MINUTE_MS);

  return {
    take(key, at, cost = 1) {
      if (perMinute === 0) return 0;
      const time = timeOf(at);
      const early = earlyBy(key, time, cost);
      add(key, time, early > 0 ? 0 : cost);
      return early > 0 ? Math.ceil(early / perMinute) : 0;
    },
    settle(key, at, more) {
      if (perMinute !== 0 && more !== 0) add(key, timeOf(at), more);
    },
    waitMs: (key, at) => (perMinute === 0 ? 0 : Math.max(0, Math.ceil(earlyBy(key, timeOf(at), 1) / perMinute))),
    setRate(rate) {
      if (rate.perMinute === perMinute && rate.burst === burst) return;
      ({ perMinute, burst } = rate);
      arrivals.clear();
    },
    get size() {
      return arrivals.size;
    },
  };
}
