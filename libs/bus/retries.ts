/** How often a message is redelivered after its consumer died before the broker dead-letters it. */
export const MAX_DELIVERIES = 20;

/**
 * The delays before a further attempt, in milliseconds; each queue has a delay queue for each. The last bounds how long
 * messages still wait after a fault is fixed.
 */
export const DELAYS_MS: readonly number[] = [250, 1_000, 5_000];

/** The delay before each further attempt. Together they outlast the restart of a database: a minute and a half. */
export const RETRY_MS: readonly number[] = [...DELAYS_MS, ...Array<number>(17).fill(DELAYS_MS.at(-1)!)];

/** How long a request waits for its reply before it is sent again, in milliseconds. */
export const RESEND_MS = 5_000;
