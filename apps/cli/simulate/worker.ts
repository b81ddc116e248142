import { parentPort, workerData } from 'node:worker_threads';
import type { Job } from './job.ts';
import { type Simulated, simulator } from './simulator.ts';

/** What a worker tells: games it has played, whether its block is done, or what went wrong. */
export type WorkerMessage = { readonly played: readonly Simulated[]; readonly isDone: boolean } | { readonly failed: string };

/** How often it tells of games while a block lasts, in milliseconds. */
const TELL_MS = 100;

const starting = simulator(workerData as Job);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not to a window
const tell = (told: WorkerMessage): void => parentPort!.postMessage(told);

/** A block of games: from the first to before the last. */
parentPort!.on('message', ([from, to]: readonly [number, number]) => void block(from, to));

async function block(from: number, to: number): Promise<void> {
  let played: Simulated[] = [];
  let last = performance.now();
  try {
    const play = await starting;
    for (let game = from; game < to; game++) {
      played.push(await play(game));
      if (performance.now() - last < TELL_MS) continue;
      tell({ played, isDone: false });
      played = [];
      last = performance.now();
    }
    tell({ played, isDone: true });
  } catch (error) {
    tell({ failed: (error as Error).message });
  }
}
