/** A time in which nobody who runs tables could work: no message could be heard, or nothing written. */
export interface Outage {
  /** When somebody last said that all was well, in milliseconds since the epoch. */
  readonly from: number;
  /** When somebody first said so again. */
  readonly to: number;
}

/** What whoever says that all is well learns. */
export interface HeartbeatReply {
  /** The time by the clock of the store, milliseconds since the epoch: some moment between the asking and the answer. */
  readonly now: number;
  /** The outages there have been, at most the last hundred, the oldest first. */
  readonly outages: readonly Outage[];
}

/**
 * The one pulse of all who run tables. As long as any of them beats there is no outage, however long others are silent. It is dated by the
 * clock of the store and by no other, so that it does not matter what the clocks of those who beat say.
 */
export interface Heartbeat {
  /**
   * Says that all is well. When nobody has said so for more than `longestMs`, that was an outage, and it is written down in the same
   * moment: one, whoever beats at once. What is written down is the same for everybody.
   */
  beat(longestMs: number): Promise<HeartbeatReply>;
}

/** How many outages are remembered. */
export const MAX_OUTAGES = 100;
