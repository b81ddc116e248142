import { availableParallelism } from 'node:os';
import type { PolicyFiles } from '@maw/learning/policy/served-policy.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import type { Contest } from '../definition.ts';
import type { PairingResult } from '../result.ts';
import { planOf } from '../schedules/plan.ts';
import { countHang, hangsOf, noHangs } from './hung-agents.ts';
import type { ArenaWork } from './serve-contest.ts';
import { runPool, type Watchdog } from './worker-pool.ts';

export interface ArenaOptions {
  /** The numbers of the pairings to play. */
  readonly from: readonly number[];
  readonly finalists?: readonly string[];
  /** Threads; as many as there are cores by default. */
  readonly workers?: number;
  readonly signal: AbortSignal;
  /** Called once for each pairing, in the order of `from`. */
  each(result: PairingResult): void;
  /** Called with the number of pairings played so far, in whatever order. */
  progress?(done: number): void;
  /** How long one thought may take, in milliseconds. */
  readonly patienceMs?: number;
  /** The recipes that agents may have; those of the product by default. Threads read those with a file again. */
  readonly recipes?: readonly Recipe[];
  /** The policies that agents name. */
  readonly policies?: PolicyFiles;
  /** The module of a thread; it calls `serveContest`. */
  readonly module?: URL;
}

const fileOf = ({ file }: Recipe): readonly string[] => (file === undefined ? [] : [file]);

/** A mind without a model thinks for milliseconds. */
const PATIENCE_MS = 20_000;

/**
 * Plays pairings of a contest on several threads of this process. A table whose mind fails is played once more, and then is void by the fault of that
 * mind; so is one whose mind does not end its thought. An agent that has done so in three pairings plays no more of them: which ones that are depends on
 * when its threads were ended. Stopped by the signal, it has given what was played by then.
 * @returns how many pairings were played
 * @throws Error when a game fails that no mind has broken
 */
export function playArena(contest: Contest, options: ArenaOptions): Promise<number> {
  const { from: numbers, finalists, workers = availableParallelism(), signal, each, progress, recipes = [], policies = {} } = options;
  const { patienceMs = PATIENCE_MS, module = new URL('worker.ts', import.meta.url) } = options;
  const plan = planOf(contest, finalists);
  const hangs = noHangs(contest);
  const agentAt = (index: number, seat: number | undefined): string | undefined =>
    seat === undefined ? undefined : plan.at(numbers[index]!).agents[seat];
  return runPool<PairingResult>({
    module,
    data: { contest, finalists, numbers, hangs, policies, recipeFiles: recipes.flatMap(fileOf) } satisfies ArenaWork,
    count: numbers.length,
    workers,
    signal,
    each,
    ...(progress ? { progress } : {}),
    watchdog: {
      patienceMs,
      isKnown(index, seat) {
        const agent = agentAt(index, seat);
        return agent !== undefined && hangsOf(contest, hangs, agent) > 0;
      },
      giveUp(index, end) {
        const agent = agentAt(index, end.seat);
        if (agent !== undefined) countHang(contest, hangs, agent);
        return brokenOff(numbers[index]!, agent, end);
      },
    },
  });
}

type End = Parameters<Watchdog<PairingResult>['giveUp']>[1];

const brokenOff = (number: number, agent: string | undefined, { seat, why, times }: End): PairingResult => ({
  number,
  attempt: times,
  games: [],
  faults: agent === undefined ? [] : [{ agent, seat: seat!, kind: 'crashed', times: 1 }],
  usage: [],
  void: { why, ...(agent === undefined ? {} : { culprit: agent }) },
});
