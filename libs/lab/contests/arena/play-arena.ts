import { availableParallelism } from 'node:os';
import type { PolicyFiles } from '@maw/learning/policy/served-policy.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import type { Contest } from '../definition.ts';
import type { PairingResult } from '../result.ts';
import { planOf } from '../schedules/plan.ts';
import { runPool, type ThreadEnd } from './pool.ts';
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

/** After so many threads have ended at a pairing it is given up: nobody knows whether the first end was chance. */
const MAX_ENDS = 2;
/** After so many pairings that an agent has broken by ending its thread, or by not going on, it plays no further ones: each takes so long. */
const MAX_BROKEN = 3;

/**
 * Plays pairings of a contest on several threads of this process. A table whose mind fails is played once more, and then is void by the fault of that
 * mind; so is one whose mind does not end its thought. An agent that has done so in three pairings plays no more of them: which ones that are depends on
 * when its threads were ended. Stopped by the signal, it has given what was played by then.
 * @returns how many pairings were played
 * @throws Error when a game fails that no mind has broken
 */
export function playArena(contest: Contest, options: ArenaOptions): Promise<number> {
  const { from: numbers, finalists, workers = availableParallelism(), signal, each, recipes = [], policies = {} } = options;
  const { patienceMs = PATIENCE_MS, module = new URL('worker.ts', import.meta.url) } = options;
  const plan = planOf(contest, finalists);
  /** By agent: how many pairings it has broken. */
  const broken = new Map<string, number>();
  const isOut = (agent: string): boolean => (broken.get(agent) ?? 0) >= MAX_BROKEN;
  const recipeFiles = recipes.flatMap(({ file }) => file ?? []);
  return runPool<PairingResult>({
    module,
    data: { contest, finalists, numbers, policies, recipeFiles } satisfies ArenaWork,
    count: numbers.length,
    workers,
    signal,
    each,
    watchdog: {
      patienceMs,
      skip(index) {
        if (![...broken.keys()].some(isOut)) return undefined;
        const number = numbers[index]!;
        const culprit = plan.at(number).agents.find(isOut);
        return culprit === undefined ? undefined : notPlayed(number, culprit);
      },
      giveUp(end) {
        const number = numbers[end.index]!;
        const agent = end.seat === undefined ? undefined : plan.at(number).agents[end.seat];
        const times = agent === undefined ? 0 : (broken.get(agent) ?? 0);
        if (end.times < MAX_ENDS && !times) return undefined;
        if (agent !== undefined) broken.set(agent, times + 1);
        return brokenOff(number, agent, end);
      },
    },
  });
}

/** The result of a pairing with an agent that plays no more. */
function notPlayed(number: number, culprit: string): PairingResult {
  const why = `it was not played: ${culprit} did not go on in ${MAX_BROKEN} others, and plays no more`;
  return { number, attempt: 1, games: [], faults: [], usage: [], void: { why, culprit } };
}

const brokenOff = (number: number, agent: string | undefined, { seat, why, times }: ThreadEnd): PairingResult => ({
  number,
  attempt: times,
  games: [],
  faults: agent === undefined ? [] : [{ agent, seat: seat!, kind: 'crashed', times: 1 }],
  usage: [],
  void: { why, ...(agent === undefined ? {} : { culprit: agent }) },
});
