import { requestsOf, type InTimeShares, type GameLoad, MEAN_MS, MEDIAN_MS, type GameRequest, inTimeShares } from './game-load.ts';
import { fairQueue, type FairQueue } from '@maw/llm-gateway/scheduler/fair-queue.ts';
import { earliest, fifo } from './baseline-queues.ts';

export interface Policy {
  readonly name: string;
  queue(): FairQueue<GameRequest>;
  /** A waiting request is dropped when now + patience x the median service time is past its deadline; undefined: only when it is past it. */
  readonly patience: number | undefined;
  /** Whether it orders by urgency. */
  readonly hasClasses: boolean;
}

export interface SimulationResult extends InTimeShares {
  /** Requested slot time, as a share of the capacity. */
  readonly offered: number;
  /** Slot time of aborted answers, as a share of the used slot time. */
  readonly wasted: number;
  /** Whether no slot was ever free while a request waited. */
  readonly isConserving: boolean;
}

export const policies = {
  fifo: { name: 'FIFO', patience: undefined, hasClasses: false, queue: () => fifo() },
  earliest: { name: 'EDF+drop', patience: 1, hasClasses: false, queue: () => earliest() },
  classless: (patience: number) => ({ name: `SFQ > EDF, k=${patience.toFixed(1)}`, patience, hasClasses: false, queue: () => fairQueue() }),
  recommended: (patience: number) => ({
    name: `class > SFQ > EDF, k=${patience.toFixed(1)}`,
    patience,
    hasClasses: true,
    queue: () => fairQueue(),
  }),
} as const satisfies { readonly [name: string]: Policy | ((patience: number) => Policy) };

interface Running {
  readonly job: GameRequest;
  readonly began: number;
  readonly endsAt: number;
  /** Whether it completes; else it is aborted at its deadline. */
  readonly isDone: boolean;
  settle(tookMs: number): void;
}

/** Simulates a load on `slots` slots with the queue of the gateway, without clock or servers. Running requests are aborted at their deadline. */
export function simulate(load: GameLoad, slots: number, policy: Policy): SimulationResult {
  const requests = requestsOf(load);
  const queue = policy.queue();
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
    running.add({ job, began: now, isDone, endsAt: isDone ? now + job.serviceMs : job.deadline, settle: queue.charge(job.game, MEAN_MS) });
  }

  for (let next = 0; next < requests.length || running.size > 0;) {
    const arrives = requests[next]?.arrived ?? Infinity;
    const now = Math.min(arrives, ...[...running].map(({ endsAt }) => endsAt));
    if (arrives <= now) queue.add(policy.hasClasses ? requests[next++]! : { ...requests[next++]!, urgency: 'talk' });
    for (const one of running) if (one.endsAt <= now) end(one, now);
    const least = now + (policy.patience ?? 0) * MEDIAN_MS;
    queue.dropWhere(({ deadline }) => deadline <= now || deadline < least);
    while (running.size < slots) {
      const job = queue.takeNext(() => true);
      if (!job) break;
      begin(job, now);
    }
    if (running.size < slots && queue.size > 0) isConserving = false;
  }
  return {
    ...inTimeShares(requests, load, met),
    offered: requests.reduce((sum, { serviceMs }) => sum + serviceMs, 0) / load.forMs / slots,
    wasted: worked ? wasted / worked : 0,
    isConserving,
  };
}
