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

/** The largest block of games a worker is given at once: small enough that all end at about the same time. */
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
  const crew: Worker[] = [];
  let handed = 0;
  let done = 0;
  let next = 0;
  let leave = (): void => {};
  const stop = (): void => leave();
  signal.addEventListener('abort', stop);
  try {
    if (!signal.aborted)
      await new Promise<void>((resolve, reject) => {
        leave = resolve;
        for (let i = 0; i < Math.min(workers, Math.ceil(games / size)); i++) {
          const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData: job });
          crew.push(worker);
          worker.on('message', (told: WorkerMessage) => (take(worker, told, reject) === games ? resolve() : undefined));
          worker.on('error', reject);
          worker.on('exit', (code) => reject(new Error(`a thread of the simulation ended with code ${code}`)));
          hand(worker);
        }
      });
  } finally {
    signal.removeEventListener('abort', stop);
    for (const worker of crew) worker.removeAllListeners();
    await Promise.all(crew.map((worker) => worker.terminate()));
  }
  for (const simulated of [...waiting.values()].toSorted((a, b) => a.game - b.game)) each(simulated);
  return done;

  function hand(worker: Worker): void {
    if (handed >= games) return;
    const to = Math.min(games, handed + size);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not to a window
    worker.postMessage([handed, to]);
    handed = to;
  }

  function take(worker: Worker, told: WorkerMessage, reject: (error: Error) => void): number {
    if ('failed' in told) {
      reject(new Error(told.failed));
      return done;
    }
    for (const simulated of told.played) waiting.set(simulated.game, simulated);
    done += told.played.length;
    for (let ready = waiting.get(next); ready; ready = waiting.get(next)) {
      waiting.delete(next++);
      each(ready);
    }
    progress?.(done);
    if (told.isDone) hand(worker);
    return done;
  }
}
