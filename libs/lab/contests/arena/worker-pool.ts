import { Worker } from 'node:worker_threads';
import { Beat, type FromWorker, type ToWorker, type WorkerStart } from './serve-blocks.ts';

/** Work for several threads: results by index, from 0. */
export interface WorkerPool<R> {
  /** The module of a thread: it calls `serveBlocks`. */
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
  readonly watchdog?: Watchdog<R>;
}

/** Ends threads that do not go on. Absent: the pool fails with its first thread. */
export interface Watchdog<R> {
  /** How long one thought may take, in milliseconds. */
  readonly patienceMs: number;
  /** The result of what ended its thread so many times. @param seat whose thought it was; undefined: nobody's */
  giveUp(index: number, end: { readonly seat: number | undefined; readonly why: string; readonly times: number }): R;
  /** Whether it is known to end threads, so that once is enough. */
  isKnown(index: number, seat: number | undefined): boolean;
}

/** The most results in a block: small enough that all threads end at about the same time. */
const MAX_AT_ONCE = 200;
/** How often the watchdog looks, per patience. */
const LOOKS = 4;
/** After so many threads have ended at an index it is given up: nobody knows whether the first end was chance. */
const MAX_ENDS = 2;

interface Block {
  readonly from: number;
  readonly to: number;
}

interface Thread {
  readonly worker: Worker;
  /** What it is doing; see `serveBlocks`. */
  readonly beat: Int32Array;
  /** The part of its block whose results have not come. */
  block: Block | undefined;
  /** As the watchdog saw them last, and since when they are the same; see `Beat`. */
  index: number;
  thoughts: number;
  since: number;
}

interface Pool<R> {
  readonly terms: WorkerPool<R>;
  readonly size: number;
  /** Blocks that a thread has lost. */
  readonly lost: Block[];
  /** By index: how often a thread ended at it. */
  readonly ends: Map<number, number>;
  readonly threads: Set<Thread>;
  /** By index: results that wait for those before them. */
  readonly waiting: Map<number, R>;
  /** The first index that was not sent. */
  sent: number;
  /** The first index whose result was not given. */
  next: number;
  done: number;
  resolve(): void;
  reject(error: Error): void;
}

/**
 * Does all the work. What comes of an index depends on it alone, not on which thread has it or when. Stopped by the signal, it gives what there is
 * by then.
 * @returns how many results there were
 * @throws Error when the work fails, or a thread without a watchdog does
 */
export async function runPool<R>(terms: WorkerPool<R>): Promise<number> {
  const { count, workers, signal } = terms;
  const size = Math.max(1, Math.min(MAX_AT_ONCE, Math.ceil(count / (workers * 8))));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = (): void => resolve();
  const pool: Pool<R> = {
    terms,
    size,
    lost: [],
    ends: new Map(),
    threads: new Set(),
    waiting: new Map(),
    sent: 0,
    next: 0,
    done: 0,
    resolve: stop,
    reject,
  };
  const timer = terms.watchdog && setInterval(look, terms.watchdog.patienceMs / LOOKS, pool, { at: performance.now() });
  signal.addEventListener('abort', stop);
  try {
    if (!signal.aborted && count) {
      for (let i = 0; i < Math.min(workers, Math.ceil(count / size)); i++) startThread(pool);
      await promise;
    }
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', stop);
    await Promise.all([...pool.threads].map((thread) => endThread(pool, thread)));
  }
  for (const [, result] of [...pool.waiting].toSorted(([a], [b]) => a - b)) terms.each(result);
  return pool.done;
}

function startThread<R>(pool: Pool<R>): void {
  const beat = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
  const workerData: WorkerStart = { data: pool.terms.data, beat };
  const worker = new Worker(pool.terms.module, { workerData });
  const thread: Thread = { worker, beat, block: undefined, index: 0, thoughts: 0, since: 0 };
  pool.threads.add(thread);
  worker.on('message', (message: FromWorker<R>) => take(pool, thread, message));
  worker.on('error', (error: Error) => lose(pool, thread, `its thread failed: ${error.message}`));
  worker.on('exit', (code) => lose(pool, thread, `its thread ended with code ${code}`));
  sendBlock(pool, thread);
}

