import { type ChildProcess, fork } from 'node:child_process';
import { type FuzzResult, type ProcessTotals, FuzzTotals } from '@maw/tests/equipment/fuzz/fuzz.ts';
import type { SessionRange, SessionResult } from '@maw/tests/equipment/fuzz/fuzz-session.ts';
import { asData } from '@maw/tests/equipment/fuzz/random-message.ts';
import type { WorkerMessage, WorkerTask } from './worker.ts';

export interface FuzzProgress {
  readonly messages: number;
  readonly sessions: number;
  /** By process: MiB of heap and buffers after its last session. */
  readonly mib: readonly number[];
}

interface PoolOptions {
  readonly size: number;
  readonly signal: AbortSignal;
  /** Called after each batch, with its failures. */
  report(progress: FuzzProgress, wrong: readonly string[]): void;
}

export interface PoolResult extends FuzzResult {
  /** The first message that is not known to have been sent to a session that was audited and closed; undefined when all were. */
  readonly next: number | undefined;
}

/** Runs all sessions in order, each in one of `size` processes. A process that dies is a failure; another takes its place. */
export async function runFuzzWorkers(sessions: readonly SessionRange[], options: PoolOptions): Promise<PoolResult> {
  const pool = new FuzzPool(sessions, options);
  await Promise.all(Array.from({ length: Math.min(options.size, sessions.length) }, (_, place) => pool.work(place)));
  return pool.result();
}

interface RunningWorker {
  readonly child: ChildProcess;
  readonly totals: ProcessTotals;
}

class FuzzPool {
  readonly #options: PoolOptions;
  readonly #totals = new FuzzTotals();
  readonly #waiting: SessionRange[];
  /** The first messages of sessions that are not done. */
  readonly #unfinished: Set<number>;
  readonly #mib: number[] = [];
  #messages = 0;
  #sessions = 0;

  constructor(sessions: readonly SessionRange[], options: PoolOptions) {
    this.#options = options;
    this.#waiting = [...sessions];
    this.#unfinished = new Set(sessions.map(({ from }) => from));
  }

  async work(place: number): Promise<void> {
    const { signal } = this.#options;
    let worker: RunningWorker | undefined;
    const stop = () => void (worker?.child.connected && worker.child.send('stop'));
    signal.addEventListener('abort', stop, { once: true });
    try {
      for (let next = this.#waiting.shift(); next && !signal.aborted; next = this.#waiting.shift()) {
        worker ??= { child: startWorker(), totals: this.#totals.process() };
        const result = await runSessionIn(worker.child, next, (messages, wrong) => this.#add(messages, wrong));
        if (typeof result === 'string') {
          this.#workerDied(next, result);
          worker = undefined;
        } else this.#sessionDone(next, result, worker, place);
      }
    } finally {
      signal.removeEventListener('abort', stop);
      if (worker?.child.connected) worker.child.disconnect();
    }
  }

  result(): PoolResult {
    return { ...this.#totals.result(), next: this.#unfinished.size ? Math.min(...this.#unfinished) : undefined };
  }

  #add(sent: number, wrong: readonly string[]): void {
    this.#messages += sent;
    this.#totals.fail(wrong);
    this.#options.report({ messages: this.#messages, sessions: this.#sessions, mib: this.#mib.filter(Number.isFinite) }, wrong);
  }

  #sessionDone(range: SessionRange, result: SessionResult, { totals }: RunningWorker, place: number): void {
    totals.add(range, result);
    this.#mib[place] = result.closed.mib;
    if (result.messages !== (range.again?.length ?? range.to - range.from)) return; // stopped
    this.#sessions++;
    this.#unfinished.delete(range.from);
  }

  #workerDied({ from, to, seed }: SessionRange, how: string): void {
    this.#add(0, [
      `the process of messages ${from} to ${to - 1} of seed ${seed} ended with ${how}; again: --from ${from} --messages ${to}`,
    ]);
    this.#unfinished.delete(from);
  }
}

const startWorker = (): ChildProcess =>
  fork(new URL('./worker.ts', import.meta.url), { execArgv: ['--no-warnings'], serialization: 'json' });

/** Resolves with the result of the session, or with how the process ended. */
const runSessionIn = (
  child: ChildProcess,
  { again, ...range }: SessionRange,
  onBatch: (messages: number, wrong: readonly string[]) => void,
) =>
  new Promise<SessionResult | string>((resolve) => {
    const settle = (result: SessionResult | string): void => {
      child.off('message', receive);
      child.off('exit', exited);
      resolve(result);
    };
    const receive = (message: WorkerMessage): void =>
      'result' in message ? settle(message.result) : onBatch(message.messages, message.wrong);
    const exited = (code: number | null, signal: string | null): void => settle(signal ?? `exit code ${code}`);
    child.on('message', receive);
    child.on('exit', exited);
    child.send({ ...range, again: again?.map(asData) } satisfies WorkerTask);
  });
