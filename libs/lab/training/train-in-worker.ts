import { Worker } from 'node:worker_threads';

/**
 * Continues the training of a folder (`createRun`) on a thread of its own, so that the caller stays responsive.
 * @param onProgress told now and then how many steps have been made
 * @returns whether it was finished; stopped by the signal, its last checkpoint remains
 * @throws Error when the training fails
 */
export async function trainInWorker(folder: string, signal: AbortSignal, onProgress: (step: number) => void): Promise<boolean> {
  if (signal.aborted) return false;
  const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData: folder });
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const stop = (): void => resolve(false);
  signal.addEventListener('abort', stop);
  worker.on('message', onProgress);
  worker.on('error', (error) => reject(new Error((error as Error).message, { cause: error }))); // its kind means something else to people here
  worker.on('exit', (code) => (code ? reject(new Error(`the thread of the training ended with code ${code}`)) : resolve(true)));
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', stop);
    worker.removeAllListeners();
    await worker.terminate();
  }
}