async function endThread<R>({ threads }: Pool<R>, thread: Thread): Promise<void> {
  threads.delete(thread);
  thread.worker.removeAllListeners();
  await thread.worker.terminate();
}

function sendBlock<R>(pool: Pool<R>, thread: Thread): void {
  thread.block = pool.lost.shift() ?? freshBlock(pool);
  if (!thread.block) return;
  const { from, to } = thread.block;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not to a window
  thread.worker.postMessage([from, to] satisfies ToWorker);
}

function freshBlock<R>(pool: Pool<R>): Block | undefined {
  const from = pool.sent;
  if (from >= pool.terms.count) return undefined;
  pool.sent = Math.min(pool.terms.count, from + pool.size);
  return { from, to: pool.sent };
}

function take<R>(pool: Pool<R>, thread: Thread, message: FromWorker<R>): void {
  if ('failed' in message) return pool.reject(new Error(message.failed));
  const { from, to } = thread.block!;
  for (const [i, result] of message.results.entries()) pool.waiting.set(from + i, result);
  thread.block = { from: from + message.results.length, to };
  if (message.isDone) sendBlock(pool, thread);
  give(pool, message.results.length);
}

/** Gives the results whose turn it is. @param more how many have come */
function give<R>(pool: Pool<R>, more: number): void {
  const { terms, waiting } = pool;
  pool.done += more;
  for (; waiting.has(pool.next); pool.next++) {
    const result = waiting.get(pool.next)!;
    waiting.delete(pool.next);
    terms.each(result);
  }
  terms.progress?.(pool.done);
  if (pool.done === terms.count) pool.resolve();
}

/** Ends every thread that thinks the same thought for too long. @param looked when it looked last */
function look<R>(pool: Pool<R>, looked: { at: number }): void {
  const { patienceMs } = pool.terms.watchdog!;
  const now = performance.now();
  // Late itself: the whole process was suspended, or had no processor.
  const isLate = now - looked.at > patienceMs / 2;
  looked.at = now;
  for (const thread of pool.threads) {
    const index = Atomics.load(thread.beat, Beat.index);
    const thoughts = Atomics.load(thread.beat, Beat.thoughts);
    if (!index || isLate || index !== thread.index || thoughts !== thread.thoughts) Object.assign(thread, { index, thoughts, since: now });
    else if (now - thread.since > patienceMs) lose(pool, thread, `it did not go on for ${patienceMs / 1000} s`);
  }
}

/** Ends a thread. Another one does its work; where one has ended twice the work is given up. */
function lose<R>(pool: Pool<R>, thread: Thread, why: string): void {
  const { ends, lost, waiting, terms } = pool;
  const { watchdog } = terms;
  const at = Atomics.load(thread.beat, Beat.index) - 1;
  const seat = Atomics.load(thread.beat, Beat.seat) - 1;
  endThread(pool, thread).catch(pool.reject);
  if (!watchdog || at < 0 || !thread.block) return pool.reject(new Error(why));
  const { from, to } = thread.block;
  const times = (ends.get(at) ?? 0) + 1;
  ends.set(at, times);
  const thinker = seat < 0 ? undefined : seat;
  const isGivenUp = times === MAX_ENDS || watchdog.isKnown(at, thinker);
  for (const block of [{ from, to: at }, ...(isGivenUp ? [] : [{ from: at, to: at + 1 }]), { from: at + 1, to }])
    if (block.from < block.to) lost.push(block);
  startThread(pool);
  if (!isGivenUp) return;
  waiting.set(at, watchdog.giveUp(at, { seat: thinker, why, times }));
  give(pool, 1);
}
