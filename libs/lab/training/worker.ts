import { parentPort, workerData } from 'node:worker_threads';
import { continueRun } from './run.ts';

/** A message of a training thread. */
export type WorkerMessage = { readonly step: number } | { readonly failed: string } | { readonly isDone: true };

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not to a window
const send = (message: WorkerMessage): void => parentPort!.postMessage(message);

try {
  continueRun(workerData as string, (step) => send({ step }));
  send({ isDone: true });
} catch (error) {
  send({ failed: (error as Error).message });
}
