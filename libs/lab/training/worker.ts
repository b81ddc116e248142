import { parentPort, workerData } from 'node:worker_threads';
import { continueRun } from './run.ts';

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not to a window
continueRun(workerData as string, (step) => parentPort!.postMessage(step));
