/**
 * What may be done about an attempt that failed: tried on another server; the same, or where there is no other on the same one once it has
 * rested; tried once more with what was wrong said; nothing.
 */
export type Again = 'elsewhere' | 'later' | 'repaired' | 'never';

/** How many more times than once anything is tried. Kept over all requests, so that trouble does not double itself. */
export interface RetryBudget {
  /** A request has come: it brings its share. */
  arrived(): void;
  /** Whether there is one more; it is spent then. */
  spend(): boolean;
  readonly left: number;
}

/** @param share retries per request in the long run @param most how many are saved up */
export function retryBudget(share = 0.1, most = 20): RetryBudget {
  let left = most / 2;
  return {
    arrived: () => void (left = Math.min(most, left + share)),
    spend() {
      if (left < 1) return false;
      left -= 1;
      return true;
    },
    get left() {
      return left;
    },
  };
}

/** How often one completion is tried: once more elsewhere, and once more to repair its answer. */
export const MOST_ELSEWHERE = 1;
export const MOST_REPAIRS = 1;
/** What is left of the time must be so much more than what is expected. */
export const WORTH = 1.2;
