import { metrics } from '@maw/telemetry/metrics.ts';
import { WATCHED } from './consumers.ts';
import type { LostTime } from './time-given-back.ts';

const WINDOW_MS = 600_000;
const CAUSES = ['outage', ...WATCHED];

/** Shows how much time was lost within the last ten minutes. The losses are those of the store: a restarted gamemaster shows the same. */
export function showTimeLost({ outages, absences }: LostTime, now: number): void {
  const losses = [...outages.map((outage) => ({ ...outage, queue: 'outage' })), ...absences];
  for (const cause of CAUSES) {
    const own = losses.filter(({ queue }) => queue === cause);
    const ms = own.reduce((sum, { from, to }) => sum + Math.max(0, (to ?? now) - Math.max(from, now - WINDOW_MS)), 0);
    metrics.timeLost.set({ service: 'gamemaster', cause }, ms / 1000);
  }
}

export function hideTimeLost(): void {
  for (const cause of CAUSES) metrics.timeLost.remove({ service: 'gamemaster', cause });
}
