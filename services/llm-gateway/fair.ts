/** How urgent a completion is. Stamped by whoever runs the game, never by an agent. */
export const URGENCIES = ['critical', 'talk', 'background'] as const;
export type Urgency = (typeof URGENCIES)[number];

/** Something that waits for a slot, as far as its turn is concerned. */
export interface Queued {
  readonly id: string;
  /** On whose account its slot time goes. */
  readonly game: string;
  readonly urgency: Urgency;
  /** Inside a game the least goes first: its deadline, or less than any for what is tried again. */
  readonly rank: number;
}

/** The waiting line. It knows no clock, no servers and no costs but what it is told. */
export interface Line<Job extends Queued> {
  /** @throws Error when one of this id stands in it already */
  add(job: Job): void;
  /** Takes out all that are lost: there is no time left to serve them. */
  drop(isLost: (job: Job) => boolean): readonly Job[];
  /** Takes the one whose turn it is among those that can be served now, out of the line. More are looked at than the one that is taken. */
  next(canRun: (job: Job) => boolean): Job | undefined;
  /** A slot works for a game: so many milliseconds are expected. Returns how the account is settled, with how many it took in truth; once. */
  start(game: string, expectedMs: number): (tookMs: number) => void;
  /** Takes this one out of the line; undefined when it is not in it. */
  remove(id: string): Job | undefined;
  /** Those who wait, in no order. */
  all(): Iterable<Job>;
  readonly size: number;
  /** How far the accounts of the games that wait lie apart, in milliseconds of slot time. */
  readonly gap: number;
  /** Every game that is known: how many wait and run, and what it was charged above the least, in milliseconds. */
  games(): readonly { readonly game: string; readonly waiting: number; readonly running: number; readonly spentMs: number }[];
}

interface Account<Job> {
  readonly waiting: { readonly [u in Urgency]: Job[] };
  size: number;
  running: number;
  /** Slot time it was charged, divided by its weight: its virtual time. */
  spent: number;
}

/**
 * Urgency first; among games that have something that can run, the one that was given the least slot time; inside it the earliest deadline.
 *
 * The second rule is start-time fair queueing (Goyal, Vin, Cheng 1996) with charges corrected by the truth, as VTC does for tokens
 * (Sheng et al., OSDI 2024): slot time is charged as expected when a job starts and corrected when it ends. A game that comes back from
 * rest is lifted to the least of those that are there, so that nobody saves up for a burst.
 * @param weightOf how large a share a game has; 1 unless told
 */
export function fair<Job extends Queued>(weightOf: (game: string) => number = () => 1): Line<Job> {
  const accounts = new Map<string, Account<Job>>();
  const places = new Map<string, Job>();
  /** Where a game begins that comes from rest. */
  let floor = 0;

  function accountOf(game: string): Account<Job> {
    let account = accounts.get(game);
    if (!account)
      accounts.set(game, (account = { waiting: { critical: [], talk: [], background: [] }, size: 0, running: 0, spent: floor }));
    return account;
  }

  const isActive = ({ size, running }: Account<Job>): boolean => size > 0 || running > 0;

  /** The least of the active ones; the most of all when there is none. It never goes back. */
  function raiseFloor(): void {
    let least = Infinity;
    let most = floor;
    for (const account of accounts.values()) {
      if (isActive(account)) least = Math.min(least, account.spent);
      most = Math.max(most, account.spent);
    }
    floor = Math.max(floor, least === Infinity ? most : least);
    for (const [game, account] of accounts) if (!isActive(account) && account.spent <= floor) accounts.delete(game);
  }

  function take(account: Account<Job>, job: Job): Job {
    const jobs = account.waiting[job.urgency];
    jobs.splice(jobs.indexOf(job), 1);
    account.size--;
    places.delete(job.id);
    return job;
  }

  return {
    add(job) {
      if (places.has(job.id)) throw new Error(`${job.id} stands in the line already`);
      raiseFloor();
      const account = accountOf(job.game);
      if (!isActive(account)) account.spent = Math.max(account.spent, floor);
      const jobs = account.waiting[job.urgency];
      let at = jobs.length;
      while (at > 0 && jobs[at - 1]!.rank > job.rank) at--;
      jobs.splice(at, 0, job);
      account.size++;
      places.set(job.id, job);
    },

    drop(isLost) {
      const lost: Job[] = [];
      for (const job of places.values()) if (isLost(job)) lost.push(job);
      for (const job of lost) take(accounts.get(job.game)!, job);
      return lost;
    },

    next(canRun) {
      for (const urgency of URGENCIES) {
        let best: { account: Account<Job>; job: Job } | undefined;
        for (const account of accounts.values()) {
          if (best && best.account.spent < account.spent) continue;
          const job = account.waiting[urgency].find(canRun);
          if (!job) continue;
          if (!best || account.spent < best.account.spent || job.rank < best.job.rank) best = { account, job };
        }
        if (best) return take(best.account, best.job);
      }
      return undefined;
    },

    start(game, expectedMs) {
      const account = accountOf(game);
      const weight = weightOf(game);
      account.running++;
      account.spent += expectedMs / weight;
      let isSettled = false;
      return (tookMs) => {
        if (isSettled) return;
        isSettled = true;
        account.running--;
        account.spent += (tookMs - expectedMs) / weight;
      };
    },

    remove(id) {
      const job = places.get(id);
      return job && take(accounts.get(job.game)!, job);
    },

    all: () => places.values(),
    games: () => [...accounts].map(([game, { size, running, spent }]) => ({ game, waiting: size, running, spentMs: spent - floor })),
    get size() {
      return places.size;
    },
    get gap() {
      let least = Infinity;
      let most = -Infinity;
      for (const { size, spent } of accounts.values()) {
        if (!size) continue;
        least = Math.min(least, spent);
        most = Math.max(most, spent);
      }
      return most > least ? most - least : 0;
    },
  };
}
