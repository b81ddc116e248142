/** A time in which no gamemaster could work: the broker or the database was unreachable for all of them. */
export interface Outage {
  /** The last heartbeat before it, in milliseconds since the epoch. */
  readonly from: number;
  /** The first heartbeat after it. */
  readonly to: number;
}

/** The answer to a heartbeat. */
export interface HeartbeatReply {
  /** The store's clock, milliseconds since the epoch, at some moment between call and answer. */
  readonly now: number;
  /** The last outages, at most MAX_OUTAGES, the oldest first. */
  readonly outages: readonly Outage[];
}

/**
 * One heartbeat shared by all gamemasters: while any of them beats there is no outage. It is dated by the store's clock, so the clocks of the
 * gamemasters do not matter.
 */
export interface Heartbeat {
  /**
   * Beats. A silence of more than `longestMs` before it is recorded as an outage in the same transaction, once however many beat at the same
   * time. All callers see the same outages.
   */
  beat(longestMs: number): Promise<HeartbeatReply>;
}

/** How many outages are remembered. */
export const MAX_OUTAGES = 100;
