/** How often a message is redelivered after its consumer died before the broker dead-letters it. */
export const MAX_DELIVERIES = 20;

/** The largest body of a message, in bytes. */
export const MAX_MESSAGE_BYTES = 1_048_576;

/** How many messages may wait for a lost broker connection; in memory, for a consumer. */
export const MAX_WAITING = 10_000;

/** How many messages may be sent and unconfirmed at a time. */
export const MAX_UNCONFIRMED = 256;

/** How many messages the queue of a slow subscriber, and the queue of unroutable messages, retain: the newest. */
export const MAX_RETAINED = 10_000;

/**
 * The delays before a further attempt, in milliseconds; each queue has a delay queue for each. The last bounds how long
 * messages still wait after a fault is fixed.
 */
export const DELAYS_MS: readonly number[] = [250, 1_000, 5_000];

/** The delay before each further attempt. Together they outlast the restart of a database: a minute and a half. */
export const RETRY_MS: readonly number[] = [...DELAYS_MS, ...Array<number>(17).fill(DELAYS_MS.at(-1)!)];

/** How long a request waits for its reply before it is sent again, in milliseconds. */
export const RESEND_MS = 5_000;

/** How long closing waits for work in flight, in milliseconds. */
export const GRACE_MS = 10_000;
