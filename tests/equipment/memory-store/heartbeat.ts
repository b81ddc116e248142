import { type Absence, absencesAt, MAX_OUTAGES, type Outage, type Heartbeat } from '@maw/store/ports/heartbeat.ts';

/** A heartbeat in memory. @param now its clock, in milliseconds since the epoch */
export function memoryHeartbeat(now: () => number): Heartbeat {
  let last: number | undefined;
  let outages: readonly Outage[] = [];
  let absences: readonly Absence[] = [];
  const consumedAt: Record<string, number> = {};
  return {
    async beat(maxSilenceMs, { consumed = [] } = {}) {
      const at = now();
      if (last !== undefined && at - last > maxSilenceMs) outages = [...outages, { from: last, to: at }].slice(-MAX_OUTAGES);
      last = Math.max(at, last ?? at);
      for (const queue of consumed) {
        const from = consumedAt[queue] ?? at;
        if (at - from > maxSilenceMs) absences = [...absences, { queue, from, to: at }].slice(-MAX_OUTAGES);
        consumedAt[queue] = Math.max(at, from);
      }
      return {
        now: at,
        outages: outages.map((outage) => ({ ...outage })),
        absences: absencesAt(at, maxSilenceMs, { consumed: consumedAt, absences }).map((absence) => ({ ...absence })),
      };
    },
  };
}
