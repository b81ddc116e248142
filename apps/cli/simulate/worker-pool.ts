import { Worker } from 'node:worker_threads';
import type { Job } from './job.ts';
import type { Simulated } from './simulator.ts';
import type { WorkerMessage } from './worker.ts';

interface WorkerPool {
  readonly games: number;
  readonly workers: number;
  readonly signal: AbortSignal;
  /** Called for each game, in the order of their numbers. */
  each(simulated: Simulated): void;
  /** Called with the number of games played so far, in whatever order. */
  progress?(done: number): void;
}

/** The most games in a block: small enough that all workers end at about the same time. */
const MAX_AT_ONCE = 200;

/**
 * Plays the games of a job on several threads. What comes of a game depends on its number alone, not on who plays it or when.
 * Stopped by the signal, it gives what has been played by then.
 * @returns how many games were played
 * @throws Error when a mind fails, or a thread does
 */
export async function simulateAll(job: Job, { games, workers, signal, each, progress }: WorkerPool): Promise<number> {
  const size = Math.max(1, Math.min(MAX_AT_ONCE, Math.ceil(games / (workers * 8))));
  const waiting = new Map<number, Simulated>();
  const threads: Worker[] = [];
  let sent = 0;
  let done = 0;
  let next = 0;
  let resolveEarly = (): void => {};
  const stop = (): void => resolveEarly();
  signal.addEventListener('abort', stop);
  try {
    if (!signal.aborted)
      await new Promise<void>((resolve, reject) => {
        resolveEarly = resolve;
        for (let i = 0; i < Math.min(workers, Math.ceil(games / size)); i++) {
          const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData: job });
          threads.push(worker);
          worker.on('message', (message: WorkerMessage) => (receive(worker, message, reject) === games ? resolve() : undefined));
          worker.on('error', reject);
          worker.on('exit', (code) => reject(new Error(`a thread of the simulation ended with code ${code}`)));
          sendBlock(worker);
        }
      });
  } finally {
    signal.removeEventListener('abort', stop);
    for (const worker of threads) worker.removeAllListeners();
    await Promise.all(threads.map((worker) => worker.terminate()));
  }
  for (const simulated of [...waiting.values()].toSorted((a, b) => a.game - b.game)) each(simulated);
  return done;

  function sendBlock(worker: Worker): void {
    if (sent >= games) return;
    const to = Math.min(games, sent + size);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not to a window
    worker.postMessage([sent, to]);
    sent = to;
  }

  function receive(worker: Worker, message: WorkerMessage, reject: (error: Error) => void): number {
    if ('failed' in message) {
      reject(new Error(message.failed));
      return done;
    }
    for (const simulated of message.played) waiting.set(simulated.game, simulated);
    done += message.played.length;
    for (let ready = waiting.get(next); ready; ready = waiting.get(next)) {
      waiting.delete(next++);
      each(ready);
    }
    progress?.(done);
    if (message.isDone) sendBlock(worker);
    return done;
  }
}
