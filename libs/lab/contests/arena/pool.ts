import { fileURLToPath } from 'node:url';
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
  /** Absent: the pool fails with its first thread. */
  readonly watchdog?: Watchdog<R>;
}

/** Ends threads that do not go on. */
export interface Watchdog<R> {
  /** How long one thought may take, in milliseconds. */
  readonly patienceMs: number;
  /** The result of an index that is not worked at; undefined: it is. */
  skip(index: number): R | undefined;
  /** The result of an index that ended its thread; undefined: it is tried again. */
  giveUp(end: ThreadEnd): R | undefined;
}

/** The end of a thread. */
export interface ThreadEnd {
  /** What it worked at. */
  readonly index: number;
  /** Whose thought it was; undefined: nobody's. */
  readonly seat: number | undefined;
  readonly why: string;
  /** How many threads have ended at this index. */
  readonly times: number;
}

/** The most indices that a thread is given at once: small enough that all threads end at about the same time. */
const MAX_AT_ONCE = 200;
/** How often the watchdog looks, per patience. */
const LOOKS = 4;

/**
 * Does all the work. What comes of an index depends on it alone, not on which thread has it or when. Stopped by the signal, it gives what there is
 * by then.
 * @returns how many results there were
 * @throws Error when the work fails, or a thread without a watchdog does
 */
export async function runPool<R>(terms: PoolTerms<R>): Promise<number> {
  const { module, data, count, workers, signal } = terms;
  if (signal.aborted || !count) return 0;
  const size = Math.max(1, Math.min(MAX_AT_ONCE, Math.ceil(count / (workers * 8))));
  const threads = Math.min(workers, Math.ceil(count / size));
  const pool = new Piscina<Block, Done<R>>({
    filename: fileURLToPath(module),
    workerData: data,
    minThreads: threads,
    maxThreads: threads,
    atomics: 'disabled',
  });
  const closing = new AbortController();
  const results = inOrder(terms);
  const work = worker(terms, pool, AbortSignal.any([signal, closing.signal]), results.take);
  const blocks = blocksOf(count, size);
  const lane = async (): Promise<void> => {
    for (const [from, to] of blocks) await work(from, to);
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

type Work = (from: number, to: number) => Promise<void>;

/** Works at the indices of a block, and tries again where a thread ended. @param take takes results from an index on */
function worker<R>(
  { watchdog }: PoolTerms<R>,
  pool: Piscina<Block, Done<R>>,
  stop: AbortSignal,
  take: (from: number, results: readonly R[]) => void,
): Work {
  const ends = new Map<number, number>();
  const skipped = (index: number): R | undefined => watchdog?.skip(index);
  const tryFrom = (from: number, to: number): Tried<R> | Promise<Tried<R>> => {
    const known = skipped(from);
    if (known !== undefined) return { results: [known] };
    let end = from + 1;
    while (end < to && skipped(end) === undefined) end++;
    return tryBlock(pool, stop, { from, to: end }, watchdog?.patienceMs);
  };
  return async function work(from, to): Promise<void> {
    for (let next = from; next < to;) {
      const tried = await tryFrom(next, to);
      if ('failed' in tried) throw new Error(tried.failed);
      if ('results' in tried) {
        take(next, tried.results);
        next += tried.results.length;
        continue;
      }
      const { index } = tried;
      if (!watchdog || index < next) throw new Error(tried.why);
      const times = (ends.get(index) ?? 0) + 1;
      ends.set(index, times);
      await work(next, index); // what the thread had of them is lost with it
      const given = watchdog.giveUp({ ...tried, times });
      if (given === undefined) await work(index, index + 1);
      else take(index, [given]);
      next = index + 1;
    }
  };
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

/** `index`: -1 where the thread had not begun. */
type Tried<R> = Done<R> | Omit<ThreadEnd, 'times'>;

/**
 * Lets a thread work at a block, and ends it when it does not go on for `patienceMs` milliseconds.
 * @throws the reason of the stop
 */
async function tryBlock<R>(
  pool: Piscina<Block, Done<R>>,
  stop: AbortSignal,
  { from, to }: Omit<Block, 'beat'>,
  patienceMs: number | undefined,
): Promise<Tried<R>> {
  const beat = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
  const hung = new AbortController();
  const timer = patienceMs === undefined ? undefined : watch(beat, patienceMs, () => hung.abort());
  try {
    return await pool.run({ from, to, beat }, { signal: AbortSignal.any([stop, hung.signal]) });
  } catch (error) {
    stop.throwIfAborted();
    const why = hung.signal.aborted ? `it did not go on for ${patienceMs! / 1000} s` : `its thread failed: ${(error as Error).message}`;
    const hasBegun = Atomics.load(beat, Beat.count) > 0;
    const seat = Atomics.load(beat, Beat.seat) - 1;
    return { index: hasBegun ? Atomics.load(beat, Beat.index) : -1, seat: seat < 0 ? undefined : seat, why };
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
