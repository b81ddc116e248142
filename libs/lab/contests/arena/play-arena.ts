import { availableParallelism } from 'node:os';
import type { PolicyFiles } from '@maw/learning/policy/served-policy.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import type { Contest } from '../definition.ts';
import type { PairingResult } from '../result.ts';
import { planOf } from '../schedules/plan.ts';
import { runPool } from './pool.ts';
import type { ArenaWork } from './serve-contest.ts';

export interface ArenaOptions {
  /** The numbers of the pairings to play. */
  readonly from: readonly number[];
  readonly finalists?: readonly string[];
  /** Threads; as many as there are cores by default. */
  readonly workers?: number;
  readonly signal: AbortSignal;
  /** Called once for each pairing, in the order of `from`. */
  each(result: PairingResult): void;
  /** How long one thought may take, in milliseconds. */
  readonly patienceMs?: number;
  /** The recipes that agents may have; those of the product by default. Threads read those with a file again. */
  readonly recipes?: readonly Recipe[];
  /** The policies that agents name. */
  readonly policies?: PolicyFiles;
  /** The module of a thread; it calls `serveContest`. */
  readonly module?: URL;
}

/** A mind without a model thinks for milliseconds. */
const PATIENCE_MS = 20_000;

/**
 * Plays pairings of a contest on several threads of this process. A table whose mind fails is played once more, and then is void by the fault of that
 * mind. Stopped by the signal, it has given what was played by then.
 * @returns how many pairings were played
 * @throws Error when a game fails that no mind has broken, and naming the agent whose mind does not end its thought or ends its thread
 */
export function playArena(contest: Contest, options: ArenaOptions): Promise<number> {
  const { from: numbers, finalists, workers = availableParallelism(), signal, each, recipes = [], policies = {} } = options;
  const { patienceMs = PATIENCE_MS, module = new URL('worker.ts', import.meta.url) } = options;
  const plan = planOf(contest, finalists);
  const recipeFiles = recipes.flatMap(({ file }) => file ?? []);
  return runPool<PairingResult>({
    module,
    data: { contest, finalists, numbers, policies, recipeFiles } satisfies ArenaWork,
    count: numbers.length,
    workers,
    signal,
    each,
    patienceMs,
    nameOf(index, seat) {
      const number = numbers[index]!;
      return seat === undefined ? `pairing ${number}` : `pairing ${number}, the agent ${plan.at(number).agents[seat]}`;
    },
  });
}
