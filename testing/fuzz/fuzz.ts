import { add, type Counts } from './service-counters.ts';
import type { RandomMessage } from './random-message.ts';
import type { FuzzedSystem } from './fuzzed-system.ts';
import { runSession, type SessionRange, type SessionResult, type Weights } from './fuzz-session.ts';
import { leaks } from './memory-growth.ts';

export interface Fuzzing {
  readonly seed: string;
  /** Letters 0 up to, but not with, this one are sent; of each twenty there is one HTTP request besides. */
  readonly letters: number;
  /** Begins with this letter, which is the first of a town. */
  readonly from?: number;
  /** How many letters a town is sent before it is closed and the next one opened. */
  readonly town?: number;
  readonly signal: AbortSignal;
  /** These letters instead of those of the seed, all to one town. */
  readonly again?: readonly RandomMessage[];
  /** Changes a town before anything is sent: for tests of this very fuzzing. */
  plant?(town: FuzzedSystem): void;
}

export interface Fuzzed {
  readonly letters: number;
  readonly requests: number;
  /** Towns that were sent all that they were to be sent, and closed. */
  readonly towns: number;
  /** Everything that is not as it must be; each with the letters, as data, among which the one is that made it so. */
  readonly wrong: readonly string[];
  readonly outcomes: Counts;
  readonly reasons: Counts;
  readonly statuses: Counts;
  /** By process: what it held around each of its towns. */
  readonly weights: readonly (readonly Weights[])[];
  readonly ms: number;
}

/** How many letters a town is sent, usually: what its store in memory keeps of them has room many times over. */
export const TOWN = 20_000;

/** The visits that make up a run, one after another. */
export const visitsOf = ({ seed, letters, from = 0, town = TOWN, again }: Omit<Fuzzing, 'signal' | 'plant'>): readonly SessionRange[] =>
  again
    ? [{ seed, from: 0, to: again.length, again }]
    : Array.from({ length: Math.max(0, Math.ceil((letters - from) / town)) }, (_, i) => ({
        seed,
        from: from + i * town,
        to: Math.min(letters, from + (i + 1) * town),
      }));

/** Sends letters and requests to town after town, in this process. */
export async function fuzz({ signal, plant, ...asked }: Fuzzing): Promise<Fuzzed> {
  const sum = summing();
  const hand = sum.hand();
  for (const one of visitsOf(asked)) {
    if (signal.aborted) break;
    hand.visited(one, await runSession({ ...one, signal, heard: (_, wrong) => sum.found(wrong), ...(plant ? { plant } : {}) }));
  }
  return sum.done();
}

/** Adds up what was found in all towns. */
export interface Summing {
  found(wrong: readonly string[]): void;
  /** For one process, whose memory is looked at on its own. */
  hand(): { visited(visit: SessionRange, came: SessionResult): void };
  /** All of it, and what has grown that should not have. */
  done(): Fuzzed;
}

export function summing(): Summing {
  const began = performance.now();
  const wrong: string[] = [];
  const weights: Weights[][] = [];
  const closed: Parameters<typeof leaks>[0][number][][] = [];
  let [letters, requests, towns] = [0, 0, 0];
  let [outcomes, reasons, statuses]: [Counts, Counts, Counts] = [{}, {}, {}];
  return {
    found: (more) => void wrong.push(...more),
    hand() {
      const [mine, after]: [Weights[], (typeof closed)[number]] = [[], []];
      weights.push(mine);
      closed.push(after);
      let sent = 0;
      return {
        visited({ from, to }, came) {
          sent += came.letters;
          mine.push(came.weights);
          after.push({ letters: sent, weight: came.weights.closed });
          letters += came.letters;
          requests += came.requests;
          towns += came.letters === to - from ? 1 : 0;
          outcomes = add(outcomes, came.outcomes);
          reasons = add(reasons, came.reasons);
          statuses = add(statuses, came.statuses);
        },
      };
    },
    done: () => ({
      letters,
      requests,
      towns,
      wrong: [...wrong, ...closed.flatMap(leaks)],
      outcomes,
      reasons,
      statuses,
      weights,
      ms: performance.now() - began,
    }),
  };
}
