import { workerData } from 'node:worker_threads';

/** Work that a thread is given: the indices from the first to before the last. */
export interface Block {
  readonly from: number;
  readonly to: number;
  /** Shared with the pool, which sees by it what a thread does even while it does not answer. */
  readonly beat: Int32Array;
}

/** The places of a beat. */
export const Beat = {
  /** The index that is worked at. */
  index: 0,
  /** The seat that thinks, plus 1; 0 when none does. */
  seat: 1,
  /** Counts the indices and thoughts that were begun. */
  count: 2,
} as const;

/** The results of the first indices of a block; or why the work failed. */
export type Done<R> = { readonly results: readonly R[] } | { readonly failed: string };

/** Makes the result of an index. It tells whose thought begins, and (undefined) that it is over. */
export type Work<R> = (index: number, onThought: (seat: number | undefined) => void) => R | Promise<R>;

/** After so long a thread gives what it has of its block, in milliseconds. */
const SLICE_MS = 100;

/**
 * What the module of a thread of `runPool` exports as its default.
 * @param prepare makes the work from the data of the pool; called once in each thread
 */
export function serveBlocks<R>(prepare: (data: unknown) => Work<R> | Promise<Work<R>>): (block: Block) => Promise<Done<R>> {
  let preparing: Promise<Work<R>> | undefined;
  return async ({ from, to, beat }) => {
    const results: R[] = [];
    const end = performance.now() + SLICE_MS;
    const onThought = (seat: number | undefined): void => {
      Atomics.store(beat, Beat.seat, seat === undefined ? 0 : seat + 1);
      Atomics.add(beat, Beat.count, 1);
    };
    try {
      const work = await (preparing ??= Promise.resolve(workerData).then(prepare));
      for (let index = from; index < to && performance.now() < end; index++) {
        Atomics.store(beat, Beat.index, index);
        Atomics.add(beat, Beat.count, 1);
        results.push(await work(index, onThought));
      }
      return { results };
    } catch (error) {
      return { failed: (error as Error).message };
    }
  };
}
