import { Worker } from 'node:worker_threads';
import type { Count } from './counts.ts';
import type { Batch, BatchDone } from './worker.ts';

/** About so long a worker is left alone with some games. */
const BATCH_MS = 500;
const MOST_IN_BATCH = 1_000;

/**
 * Has workers play all games of all counts, in order, and keeps the counts.
 * @param heard hears of every broken law
 */
export async function runLawWorkers(
  size: number,
  counts: readonly Count[],
  signal: AbortSignal,
  heard: (count: Count, why: string) => void,
): Promise<void> {
  const batches = batchesOf(counts);
  const open = new Map<Count, Set<number>>(counts.map((count) => [count, new Set()]));

  async function work(): Promise<void> {
    const worker = new Worker(new URL('./worker.ts', import.meta.url));
    const stop = () => void worker.terminate();
    signal.addEventListener('abort', stop, { once: true });
    try {
      for (;;) {
        const next = signal.aborted ? undefined : batches();
        if (!next) return;
        const { count, batch } = next;
        open.get(count)!.add(batch.from);
        const done = await answered(worker, batch);
        if (!done) return; // stopped
        open.get(count)!.delete(batch.from);
        take(count, batch, done);
        for (const why of done.broken) {
          count.broken++;
          heard(count, why);
        }
      }
    } finally {
      signal.removeEventListener('abort', stop);
      await worker.terminate();
    }
  }

  function take(count: Count, { from, to }: Batch, { tried, ms }: BatchDone): void {
    count.done += to - from;
    count.games += tried.games;
    count.events += tried.events;
    count.acts += tried.acts;
    count.busyMs += ms;
    count.through = Math.min(next.get(count)!, ...open.get(count)!);
  }

  const next = new Map(counts.map((count) => [count, count.job.from]));
  /** Gives out batch after batch, larger where games are short. */
  function batchesOf(all: readonly Count[]): () => { readonly count: Count; readonly batch: Batch } | undefined {
    return () => {
      const count = all.find((each) => next.get(each)! < each.job.to);
      if (!count) return undefined;
      const { job, games, busyMs } = count;
      const fitting = games ? Math.min(MOST_IN_BATCH, Math.max(1, Math.round((BATCH_MS * games) / busyMs))) : 5;
      const from = next.get(count)!;
      const to = Math.min(job.to, from + fitting);
      next.set(count, to);
      return {
        count,
        batch: { rules: job.set.name, variant: job.variant.name, laws: job.laws, games: job.games, acts: job.acts, from, to },
      };
    };
  }

  await Promise.all(Array.from({ length: size }, work));
}

/** What a worker has done of a batch; undefined when it was stopped before. */
const answered = (worker: Worker, batch: Batch): Promise<BatchDone | undefined> =>
  new Promise((resolve, reject) => {
    const over = () => {
      worker.off('message', heard);
      worker.off('error', failed);
      worker.off('exit', left);
    };
    const heard = (done: BatchDone) => (over(), resolve(done));
    const failed = (error: Error) => (over(), reject(error));
    const left = () => (over(), resolve(undefined));
    worker.on('message', heard);
    worker.on('error', failed);
    worker.on('exit', left);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not to a window
    worker.postMessage(batch);
  });
