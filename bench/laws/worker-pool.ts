import { Worker } from 'node:worker_threads';
import type { Count } from './counts.ts';
import type { Batch, BatchDone } from './worker.ts';

/** The target duration of a batch. */
const BATCH_MS = 500;
const FIRST_BATCH = 5;
const MAX_IN_BATCH = 1_000;

/** Has worker threads play all games of all counts, in order, and updates the counts. @param onBroken is called for every broken law */
export async function runLawWorkers(
  size: number,
  counts: readonly Count[],
  signal: AbortSignal,
  onBroken: (count: Count, why: string) => void,
): Promise<void> {
  const queue = new BatchQueue(counts);
  await Promise.all(Array.from({ length: size }, () => work(queue, signal, onBroken)));
}

async function work(queue: BatchQueue, signal: AbortSignal, onBroken: (count: Count, why: string) => void): Promise<void> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url));
  const stop = () => void worker.terminate();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      const next = signal.aborted ? undefined : queue.take();
      const done = next && (await answered(worker, next.batch));
      if (!done) return; // no batch is left, or the worker was stopped
      queue.finish(next.count, next.batch, done);
      for (const why of done.broken) {
        next.count.broken++;
        onBroken(next.count, why);
      }
    }
  } finally {
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}

/** Hands out batches, larger ones where games are short, and keeps the counts of those that are done. */
class BatchQueue {
  readonly #counts: readonly Count[];
  readonly #next: Map<Count, number>;
  /** The first games of unfinished batches. */
  readonly #open: Map<Count, Set<number>>;

  constructor(counts: readonly Count[]) {
    this.#counts = counts;
    this.#next = new Map(counts.map((count) => [count, count.job.from]));
    this.#open = new Map(counts.map((count) => [count, new Set()]));
  }

  take(): { readonly count: Count; readonly batch: Batch } | undefined {
    const count = this.#counts.find((each) => this.#next.get(each)! < each.job.to);
    if (!count) return undefined;
    const { job, games, busyMs } = count;
    const size = games ? Math.min(MAX_IN_BATCH, Math.max(1, Math.round((BATCH_MS * games) / busyMs))) : FIRST_BATCH;
    const from = this.#next.get(count)!;
    const to = Math.min(job.to, from + size);
    this.#next.set(count, to);
    this.#open.get(count)!.add(from);
    const { laws, acts } = job;
    return { count, batch: { rules: job.set.name, variant: job.variant.name, laws, games: job.games, acts, from, to } };
  }

  finish(count: Count, { from, to }: Batch, { tried, ms }: BatchDone): void {
    const open = this.#open.get(count)!;
    open.delete(from);
    count.done += to - from;
    count.games += tried.games;
    count.events += tried.events;
    count.acts += tried.acts;
    count.busyMs += ms;
    count.through = Math.min(this.#next.get(count)!, ...open);
  }
}

/** Undefined when the worker was stopped before. */
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
