import { MOST_OUTAGES, type Outage, type Pulse } from './pulse.ts';

/** The pulse in memory. @param now its clock, in milliseconds since the epoch */
export function memoryPulse(now: () => number): Pulse {
  let last: number | undefined;
  let outages: readonly Outage[] = [];
  return {
    async beat(longestMs) {
      const at = now();
      if (last !== undefined && at - last > longestMs) outages = [...outages, { from: last, to: at }].slice(-MOST_OUTAGES);
      last = Math.max(at, last ?? at);
      return { now: at, outages: outages.map((outage) => ({ ...outage })) };
    },
  };
}
