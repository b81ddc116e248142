import { MOST_OUTAGES, type Outage, type Pulse } from './pulse.ts';

/** The pulse in memory. */
export function memoryPulse(): Pulse {
  let last: number | undefined;
  let outages: readonly Outage[] = [];
  return {
    async beat(at, longestMs) {
      if (last !== undefined && at - last > longestMs) outages = [...outages, { from: last, to: at }].slice(-MOST_OUTAGES);
      last = Math.max(at, last ?? at);
      return outages.map((outage) => ({ ...outage }));
    },
  };
}
