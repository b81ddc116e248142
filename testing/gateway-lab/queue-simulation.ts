import { requestsOf, type InTimeShares, type GameLoad, MEAN_MS, MEDIAN_MS, type GameRequest, inTimeShares } from './game-load.ts';
import { fairQueue, type FairQueue } from '@maw/llm-gateway/scheduler/fair-queue.ts';
import { earliest, fifo } from './baseline-queues.ts';

export interface Policy {
  readonly name: string;
  line(): FairQueue<GameRequest>;
  /** A waiting request is dropped when now + patience x the median service time is past its deadline; undefined: only when it is past it. */
  readonly patience: number | undefined;
  /** Whether it goes by how urgent requests are. */
  readonly hasClasses: boolean;
}

export interface SimulationResult extends InTimeShares {
  /** Slot time that is asked for, as a share of all there is. */
  readonly offered: number;
  /** Slot time that went into answers that came to nothing, as a share of what was used. */
  readonly wasted: number;
  /** Whether no slot was ever free while a request waited. */
  readonly isConserving: boolean;
}

export const policies = {
  fifo: { name: 'FIFO', patience: undefined, hasClasses: false, line: () => fifo() },
  earliest: { name: 'EDF+drop', patience: 1, hasClasses: false, line: () => earliest() },
  classless: (patience: number) => ({ name: `SFQ > EDF, k=${patience.toFixed(1)}`, patience, hasClasses: false, line: () => fairQueue() }),
  recommended: (patience: number) => ({
    name: `class > SFQ > EDF, k=${patience.toFixed(1)}`,
    patience,
    hasClasses: true,
    line: () => fairQueue(),
  }),
} as const satisfies { readonly [name: string]: Policy | ((patience: number) => Policy) };

interface Running {
  readonly job: GameRequest;
  readonly began: number;
  readonly endsAt: number;
  /** Whether it comes to its end; else it is cut at its deadline. */
  readonly isDone: boolean;
  settle(tookMs: number): void;
}

/** Plays a load against `slots` slots, which are taken back only at a deadline, with the queue of the gateway, without clock or servers. */
export function simulate(load: GameLoad, slots: number, policy: Policy): SimulationResult {
  const requests = requestsOf(load);
  const line = policy.line();
  const running = new Set<Running>();
  const met = new Set<string>();
  let wasted = 0;
  let worked = 0;
  let isConserving = true;

  function end(one: Running, now: number): void {
    running.delete(one);
    one.settle(now - one.began);
    worked += now - one.began;
    if (one.isDone) met.add(one.job.id);
    else wasted += now - one.began;
  }

  function begin(job: GameRequest, now: number): void {
    const isDone = now + job.serviceMs <= job.deadline;
    running.add({ job, began: now, isDone, endsAt: isDone ? now + job.serviceMs : job.deadline, settle: line.charge(job.game, MEAN_MS) });
  }

  for (let next = 0; next < requests.length || running.size > 0;) {
    const arrives = requests[next]?.arrived ?? Infinity;
    const now = Math.min(arrives, ...[...running].map(({ endsAt }) => endsAt));
    if (arrives <= now) line.add(policy.hasClasses ? requests[next++]! : { ...requests[next++]!, urgency: 'talk' });
    for (const one of running) if (one.endsAt <= now) end(one, now);
    const least = now + (policy.patience ?? 0) * MEDIAN_MS;
    line.dropWhere(({ deadline }) => deadline <= now || deadline < least);
    while (running.size < slots) {
      const job = line.takeNext(() => true);
      if (!job) break;
      begin(job, now);
    }
    if (running.size < slots && line.size > 0) isConserving = false;
  }
  return {
    ...inTimeShares(requests, load, met),
    offered: requests.reduce((sum, { serviceMs }) => sum + serviceMs, 0) / load.forMs / slots,
    wasted: worked ? wasted / worked : 0,
    isConserving,
  };
}
