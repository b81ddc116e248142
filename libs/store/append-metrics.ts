import { metrics, startAtZero } from '@maw/telemetry/metrics.ts';
import { Conflict, type Tapes } from './ports/tapes.ts';

/** Tapes that measure how long appends take, the wait for a group commit included, and count conflicts. */
export function withAppendMetrics(tapes: Tapes, service: string): Tapes {
  startAtZero(metrics.conflicts, { service: [service] });
  return {
    ...tapes,
    async append(table, after, events, writing) {
      const stop = metrics.appendSeconds.startTimer({ service });
      try {
        await tapes.append(table, after, events, writing);
      } catch (error) {
        if (error instanceof Conflict) metrics.conflicts.inc({ service });
        throw error;
      } finally {
        stop();
      }
    },
  };
}
