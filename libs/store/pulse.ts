/** A time in which nobody who runs tables could work: no message could be heard, or nothing written. */
export interface Outage {
  /** When somebody last said that all was well, in milliseconds since the epoch. */
  readonly from: number;
  /** When somebody first said so again. */
  readonly to: number;
}

/**
 * The one pulse of all who run tables. As long as any of them beats there is no outage, however long others are silent. Clocks may differ: the
 * one that is ahead counts.
 */
export interface Pulse {
  /**
   * Says that all is well at `at`. When nobody has said so for more than `longestMs`, that was an outage, and it is written down in the same
   * moment: one, whoever beats at once. What is written down is the same for everybody.
   * @returns the outages there have been, at most the last hundred, the oldest first
   */
  beat(at: number, longestMs: number): Promise<readonly Outage[]>;
}

/** How many outages are remembered. */
export const MOST_OUTAGES = 100;
