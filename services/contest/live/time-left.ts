import { LRUCache } from 'lru-cache';
import { type Course, courseOf } from '@maw/lab/contests/planning/course.ts';
import { optionsOf } from '@maw/lab/contests/deal.ts';
import { type Contest, contestShape } from '@maw/lab/contests/definition.ts';
import { planOf } from '@maw/lab/contests/schedules/plan.ts';
import { meanOf } from '@maw/lab/ratings/distributions.ts';
import type { BegunPairing, StoredContest } from '@maw/store/ports/contests.ts';
import type { ContestContext } from '../running-contest.ts';
import { answerInTime } from '../tables/must-be-playable.ts';

/** Results of this many milliseconds say how fast a contest goes on; of longer, where its tables take long. */
const PACE_MS = 600_000;
/** How many running tables are asked for their phase, how long that may take, and how long it is believed, in milliseconds. */
const ASKED = 24;
const ASK_MS = 1_000;
const FRESH_MS = 3_000;
const MAX_CONTESTS = 100;

/** How far a contest is. */
interface Progress {
  readonly now: number;
  /** Since when it has run without a stop. */
  readonly since: number;
  readonly pairings: number;
  readonly finished: number;
  /** Tables that are played now: since when, and the share of them that is over by the phase that they are in. */
  readonly running: readonly { readonly at: number; readonly share: number }[];
  /** How long a table takes by the phases of its rules, in milliseconds. */
  readonly usualMs: number;
}

/** What is left of a contest. `leftBy`: while no table is over it is known by phases that have passed only, or by those of the rules. */
export interface TimeLeft {
  readonly leftMs?: number;
  readonly leftBy?: 'phases' | 'rules';
}

/** Since when results tell the pace. */
const paceFrom = ({ now, since, running }: Pick<Progress, 'now' | 'since' | 'running'>): number =>
  Math.max(since, now - Math.max(PACE_MS, 4 * (now - Math.min(now, ...running.map(({ at }) => at)))));

/** @param recent results since `paceFrom` */
export function timeLeft(progress: Progress, recent: number): TimeLeft {
  const { now, pairings, finished, running, usualMs } = progress;
  const spentMs = now - paceFrom(progress);
  const begun = running.reduce((sum, { share }) => sum + share, 0);
  const played = recent + running.reduce((sum, { at, share }) => sum + share * Math.min(1, spentMs / Math.max(1, now - at)), 0);
  const left = pairings - finished - begun;
  if (played > 0) return { leftMs: Math.round((spentMs / played) * left), ...(recent ? {} : { leftBy: 'phases' }) };
  return running.length ? { leftMs: Math.round((usualMs * left) / running.length), leftBy: 'rules' } : {};
}

/**
 * Estimates the time that is left of running contests. The gamemaster is asked in which phase the tables are, now and then, whoever looks; where it
 * does not answer at once, results alone tell.
 */
export function timesLeft(context: ContestContext): (stored: StoredContest, begun: readonly BegunPairing[]) => Promise<TimeLeft> {
  const coursesOf = new LRUCache<string, readonly Course[]>({ max: MAX_CONTESTS });
  const known = new LRUCache<string, Promise<ReadonlyMap<string, number>>>({ max: MAX_CONTESTS, ttl: FRESH_MS });
  return async (stored, begun) => {
    const { id, since, pairings, finished } = stored;
    const contest = contestShape.parse(stored.contest);
    const courses = begun.length ? (coursesOf.get(id) ?? contest.games.map((game, i) => courseOf({ ...game, options: optionsOf(contest, i) }))) : []; // prettier-ignore
    coursesOf.set(id, courses);
    const asking = known.get(id) ?? sharesOver(context, contest, courses, begun.slice(0, ASKED));
    known.set(id, asking);
    const shares = await asking;
    const usual = shares.size ? meanOf([...shares.values()]) : 0;
    const running = begun.map(({ table, at }) => ({ at, share: shares.get(table) ?? usual }));
    const usualMs = courses.length ? planOf(contest).rounds * meanOf(courses.map(({ ms }) => ms)) : 0;
    const progress = { now: context.now(), since, pairings, finished, running, usualMs };
    return timeLeft(progress, await context.contests.countFinished(id, paceFrom(progress)));
  };
}

/** The shares of tables that are over, by their ids; without those that are not known at once. */
async function sharesOver(
  context: ContestContext,
  contest: Contest,
  courses: readonly Course[],
  begun: readonly BegunPairing[],
): Promise<ReadonlyMap<string, number>> {
  const { perDeal, rounds } = planOf(contest);
  const shares = new Map<string, number>();
  await answerInTime({ ...context, checkMs: ASK_MS }, 'the gamemaster', (ask) =>
    Promise.all(
      begun.map(async ({ number, table }) => {
        const { summary, clock } = await ask('table.view', table, { eye: 'audience', limit: 1 });
        const course = courses[Math.floor(number / perDeal) % courses.length]!;
        shares.set(table, (Math.max(0, summary.round - 1) + shareOf(course, clock?.phase)) / rounds);
      }),
    ),
  ).catch(() => undefined);
  return shares;
}

/** @param phase as everybody may know it, such as `round-1/night-2`: of a secret one its first step counts */
function shareOf({ shares }: Course, phase = ''): number {
  const name = phase.split(' ')[0]!.replace(/^round-\d+\//, '');
  return shares.get(name) ?? [...shares].find(([step]) => step.startsWith(`${name}/`))?.[1] ?? 0;
}
