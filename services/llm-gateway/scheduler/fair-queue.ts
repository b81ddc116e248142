import { type Heap, heap } from './heap.ts';

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
  /** Those of one lane can all be served, or none of them: they want the same of the same servers. All are of one lane where nobody says. */
  readonly lane?: string;
}

/** The waiting line. It knows no clock, no servers and no costs but what it is told. */
export interface FairQueue<Job extends Queued> {
  /** @throws Error when one of this id stands in it already */
  add(job: Job): void;
  /** Takes out all that are lost: there is no time left to serve them. */
  drop(isLost: (job: Job) => boolean): readonly Job[];
  /** Takes the one whose turn it is among those that can be served now, out of the line. One of each lane is looked at. */
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

/** What waits of one game, one urgency and one lane, in its order; never nothing while it is known. */
interface Bunch<Job> {
  readonly account: Account<Job>;
  readonly urgency: Urgency;
  readonly lane: string;
  readonly jobs: Job[];
}

interface Account<Job> {
  readonly game: string;
  /** The how manieth there ever was: of two that are equal, the elder goes first. */
  readonly number: number;
  readonly bunches: Map<string, Bunch<Job>>;
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
export function fairQueue<Job extends Queued>(weightOf: (game: string) => number = () => 1): FairQueue<Job> {
  const accounts = new Map<string, Account<Job>>();
  const places = new Map<string, Job>();
  // Nothing that is done for each event goes through all who wait, or all games.
  const bySpent = (sign: 1 | -1): Heap<Account<Job>> => heap((a, b) => sign * (a.spent - b.spent) || a.number - b.number);
  const waiting = { least: bySpent(1), most: bySpent(-1) };
  const working = bySpent(1);
  const resting = bySpent(1);
  const lanes: { readonly [u in Urgency]: Map<string, Heap<Bunch<Job>>> } = { critical: new Map(), talk: new Map(), background: new Map() };
  const turnOf = (a: Bunch<Job>, b: Bunch<Job>): number =>
    a.account.spent - b.account.spent || a.jobs[0]!.rank - b.jobs[0]!.rank || a.account.number - b.account.number;
  let count = 0;
  /** Where a game begins that comes from rest. */
  let floor = 0;

  function accountOf(game: string): Account<Job> {
    let account = accounts.get(game);
    if (!account) {
      accounts.set(game, (account = { game, number: count++, bunches: new Map(), size: 0, running: 0, spent: floor }));
      resting.put(account);
    }
    return account;
  }

  // Whatever puts an account, or what waits of it, in its order is changed only while it stands nowhere.
  function leave(account: Account<Job>): void {
    if (account.size > 0) {
      waiting.least.take(account);
      waiting.most.take(account);
    } else (account.running > 0 ? working : resting).take(account);
  }

  function stand(account: Account<Job>): void {
    if (account.size > 0) {
      waiting.least.put(account);
      waiting.most.put(account);
    } else (account.running > 0 ? working : resting).put(account);
  }

  function lineOf({ urgency, lane }: Pick<Bunch<Job>, 'urgency' | 'lane'>): Heap<Bunch<Job>> {
    let line = lanes[urgency].get(lane);
    if (!line) lanes[urgency].set(lane, (line = heap(turnOf)));
    return line;
  }

  function bunchOf(account: Account<Job>, { urgency, lane = '' }: Queued): Bunch<Job> {
    const key = `${urgency} ${lane}`;
    let bunch = account.bunches.get(key);
    if (!bunch) account.bunches.set(key, (bunch = { account, urgency, lane, jobs: [] }));
    return bunch;
  }

  /** It has left its line; it comes back, or nobody waits in it any more. */
  function comeBack(bunch: Bunch<Job>): void {
    const { account, urgency, lane, jobs } = bunch;
    if (jobs.length > 0) return lineOf(bunch).put(bunch);
    account.bunches.delete(`${urgency} ${lane}`);
    if (lineOf(bunch).size === 0) lanes[urgency].delete(lane);
  }

  /** A slot more or less works for it, and it has had so much more slot time. */
  function charge(account: Account<Job>, slots: 1 | -1, spent: number): void {
    leave(account);
    for (const bunch of account.bunches.values()) lineOf(bunch).take(bunch);
    account.running += slots;
    account.spent += spent;
    for (const bunch of account.bunches.values()) lineOf(bunch).put(bunch);
    stand(account);
  }

  /**
   * The least of the active ones; the most of all when there is none. It never goes back. Who rests and is not above it is forgotten, and
   * begins there when it comes back.
   */
  function raiseFloor(): void {
    const least = Math.min(waiting.least.first?.spent ?? Infinity, working.first?.spent ?? Infinity);
    if (least !== Infinity) floor = Math.max(floor, least);
    for (let one = resting.first; one && (least === Infinity || one.spent <= floor); one = resting.first) {
      floor = Math.max(floor, one.spent);
      resting.take(one);
      accounts.delete(one.game);
    }
  }

  /** Takes these out of a bunch, which are in it. */
  function takeFrom(bunch: Bunch<Job>, those: readonly Job[]): void {
    const { account, jobs } = bunch;
    const isAll = account.size === those.length;
    const [first] = jobs;
    if (isAll) leave(account);
    lineOf(bunch).take(bunch);
    if (those.length === 1) jobs.splice(those[0] === first ? 0 : jobs.indexOf(those[0]!), 1);
    else {
      const gone = new Set(those);
      const kept = jobs.filter((job) => !gone.has(job));
      jobs.length = 0;
      for (const job of kept) jobs.push(job);
    }
    account.size -= those.length;
    comeBack(bunch);
    if (isAll) stand(account);
    for (const { id } of those) places.delete(id);
  }

  const take = (job: Job): Job => {
    takeFrom(bunchOf(accounts.get(job.game)!, job), [job]);
    return job;
  };

  return {
    add(job) {
      if (places.has(job.id)) throw new Error(`${job.id} stands in the line already`);
      raiseFloor();
      const account = accountOf(job.game);
      const bunch = bunchOf(account, job);
      const { jobs } = bunch;
      if (account.size === 0) leave(account);
      const isNew = jobs.length === 0;
      const isFirst = isNew || job.rank < jobs[0]!.rank;
      if (isFirst && !isNew) lineOf(bunch).take(bunch);
      let at = jobs.length;
      while (at > 0 && jobs[at - 1]!.rank > job.rank) at--;
      jobs.splice(at, 0, job);
      if (isFirst) lineOf(bunch).put(bunch);
      if (account.size++ === 0) stand(account);
      places.set(job.id, job);
    },

    drop(isLost) {
      const lost = [...places.values()].filter(isLost);
      for (const [bunch, those] of Map.groupBy(lost, (job) => bunchOf(accounts.get(job.game)!, job))) takeFrom(bunch, those);
      return lost;
    },

    next(canRun) {
      const runs = new Map<string, boolean>();
      const canRunIn = (lane: string, one: Job): boolean => {
        const known = runs.get(lane) ?? canRun(one);
        runs.set(lane, known);
        return known;
      };
      for (const urgency of URGENCIES) {
        let best: Bunch<Job> | undefined;
        for (const [lane, { first }] of lanes[urgency])
          if (first && (!best || turnOf(first, best) < 0) && canRunIn(lane, first.jobs[0]!)) best = first;
        if (best) return take(best.jobs[0]!);
      }
      return undefined;
    },

    start(game, expectedMs) {
      const account = accountOf(game);
      const weight = weightOf(game);
      charge(account, 1, expectedMs / weight);
      let isSettled = false;
      return (tookMs) => {
        if (isSettled) return;
        isSettled = true;
        charge(account, -1, (tookMs - expectedMs) / weight);
      };
    },

    remove(id) {
      const job = places.get(id);
      return job && take(job);
    },

    all: () => places.values(),
    games: () => [...accounts].map(([game, { size, running, spent }]) => ({ game, waiting: size, running, spentMs: spent - floor })),
    get size() {
      return places.size;
    },
    get gap() {
      return (waiting.most.first?.spent ?? 0) - (waiting.least.first?.spent ?? 0);
    },
  };
}
