import { playArena } from '@maw/lab/contests/arena/play-arena.ts';
import type { PairingResult } from '@maw/lab/contests/result.ts';
import { policiesFor } from './policies.ts';
import { keepResults } from './keep-results.ts';
import type { ContestContext, RunningContest } from './running-contest.ts';
import { type End, endOf, type Standing, unfinished } from './standing.ts';

/**
 * Plays a contest in threads of this process. Results are stored in batches: what was played since the last one is played again after a crash.
 * @throws the reason of the abort of the running contest
 */
export async function playInArena(context: ContestContext, running: RunningContest, standing: Standing): Promise<End> {
  for (;;) {
    running.signal.throwIfAborted();
    const end = running.isStopping ? ({ state: 'stopped' } as const) : endOf(standing);
    const error = end ? undefined : await playOpenPairings(context, running, standing);
    if (error) return { state: 'failed', why: error.message };
    if (end) return end;
  }
}

/** Plays what can be planned now, until the contest is to end. Returns an error of the arena itself, which would only come again. */
async function playOpenPairings(context: ContestContext, running: RunningContest, standing: Standing): Promise<Error | undefined> {
  const policies = await policiesFor(context, standing.contest);
  const stop = new AbortController();
  let played: PairingResult[] = [];
  let writing = Promise.resolve();
  const store = async (before: Promise<void>, results: readonly PairingResult[]): Promise<void> => {
    await before;
    await keepResults(context, running, standing, results);
    if (running.isStopping || endOf(standing)) stop.abort();
  };
  const write = (): void => {
    const results = played;
    played = [];
    if (!results.length) return;
    writing = store(writing, results);
    writing.catch(() => stop.abort()); // thrown below
  };
  const timer = setInterval(() => (running.isStopping ? stop.abort() : write()), context.batchMs);
  const error = await playArena(standing.contest, {
    policies,
    from: [...unfinished(standing)],
    ...(standing.finalists ? { finalists: standing.finalists } : {}),
    recipes: context.recipes,
    workers: context.workers,
    signal: AbortSignal.any([stop.signal, running.signal]),
    each(result) {
      played.push(result);
      if (played.length >= context.batch) write();
    },
  }).then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  clearInterval(timer);
  write();
  await writing;
  return error;
}
