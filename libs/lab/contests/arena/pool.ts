import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Piscina } from 'piscina';
import { Beat, type Block, type Done } from './serve-blocks.ts';

/** Work for several threads: results by index, from 0. */
export interface PoolTerms<R> {
  /** The module of a thread: its default export is made by `serveBlocks`. */
  readonly module: URL;
  /** What each thread is given when it starts. */
  readonly data: unknown;
  readonly count: number;
  readonly workers: number;
  readonly signal: AbortSignal;
  /** Called for each result, in the order of their indices. */
  each(result: R): void;
  /** Called with the number of results so far, in whatever order. */
  progress?(done: number): void;
  /** How long one thought may take, in milliseconds; absent: for ever. */
  readonly patienceMs?: number;
  /** What a thread worked at that did not go on or has ended, for people. @param seat whose thought it was, if anybody's */
  nameOf?(index: number, seat: number | undefined): string;
}

/** The most indices that a thread is given at once: small enough that all threads end at about the same time. */
const MAX_AT_ONCE = 200;
/** What a thread may have of objects that it has just made, in MiB. V8 would take 190, and a game needs few at once. */
const YOUNG_MB = 24;
/** How often it is looked whether a thread goes on, per patience. */
const LOOKS = 4;

/**
 * Does all the work. What comes of an index depends on it alone, not on which thread has it or when. Stopped by the signal, it gives what there is
 * by then.
 * @returns how many results there were
 * @throws Error when the work fails, or a thread ends or does not go on
 */
export async function runPool<R>(terms: PoolTerms<R>): Promise<number> {
  const { module, data, count, workers, signal } = terms;
  if (signal.aborted || !count) return 0;
  const size = Math.max(1, Math.min(MAX_AT_ONCE, Math.ceil(count / (workers * 8))));
  const threads = Math.min(workers, Math.ceil(count / size));
  // What `maw contest` gives the main thread would win over the limit of threads.
  if (process.execArgv.some((flag) => flag.startsWith('--max-semi-space-size'))) setFlagsFromString('--max-semi-space-size=0');
  const pool = new Piscina<Block, Done<R>>({
    filename: fileURLToPath(module),
    workerData: data,
    minThreads: threads,
    maxThreads: threads,
    atomics: 'disabled',
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const closing = new AbortController();
  const results = inOrder(terms);
  const stop = AbortSignal.any([signal, closing.signal]);
  const blocks = blocksOf(count, size);
  const lane = async (): Promise<void> => {
    for (const [from, to] of blocks)
      for (let next = from; next < to;) {
        const done = await runBlock(terms, pool, stop, { from: next, to });
        if ('failed' in done) throw new Error(done.failed);
        results.take(next, done.results);
        next += done.results.length;
      }
  };
  try {
    await Promise.all(Array.from({ length: threads }, lane));
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    closing.abort();
    await pool.destroy();
  }
  return results.end();
}

function* blocksOf(count: number, size: number): Generator<readonly [from: number, to: number]> {
  for (let from = 0; from < count; from += size) yield [from, Math.min(count, from + size)];
}

/** Gives results in the order of their indices. `end`: gives those after a gap too. */
function inOrder<R>({ each, progress }: PoolTerms<R>) {
  const waiting = new Map<number, R>();
  let next = 0;
  let done = 0;
  return {
    take(from: number, results: readonly R[]): void {
      for (const [i, result] of results.entries()) waiting.set(from + i, result);
      for (; waiting.has(next); next++) {
        const result = waiting.get(next)!;
        waiting.delete(next);
        each(result);
      }
      done += results.length;
      progress?.(done);
    },
    end(): number {
      for (const [, result] of [...waiting].toSorted(([a], [b]) => a - b)) each(result);
      return done;
    },
  };
}

/** Lets a thread work at a block. @throws the reason of the stop; Error when the thread ends, or does not go on for `patienceMs` milliseconds */
async function runBlock<R>(
  { patienceMs, nameOf }: Pick<PoolTerms<R>, 'patienceMs' | 'nameOf'>,
  pool: Piscina<Block, Done<R>>,
  stop: AbortSignal,
  { from, to }: Omit<Block, 'beat'>,
): Promise<Done<R>> {
  const beat = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
  const hung = new AbortController();
  const timer = patienceMs === undefined ? undefined : watch(beat, patienceMs, () => hung.abort());
  try {
    return await pool.run({ from, to, beat }, { signal: AbortSignal.any([stop, hung.signal]) });
  } catch (error) {
    stop.throwIfAborted();
    const why = hung.signal.aborted ? `it did not go on for ${patienceMs! / 1000} s` : `its thread failed: ${(error as Error).message}`;
    if (!nameOf || Atomics.load(beat, Beat.count) === 0) throw new Error(why, { cause: error });
    const seat = Atomics.load(beat, Beat.seat) - 1;
    throw new Error(`${nameOf(Atomics.load(beat, Beat.index), seat < 0 ? undefined : seat)}: ${why}`, { cause: error });
  } finally {
    clearInterval(timer);
  }
}

/** Calls when a beat that has begun stands still. It counts its own looks, not time: a process that was suspended is no fault of a thread. */
function watch(beat: Int32Array, patienceMs: number, call: () => void): NodeJS.Timeout {
  let seen = 0;
  let looks = 0;
  return setInterval(() => {
    const count = Atomics.load(beat, Beat.count);
    looks = count && count === seen ? looks + 1 : 0;
    seen = count;
    if (looks === LOOKS) call();
  }, patienceMs / LOOKS);
}
