import { parentPort, workerData } from 'node:worker_threads';

/** What a thread of `runPool` begins with. `beat`: see `Beat`. */
export interface WorkerStart {
  readonly data: unknown;
  readonly beat: Int32Array;
}

/** The indices of a block: from the first to before the last. */
export type ToWorker = readonly [from: number, to: number];

/** The next results of a block, and whether that is all of it; or why the work failed. */
export type FromWorker<R> = { readonly results: readonly R[]; readonly isDone: boolean } | { readonly failed: string };

/** The places of the shared memory by which the pool sees what a thread is doing, even while it does not answer. */
export const Beat = {
  /** The index it works at, plus 1; 0 while it does not. */
  index: 0,
  /** The seat that thinks, plus 1; 0 when none does. */
  seat: 1,
  /** Counts thoughts. */
  thoughts: 2,
} as const;

/** Makes the result of an index. It tells whose thought begins, and (undefined) that it is over. */
export type Work<R> = (index: number, onThought: (seat: number | undefined) => void) => R | Promise<R>;

/** The interval at which results are sent, in milliseconds. */
const SEND_MS = 100;

/** Serves `runPool` in a thread. @param prepare makes the work from the data of the pool */
export function serveBlocks<R>(prepare: (data: unknown) => Promise<Work<R>>): void {
  const { data, beat } = workerData as WorkerStart;
  const starting = prepare(data);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not to a window
  const send = (message: FromWorker<R>): void => parentPort!.postMessage(message);
  const onThought = (seat: number | undefined): void => {
    Atomics.store(beat, Beat.seat, seat === undefined ? 0 : seat + 1);
    Atomics.add(beat, Beat.thoughts, 1);
  };

  async function block([from, to]: ToWorker): Promise<void> {
    let results: R[] = [];
    let last = performance.now();
    try {
      const work = await starting;
      for (let index = from; index < to; index++) {
        Atomics.store(beat, Beat.index, index + 1);
        results.push(await work(index, onThought));
        if (performance.now() - last < SEND_MS) continue;
        send({ results, isDone: false });
        results = [];
        last = performance.now();
      }
      send({ results, isDone: true });
    } catch (error) {
      send({ failed: (error as Error).message });
    }
    Atomics.store(beat, Beat.index, 0);
  }
  parentPort!.on('message', (message: ToWorker) => void block(message));
}
