import { Refusal } from '@maw/contracts/refusal.ts';

/** A request was refused because of a limit. */
export class RateLimitedError extends Refusal {
  /** @param waitMs when the limit would admit it, in milliseconds; undefined: waiting does not help */
  constructor(why: string, waitMs: number | undefined) {
    super('limited', waitMs === undefined ? why : `${why}; ask again in ${waitMs} ms`, waitMs);
  }
}
