import { parentPort, workerData } from 'node:worker_threads';
import type { Job } from './job.ts';
import { type Simulated, simulator } from './simulator.ts';

/** A message of a worker: games it has played, whether its block is done, or an error. */
export type WorkerMessage = { readonly played: readonly Simulated[]; readonly isDone: boolean } | { readonly failed: string };

/** The interval at which it sends the games played so far, in milliseconds. */
const SEND_MS = 100;

const starting = simulator(workerData as Job);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not to a window
const send = (message: WorkerMessage): void => parentPort!.postMessage(message);

/** A block of games: from the first to before the last. */
parentPort!.on('message', ([from, to]: readonly [number, number]) => void block(from, to));

async function block(from: number, to: number): Promise<void> {
  let played: Simulated[] = [];
  let last = performance.now();
  try {
    const play = await starting;
    for (let game = from; game < to; game++) {
      played.push(await play(game));
      if (performance.now() - last < SEND_MS) continue;
      send({ played, isDone: false });
      played = [];
      last = performance.now();
    }
    send({ played, isDone: true });
  } catch (error) {
    send({ failed: (error as Error).message });
  }
}
