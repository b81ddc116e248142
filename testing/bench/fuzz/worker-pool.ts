import { type ChildProcess, fork } from 'node:child_process';
import { asData } from '../../fuzz/random-message.ts';
import { type Fuzzed, type Summing, summing } from '../../fuzz/fuzz.ts';
import type { SessionRange, SessionResult } from '../../fuzz/fuzz-session.ts';
import type { Errand, Said } from './worker.ts';

/** What is known while towns are visited. */
export interface Underway {
  readonly letters: number;
  readonly towns: number;
  /** By process: MiB of heap and buffers after the last town that was closed. */
  readonly mib: readonly number[];
}

export interface Crew {
  readonly size: number;
  readonly signal: AbortSignal;
  /** Hears of each batch, and of what was not as it must be in it. */
  heard(underway: Underway, wrong: readonly string[]): void;
}

export interface Crewed extends Fuzzed {
  /** The first letter that is not known to have been sent, to a town that was audited and closed; undefined when all were. */
  readonly next: number | undefined;
}

/** Has processes visit all towns, in order, each one after another. A process that ends is a wrong: another takes its place. */
export async function runFuzzWorkers(visits: readonly SessionRange[], { size, signal, heard }: Crew): Promise<Crewed> {
  const sum = summing();
  const waiting = [...visits];
  const left = new Set(visits.map(({ from }) => from));
  const mib: number[] = [];
  let [letters, towns] = [0, 0];
  const found = (sent: number, wrong: readonly string[]): void => {
    letters += sent;
    sum.found(wrong);
    heard({ letters, towns, mib: mib.filter(Number.isFinite) }, wrong);
  };

  async function work(place: number): Promise<void> {
    let child: ChildProcess | undefined;
    let hand: ReturnType<Summing['hand']> | undefined;
    const stop = () => void (child?.connected && child.send('stop'));
    signal.addEventListener('abort', stop, { once: true });
    try {
      for (let next = waiting.shift(); next && !signal.aborted; next = waiting.shift()) {
        child ??= fork(new URL('./worker.ts', import.meta.url), { execArgv: ['--no-warnings'], serialization: 'json' });
        hand ??= sum.hand();
        const came = await visited(child, next, found);
        if (typeof came === 'string') {
          const { from, to, seed } = next;
          found(0, [
            `the process that was sent letters ${from} to ${to - 1} of seed ${seed} ended with ${came}; again: --from ${from} --messages ${to}`,
          ]);
          child = hand = undefined;
          left.delete(next.from);
          continue;
        }
        hand.visited(next, came);
        mib[place] = came.weights.closed.mib;
        if (came.letters === (next.again?.length ?? next.to - next.from)) {
          towns++;
          left.delete(next.from);
        }
      }
    } finally {
      signal.removeEventListener('abort', stop);
      if (child?.connected) child.disconnect();
    }
  }

  await Promise.all(Array.from({ length: Math.min(size, visits.length) }, (_, place) => work(place)));
  return { ...sum.done(), next: left.size ? Math.min(...left) : undefined };
}

/** What came of a visit; how the process ended when it did before that. */
const visited = (child: ChildProcess, { again, ...visit }: SessionRange, heard: (letters: number, wrong: readonly string[]) => void) =>
  new Promise<SessionResult | string>((resolve) => {
    const over = (came: SessionResult | string): void => {
      child.off('message', take);
      child.off('exit', left);
      resolve(came);
    };
    const take = (said: Said): void => ('visited' in said ? over(said.visited) : heard(said.letters, said.wrong));
    const left = (code: number | null, signal: string | null): void => over(signal ?? `exit code ${code}`);
    child.on('message', take);
    child.on('exit', left);
    child.send({ ...visit, again: again?.map(asData) } satisfies Errand);
  });
