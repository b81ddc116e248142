import { costOf } from '@maw/lab/contests/cost.ts';
import type { PairingResult } from '@maw/lab/contests/result.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import type { Standing } from './standing.ts';

/** Counts a result that was written. */
export function countResults({ id, contest, plan, finished }: Standing, result: PairingResult): void {
  metrics.contestPairings.inc({ outcome: result.void ? 'void' : 'counted' });
  for (const { kind, times } of result.faults) metrics.contestFaults.inc({ kind }, times);
  for (const usage of result.usage) metrics.contestCost.inc({ model: usage.model }, costOf(contest, [usage]));
  metrics.contestShare.set({ contest: id }, (finished.size + 1) / plan.total);
}

/** Counts the tables of a contest that are played now. */
export const countTables = (contest: string, tables: number): void => metrics.contestTables.set({ contest }, tables);

/** A contest has ended, or another replica plays it: nothing more is said of it here. */
export function countEnd(contest: string): void {
  metrics.contestShare.remove({ contest });
  metrics.contestTables.remove({ contest });
}
