import { costOf } from '@maw/lab/contests/cost.ts';
import type { PairingResult } from '@maw/lab/contests/result.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { tellMoved } from './moved.ts';
import type { ContestContext, RunningContest } from './running-contest.ts';
import { type Standing, take } from './standing.ts';

/** Stores results, each once, and takes what is stored. */
export async function keepResults(
  context: ContestContext,
  { id }: RunningContest,
  standing: Standing,
  results: readonly PairingResult[],
): Promise<void> {
  const written = new Set(await context.contests.finish(id, results as never, context.now()));
  for (const result of results) {
    if (written.has(result.number)) countResult(standing, result);
    take(standing, written.has(result.number) ? [result] : await storedResult(context, id, result.number));
  }
  await tellMoved(context, id, 'running', standing.finished.size);
}

function countResult({ id, contest, plan, finished }: Standing, result: PairingResult): void {
  metrics.contestPairings.inc({ outcome: result.void ? 'void' : 'counted' });
  for (const { kind, times } of result.faults) metrics.contestFaults.inc({ kind }, times);
  for (const usage of result.usage) metrics.contestCost.inc({ model: usage.model }, costOf(contest, [usage]));
  metrics.contestShare.set({ contest: id }, (finished.size + 1) / plan.total);
}

/** The result that another replica has written before. */
const storedResult = async (
  { contests }: Pick<ContestContext, 'contests'>,
  id: string,
  number: number,
): Promise<readonly PairingResult[]> => (await contests.results(id, { after: number - 1, limit: 1 })) as readonly PairingResult[];
