import { Refusal } from '@maw/contracts/refusal.ts';

/** Refused because of a limit. */
export class RateLimitedError extends Refusal {
  /** @param waitMs after how many milliseconds the same would be let in, as far as the limit can tell; undefined: time does not help */
  constructor(why: string, waitMs: number | undefined) {
    super('limited', waitMs === undefined ? why : `${why}; ask again in ${waitMs} ms`, waitMs);
  }
}
