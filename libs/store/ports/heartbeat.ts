/** A time in which no gamemaster could work: the broker or the database took nothing from any of them. */
export interface Outage {
  /** The last heartbeat before it, in milliseconds since the epoch. */
  readonly from: number;
  /** The first heartbeat after it. */
  readonly to: number;
}

/** A time in which nobody consumed a queue. */
export interface Absence {
  readonly queue: string;
  /** The last heartbeat that found a consumer, in milliseconds since the epoch. */
  readonly from: number;
  /** The first heartbeat that found one again; null while there is none. */
  readonly to: number | null;
}

/** The answer to a heartbeat. */
export interface HeartbeatReply {
  /** The store's clock, milliseconds since the epoch, at some moment between call and answer. */
  readonly now: number;
  /** The last outages, at most MAX_OUTAGES, the oldest first. */
  readonly outages: readonly Outage[];
  /** The last absences that are over, at most MAX_OUTAGES, the oldest first; then those that last. */
  readonly absences: readonly Absence[];
}

/** What a beat says and requires. */
interface BeatOptions {
  /** The queues that have a consumer now. A queue that was never named has no absences. */
  readonly consumed?: readonly string[];
  /** Whether to beat only if tapes can be appended to, which includes that their files can grow. */
  readonly isProbe?: boolean;
}

/**
 * One heartbeat shared by all gamemasters: while any of them beats there is no outage. It is dated by the store's clock, so the clocks of the
 * gamemasters do not matter.
 */
export interface Heartbeat {
  /**
   * Beats. A silence of more than `maxSilenceMs` before it is recorded as an outage in the same transaction, once however many beat at the same
   * time; likewise the absence of a queue's consumers. All callers see the same.
   */
  beat(maxSilenceMs: number, options?: BeatOptions): Promise<HeartbeatReply>;
}

/** How many outages are remembered, and how many absences. */
export const MAX_OUTAGES = 100;

/** What a store keeps of the consumers of queues. */
interface ConsumerRecord {
  /** By queue: when a heartbeat last found a consumer. */
  readonly consumed: Readonly<Record<string, number>>;
  /** The absences that are over, the oldest first. */
  readonly absences: readonly Absence[];
}

/** The absences that are over and those that last. */
export const absencesAt = (now: number, maxSilenceMs: number, { consumed, absences }: ConsumerRecord): readonly Absence[] => [
  ...absences,
  ...Object.entries(consumed).flatMap(([queue, from]) => (now - from > maxSilenceMs ? [{ queue, from, to: null }] : [])),
];
