import type { Instant } from './question.ts';
import type { TableEvent } from './rules.ts';

/** The longest pause: a day, in milliseconds. Then the table goes on by itself. */
export const MAX_PAUSE_MS = 86_400_000;

/** While a table is paused: since when, and at the latest until when. */
export interface Pause {
  readonly since: Instant;
  readonly until: Instant;
}

/** The beginning of a pause. */
export const paused = (now: Instant): TableEvent => ({ type: 'paused', at: now, until: now + MAX_PAUSE_MS });

/** The end of a pause. Whatever is due then has all the time back that passed until now. */
export const resumed = ({ since }: Pause, now: Instant): TableEvent => ({ type: 'resumed', ms: now - since, at: now });

/** Whether a table goes on by itself now. */
export const isExpired = ({ until }: Pause, now: Instant): boolean => now >= until;
