import { LRUCache } from 'lru-cache';
import { Refused } from '@maw/bus/request-client.ts';
import { type Course, courseOf } from '@maw/lab/contests/planning/course.ts';
import { optionsOf } from '@maw/lab/contests/deal.ts';
import { contestShape } from '@maw/lab/contests/definition.ts';
import { planOf } from '@maw/lab/contests/schedules/plan.ts';
import { meanOf } from '@maw/lab/ratings/distributions.ts';
import type { ReplyData } from '@maw/contracts/contracts.ts';
import type { BegunPairing, StoredContest } from '@maw/store/ports/contests.ts';
import type { ContestContext } from '../running-contest.ts';
import { answerInTime } from '../tables/must-be-playable.ts';

/** Results of this many milliseconds say how fast a contest goes on; of longer where its tables take long. */
const PACE_MS = 600_000;
/** How many running tables are asked for their phase, and how long that may take, in milliseconds. */
const ASKED = 24;
const ASK_MS = 1_000;

/** How far a contest is. */
interface Progress extends Pick<StoredContest, 'since' | 'pairings' | 'finished'> {
  readonly now: number;
  /** The tables that are played: since when, and the share of them that is over by the phase that they are in. */
  readonly running: readonly { readonly at: number; readonly share: number }[];
  /** How long a table takes by the times of its rules, in milliseconds. */
  readonly usualMs: number;
}

/** Since when results tell the pace. */
export const paceFrom = ({ now, since, running }: Omit<Progress, 'usualMs'>): number =>
  Math.max(since, now - Math.max(PACE_MS, ...running.map(({ at }) => 4 * (now - at))));

/** How long it takes to the last result, at the pace of results and phases; before a phase has passed, by the rules. @param recent results since `paceFrom` */
export function timeLeft(progress: Progress, recent: number): Pick<ReplyData<'contest.view'>, 'leftMs' | 'leftBy'> {
  const { now, pairings, finished, running, usualMs } = progress;
  const spentMs = now - paceFrom(progress);
  const left = running.reduce((rest, { share }) => rest - share, pairings - finished);
  const played = running.reduce((sum, { at, share }) => sum + share * Math.min(1, spentMs / Math.max(1, now - at)), recent);
  if (played > 0) return { leftMs: Math.round((spentMs / played) * left), ...(recent ? {} : { leftBy: 'phases' }) };
  return running.length ? { leftMs: Math.round((usualMs * left) / running.length), leftBy: 'rules' } : {};
}

/** Estimates what is left of running contests. The tables are asked for their phases once in a while, whoever looks. */
export function timesLeft(context: ContestContext) {
  const courses = new LRUCache<string, readonly Course[]>({ max: 100 });
  const known = new LRUCache<string, Promise<ReadonlyMap<string, number | undefined>>>({ max: 100, ttl: 3_000 });
  return async (stored: StoredContest, begun: readonly BegunPairing[]): Promise<ReturnType<typeof timeLeft>> => {
    const { id } = stored;
    const contest = contestShape.parse(stored.contest);
    const own = courses.get(id) ?? (begun.length ? contest.games.map((game, i) => courseOf({ ...game, options: optionsOf(contest, i) })) : []); // prettier-ignore
    if (begun.length) courses.set(id, own);
    const { perDeal, rounds } = planOf(contest);
    const asking = known.get(id) ?? sharesOver(context, begun, (number) => own[Math.floor(number / perDeal) % own.length]!, rounds);
    known.set(id, asking);
    const shares = await asking;
    const there = [...shares.values()].filter((share) => share !== undefined);
    const usual = there.length ? meanOf(there) : 0; // of those that were not asked
    const played = begun.filter(({ table }) => !shares.has(table) || shares.get(table) !== undefined);
    const running = played.map(({ table, at }) => ({ at, share: shares.get(table) ?? usual }));
    const progress = { ...stored, now: context.now(), running, usualMs: own.length ? rounds * meanOf(own.map(({ ms }) => ms)) : 0 };
    return timeLeft(progress, await context.contests.countFinished(id, paceFrom(progress)));
  };
}

/** The share that is over of tables, by their ids; without those that are not told at once. Undefined: it is not open yet, as it waits for room. */
async function sharesOver(
  context: ContestContext,
  begun: readonly BegunPairing[],
  courseFor: (number: number) => Course,
  rounds: number,
): Promise<ReadonlyMap<string, number | undefined>> {
  const shares = new Map<string, number | undefined>();
  const read = async (ask: ContestContext['ask'], { number, table }: BegunPairing): Promise<void> => {
    try {
      const { summary, clock } = await ask('table.view', table, { eye: 'audience', limit: 1 });
      const played = (Math.max(0, summary.round - 1) + shareOf(courseFor(number), clock?.phase)) / rounds;
      shares.set(table, summary.stage === 'over' ? 1 : played); // one whose agents still learn has no phase
    } catch (error) {
      if (error instanceof Refused) shares.set(table, undefined); // another one was not told in time
    }
  };
  const asked = begun.slice(0, ASKED);
  await answerInTime({ ...context, checkMs: ASK_MS }, 'the gamemaster', (ask) => Promise.all(asked.map((each) => read(ask, each))));
  return shares;
}

/** @param phase as everybody may know it, such as `round-1/night-2`: where its steps are secret, it is the first of them */
export function shareOf({ shares }: Course, phase = ''): number {
  const name = phase.split(' ')[0]!.replace(/^round-\d+\//, '');
  return shares.get(name) ?? [...shares].find(([step]) => step.startsWith(`${name}/`))?.[1] ?? 0;
}
