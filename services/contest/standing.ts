import { playOf } from '@maw/contests/agent-recipe.ts';
import { type Contest, contestShape } from '@maw/contests/definition.ts';
import { affordableTables } from '@maw/contests/cost.ts';
import { finalistsOf } from '@maw/contests/finalists.ts';
import type { PairingResult } from '@maw/contests/result.ts';
import { type Plan, planOf } from '@maw/contests/schedules/plan.ts';
import { stopping, type Stopping } from '@maw/contests/stopping.ts';
import type { Contests, ContestState, StoredContest } from '@maw/store/ports/contests.ts';
import type { ContestContext } from './running-contest.ts';

/** Where a contest stands: what it is, and its results so far. */
export interface Standing {
  readonly id: string;
  readonly contest: Contest;
  readonly play: 'arena' | 'tables';
  /** By number; with their games only where these choose finalists, as the games of a long contest take much memory. */
  readonly results: Map<number, PairingResult>;
  readonly stopping: Stopping;
  /** Of a contest with a final, once they are known. */
  finalists: readonly string[] | undefined;
  plan: Plan;
}

/** How a contest ends. */
export interface End {
  readonly state: ContestState;
  readonly why?: string;
}

const PAGE = 1_000;

/** Reads a contest and all its results. */
export async function readStanding({ contests, recipes }: ContestContext, { id, contest: stored }: StoredContest): Promise<Standing> {
  const contest = contestShape.parse(stored);
  const standing: Standing = {
    id,
    contest,
    play: playOf(contest, recipes),
    results: new Map(),
    stopping: stopping(contest),
    finalists: undefined,
    plan: planOf(contest),
  };
  for await (const results of resultPages(contests, id)) take(standing, results);
  return standing;
}

/** All results of a contest after a number, without what the measures need. */
export async function* resultPages(contests: Contests, id: string, from = -1): AsyncGenerator<readonly PairingResult[]> {
  for (let after = from; ;) {
    const page = (await contests.results(id, { after, limit: PAGE })) as readonly PairingResult[];
    if (page.length) yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.number;
  }
}

/** Takes results. Once those of a preliminary contest are complete, its final is planned. */
export function take(standing: Standing, results: readonly PairingResult[]): void {
  const { contest, plan } = standing;
  const hasFinal = contest.schedule.kind === 'aiwolf-2021';
  for (const { records: _, ...result } of results) {
    standing.results.set(result.number, hasFinal ? result : { ...result, games: [], faults: [] });
    standing.stopping.add(result);
  }
  if (plan.count === plan.total) return;
  standing.finalists = finalistsOf(contest, [...standing.results.values()]);
  standing.plan = planOf(contest, standing.finalists);
}

/** The numbers that can be played now, and have no result. */
export function* unfinished({ plan, results }: Standing): Generator<number> {
  for (let number = 0; number < plan.count; number++) if (!results.has(number)) yield number;
}

/** Whether a contest opens no further tables: all is played, or its terms say so. One that has spent its money can go on with more. */
export function endOf({ contest, plan, results, stopping: { decision } }: Standing): End | undefined {
  if (results.size >= plan.total) return { state: 'finished' };
  const decided = decision();
  if (!decided.stop) return undefined;
  const isSpent = affordableTables(contest, [...results.values()], 0) === 0;
  return { state: isSpent ? 'stopped' : 'finished', why: decided.why };
}

/** How many more tables may be opened now. */
export const tablesToOpen = ({ contest, results }: Standing, open: number, usual: number): number =>
  Math.min((contest.atOnce ?? usual) - open, affordableTables(contest, [...results.values()], open));
