import type { FairQueue, QueueEntry } from '@maw/llm-gateway/scheduler/fair-queue.ts';

interface Order<Job> {
  /** Less than 0 when `a` goes before `b`; equal entries keep their order of arrival. */
  before(a: Job, b: Job): number;
  /** Whether to drop infeasible entries eagerly. */
  readonly drops: boolean;
}

/** A queue with one order for all games: the baseline for the fair queue. */
export function ordered<Job extends QueueEntry>({ before, drops }: Order<Job>): FairQueue<Job> {
  const jobs: Job[] = [];
  const take = (at: number): Job | undefined => (at < 0 ? undefined : jobs.splice(at, 1)[0]);
  return {
    add(job) {
      let at = jobs.length;
      while (at > 0 && before(job, jobs[at - 1]!) < 0) at--;
      jobs.splice(at, 0, job);
    },
    dropWhere(isLost) {
      if (!drops) return [];
      const lost = jobs.filter(isLost);
      for (const job of lost) take(jobs.indexOf(job));
      return lost;
    },
    takeNext: (canRun) => take(jobs.findIndex(canRun)),
    charge: () => () => undefined,
    remove: (id) => take(jobs.findIndex((job) => job.id === id)),
    all: () => jobs.values(),
    accounts: () => [],
    get size() {
      return jobs.length;
    },
    gap: 0,
  };
}

/** First come, first served. @param drops whether infeasible entries are dropped; else they are served while queued */
export const fifo = <Job extends QueueEntry>(drops = true): FairQueue<Job> => ordered({ before: () => 0, drops });
/** Earliest deadline first. */
export const earliest = <Job extends QueueEntry>(): FairQueue<Job> => ordered({ before: (a, b) => a.rank - b.rank, drops: true });
