export interface Rate {
  /** Requests per minute in the long run; 0 means without limit. */
  readonly perMinute: number;
  /** How many may come at once after a rest, at least 1. */
  readonly burst: number;
}

export interface Limits {
  /**
   * Counts a request of `agent` at `at` (milliseconds, never by a clock of its own). 0 when it may go on; otherwise nothing is counted,
   * and the same request would be taken after so many milliseconds.
   */
  admit(agent: string, at: number): number;
  /** How many agents are remembered. */
  readonly size: number;
}

const MINUTE = 60_000;
const FEW = 1_000;

/**
 * Per agent, the generic cell rate algorithm (ITU-T I.371, virtual scheduling): one number for each, the theoretical arrival time.
 * Time is counted from the first request in units of 1/perMinute milliseconds, so that no rounding adds up: the limit is exact.
 */
export function limits({ perMinute, burst }: Rate): Limits {
  const due = new Map<string, number>();
  const tolerance = (burst - 1) * MINUTE;
  let epoch: number | undefined;
  let sweepAt = FEW;

  /** Whoever has rested long enough is like one who never came. */
  function forgetRested(time: number): void {
    if (due.size < sweepAt) return;
    for (const [agent, arrival] of due) if (arrival <= time) due.delete(agent);
    sweepAt = Math.max(FEW, 2 * due.size);
  }

  return {
    admit(agent, at) {
      if (perMinute === 0) return 0;
      epoch ??= at;
      const time = (at - epoch) * perMinute;
      forgetRested(time);
      // A clock that was set back must not lock anybody out for as long.
      const arrival = Math.min(Math.max(due.get(agent) ?? time, time), time + burst * MINUTE);
      const early = arrival - time - tolerance;
      if (early > 0) return Math.ceil(early / perMinute);
      due.set(agent, arrival + MINUTE);
      return 0;
    },
    get size() {
      return due.size;
    },
  };
}
