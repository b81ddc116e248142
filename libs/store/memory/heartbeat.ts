import { MAX_OUTAGES, type Outage, type Heartbeat } from '../ports/heartbeat.ts';

/** A heartbeat in memory. @param now its clock, in milliseconds since the epoch */
export function memoryHeartbeat(now: () => number): Heartbeat {
  let last: number | undefined;
  let outages: readonly Outage[] = [];
  return {
    async beat(longestMs) {
      const at = now();
      if (last !== undefined && at - last > longestMs) outages = [...outages, { from: last, to: at }].slice(-MAX_OUTAGES);
      last = Math.max(at, last ?? at);
      return { now: at, outages: outages.map((outage) => ({ ...outage })) };
    },
  };
}
