import { playOf } from '@maw/lab/contests/agent-recipe.ts';
import { type Contest, contestShape } from '@maw/lab/contests/definition.ts';
import { pairingBefore } from '@maw/lab/contests/schedules/carried.ts';
import { affordableTables } from '@maw/lab/contests/cost.ts';
import { finalistsOf } from '@maw/lab/contests/finalists.ts';
import type { PairingResult } from '@maw/lab/contests/result.ts';
import { type Plan, planOf } from '@maw/lab/contests/schedules/plan.ts';
import { stopping, type Stopping } from '@maw/lab/contests/stopping.ts';
import type { Contests, ContestState, StoredContest } from '@maw/store/ports/contests.ts';
import type { ContestReader } from './running-contest.ts';

/** Where a contest stands: what it is, and its results so far. */
export interface Standing {
  readonly id: string;
  readonly contest: Contest;
  readonly play: 'arena' | 'tables';
  /** The numbers of the pairings that have a result. */
  readonly finished: Set<number>;
  /** The results of a preliminary contest until its finalists are known: no others are kept, as those of a long contest take much memory. */
  readonly preliminary: PairingResult[];
  readonly stopping: Stopping;
  /** Of a contest with a final, once they are known. */
  finalists: readonly string[] | undefined;
  plan: Plan;
  /** Where agents learn from game to game, the next number of each row of games of a cell, else that of all: those before it are begun here, or have a result. */
  readonly next: number[];
}

/** How a contest ends. */
export interface End {
  readonly state: ContestState;
  readonly why?: string;
}

/** Results that are read at once: those of sets have a thousand games. */
const PAGE = 100;

/** Reads a contest and all its results. */
export async function readStanding({ contests, recipes }: ContestReader, { id, contest: stored }: StoredContest): Promise<Standing> {
  const contest = contestShape.parse(stored);
  const plan = planOf(contest);
  const rows = contest.agents.some(({ learns }) => learns) ? plan.perRound : 1;
  const standing: Standing = {
    id,
    contest,
    play: playOf(contest, recipes),
    finished: new Set(),
    preliminary: [],
    stopping: stopping(contest),
    finalists: undefined,
    plan,
    next: Array.from({ length: rows }, (_, row) => row),
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

/**
 * Takes results; those that it has change nothing. Once those of a preliminary contest are complete, its final is planned. This, and what follows,
 * is done for each result of a contest, so none of it may look at all others.
 */
export function take(standing: Standing, results: readonly PairingResult[]): void {
  const { contest, finished, preliminary, plan } = standing;
  const hasFinal = plan.count < plan.total;
  for (const { records: _, ...result } of results) {
    if (finished.has(result.number)) continue;
    finished.add(result.number);
    if (hasFinal) preliminary.push(result);
    standing.stopping.add(result);
  }
  if (!hasFinal || preliminary.length < plan.count) return;
  standing.finalists = finalistsOf(contest, preliminary);
  if (!standing.finalists) return;
  standing.plan = planOf(contest, standing.finalists);
  preliminary.length = 0;
}

/** The numbers that can be played now, and have no result. */
export function* unfinished({ plan, finished }: Standing): Generator<number> {
  for (let number = 0; number < plan.count; number++) if (!finished.has(number)) yield number;
}

/** The next number that can be played now, has no result and was not given before; undefined: there is none now. */
export function nextNumber(standing: Standing): number | undefined {
  const { plan, finished, next } = standing;
  let first: number | undefined;
  for (const row of next.keys()) {
    while (finished.has(next[row]!)) next[row]! += next.length;
    const number = next[row]!;
    if (number < (first ?? plan.count) && isFree(standing, number)) first = number;
  }
  if (first !== undefined) next[first % next.length]! += next.length;
  return first;
}

/** Whether the game is over that its agents learn from. */
function isFree({ contest, plan, finished }: Standing, number: number): boolean {
  const before = pairingBefore(contest, plan, number);
  return before === undefined || finished.has(before);
}

/** Whether a contest opens no further tables: all is played, or its terms say so. One that has spent its money can go on with more. */
export function endOf({ contest, plan, finished, stopping: { decision, spending } }: Standing): End | undefined {
  if (finished.size >= plan.total) return { state: 'finished' };
  const decided = decision();
  if (!decided.stop) return undefined;
  return { state: affordableTables(contest, spending, 0) === 0 ? 'stopped' : 'finished', why: decided.why };
}

/** How many more tables may be opened now. */
export const tablesToOpen = ({ contest, stopping: { spending } }: Standing, open: number, usual: number): number =>
  Math.min((contest.atOnce ?? usual) - open, affordableTables(contest, spending, open));
