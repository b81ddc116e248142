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

/**
 * How long a handler should keep a message at most, in milliseconds: a third of the time after which RabbitMQ takes it away and closes the channel
 * with all others (`consumer_timeout`, 30 minutes unless the broker is configured otherwise).
 */
export const LONGEST_HELD_MS = 10 * 60_000;

/** Thrown by a handler that has stored how far it is and goes on when the message comes again, which is no failed attempt. */
export class ComeAgain extends Error {
  override readonly name = 'ComeAgain';
}
