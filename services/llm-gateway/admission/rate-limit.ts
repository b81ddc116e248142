export interface Rate {
  /** Requests, or tokens, per minute in the long run; 0 means without limit. */
  readonly perMinute: number;
  /** How many may come at once after a rest, at least 1. */
  readonly burst: number;
}

export interface Limits {
  /**
   * Counts `cost` of `agent` at `at` (milliseconds, never by a clock of its own). 0 when it may go on; otherwise nothing is counted, and the
   * same would be taken after so many milliseconds. What costs more than the burst is taken from whoever has rested, and owed.
   */
  admit(agent: string, at: number, cost?: number): number;
  /** What was counted as an estimate cost so much more in truth, or less when negative. What is too much is owed. */
  settle(agent: string, at: number, more: number): void;
  /** How long the agent has to wait for the next one, in milliseconds; nothing is counted. */
  waitMs(agent: string, at: number): number;
  /** Another rate from now on; what was counted is forgotten when it differs. */
  set(rate: Rate): void;
  /** How many agents are remembered. */
  readonly size: number;
}

const MINUTE = 60_000;
const FEW = 1_000;
/** Nobody owes more than so many minutes. */
const MOST_MINUTES_OWED = 10;

/**
 * Per agent, the generic cell rate algorithm (ITU-T I.371, virtual scheduling): one number for each, the theoretical arrival time.
 * Time is counted from the first request in units of 1/perMinute milliseconds, so that no rounding adds up: the limit is exact.
 */
export function limits(first: Rate): Limits {
  const due = new Map<string, number>();
  let { perMinute, burst } = first;
  let epoch: number | undefined;
  let last: number | undefined;
  let sweepAt = FEW;

  /** Whoever has rested long enough is like one who never came. */
  function forgetRested(time: number): void {
    if (due.size < sweepAt) return;
    for (const [agent, arrival] of due) if (arrival <= time) due.delete(agent);
    sweepAt = Math.max(FEW, 2 * due.size);
  }

  /** A clock that was set back must not lock anybody out for as long: time goes on from where it was. */
  function timeOf(at: number): number {
    epoch ??= at;
    if (last !== undefined && at < last) epoch -= last - at;
    last = at;
    return (at - epoch) * perMinute;
  }

  const arrivalOf = (agent: string, time: number): number =>
    Math.min(Math.max(due.get(agent) ?? time, time), time + Math.max(burst, MOST_MINUTES_OWED * perMinute) * MINUTE);

  const earlyBy = (agent: string, time: number, cost: number): number => arrivalOf(agent, time) - time - Math.max(0, burst - cost) * MINUTE;

  return {
    admit(agent, at, cost = 1) {
      if (perMinute === 0) return 0;
      const time = timeOf(at);
      forgetRested(time);
      const early = earlyBy(agent, time, cost);
      if (early > 0) return Math.ceil(early / perMinute);
      due.set(agent, arrivalOf(agent, time) + cost * MINUTE);
      return 0;
    },
    settle(agent, at, more) {
      if (perMinute === 0 || more === 0) return;
      const time = timeOf(at);
      due.set(agent, arrivalOf(agent, time) + more * MINUTE);
    },
    waitMs(agent, at) {
      if (perMinute === 0) return 0;
      return Math.max(0, Math.ceil(earlyBy(agent, timeOf(at), 1) / perMinute));
    },
    set(rate) {
      if (rate.perMinute === perMinute && rate.burst === burst) return;
      ({ perMinute, burst } = rate);
      due.clear();
    },
    get size() {
      return due.size;
    },
  };
}
