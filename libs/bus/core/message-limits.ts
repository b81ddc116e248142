/** The largest body of a message, in bytes. */
export const MAX_MESSAGE_BYTES = 1_048_576;

/** How many messages may wait for a lost broker connection; in memory, for a consumer. */
export const MAX_WAITING = 10_000;

/** How many messages may be sent and unconfirmed at a time. */
export const MAX_UNCONFIRMED = 256;

/** How many messages the queue of a slow subscriber, and the queue of unroutable messages, retain: the newest. */
export const MAX_RETAINED = 10_000;

/** How long closing waits for work in flight, in milliseconds. */
export const GRACE_MS = 10_000;
