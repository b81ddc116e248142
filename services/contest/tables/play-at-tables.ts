import { semaphore } from '@maw/async/semaphore.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { keepResults } from '../keep-results.ts';
import type { ContestContext, RunningContest } from '../running-contest.ts';
import { type End, endOf, nextNumber, type Standing, tablesToOpen } from '../standing.ts';
import { hearTables } from './follow-table.ts';
import { keepLearned } from './keep-learned.ts';
import { playPairing } from './play-pairing.ts';
import type { Tables } from './tables.ts';

/**
 * Plays a contest at tables of the other services, as many at once as it may and there is room for. Those that run when it stops are played to
 * their end.
 * @throws Refused when a table cannot be opened; the reason of the abort of the running contest
 */
export async function playAtTables(context: ContestContext, running: RunningContest, standing: Standing): Promise<End> {
  const noMore = new AbortController();
  const signal = AbortSignal.any([noMore.signal, running.signal]);
  const tables: Tables = { context, running, standing, opening: semaphore(1), followed: new Map(), noMore: signal };
  const playing = new Map<number, Promise<void>>();
  const failures: unknown[] = [];
  const play = (number: number, attempt: number, begunAt?: string): void => {
    const task = playOne(tables, number, attempt, begunAt)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => {
        playing.delete(number);
        metrics.contestTables.set({ contest: running.id }, playing.size);
        running.notifier.notify();
      });
    playing.set(number, task);
    metrics.contestTables.set({ contest: running.id }, playing.size);
  };
  const wake = (): void => running.notifier.notify();
  const news = await hearTables(context.bus, tables.followed, running.signal);
  running.signal.addEventListener('abort', wake);
  try {
    const begun = await context.contests.begun(running.id);
    let end = endNow(running, standing);
    if (end) noMore.abort(); // those that were begun and not opened stay so
    for (const { number, attempt, table } of begun) play(number, attempt, table);
    for (;;) {
      running.signal.throwIfAborted();
      if (failures.length) throw failures[0];
      end ??= endNow(running, standing);
      if (end) noMore.abort();
      else beginTables(standing, playing, tablesToOpen(standing, playing.size, context.maxTables), play);
      if (end && !playing.size) return end;
      await running.notifier.wait(context.pollMs);
    }
  } finally {
    running.signal.removeEventListener('abort', wake);
    noMore.abort();
    await Promise.allSettled(playing.values());
    await news.stop();
  }
}

const endNow = ({ isStopping }: RunningContest, standing: Standing): End | undefined =>
  isStopping ? { state: 'stopped' } : endOf(standing);

/** Begins so many of the pairings that have no result and are not played. */
function beginTables(
  standing: Standing,
  playing: ReadonlyMap<number, unknown>,
  count: number,
  play: (number: number, attempt: number) => void,
): void {
  for (let left = count; left > 0;) {
    const number = nextNumber(standing);
    if (number === undefined) return;
    if (playing.has(number)) continue;
    play(number, 1);
    left--;
  }
}

async function playOne(tables: Tables, number: number, attempt: number, begunAt?: string): Promise<void> {
  const result = await playPairing(tables, number, attempt, begunAt);
  if (!result) return;
  await keepLearned(tables, result);
  await keepResults(tables.context, tables.running, tables.standing, [result]);
}
