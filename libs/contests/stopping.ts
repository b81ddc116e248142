import { costOf } from './cost.ts';
import type { Contest } from './definition.ts';
import type { PairingResult } from './result.ts';
import { planOf } from './schedules/plan.ts';

/** Whether a contest has to stop before all its pairings are played. */
export type Decision =
  | { readonly stop: false }
  /** Pairings from number `counted` on do not count. */
  | { readonly stop: true; readonly why: string; readonly counted: number };

/** Decides when a contest stops, result by result. */
export interface Stopping {
  /** Takes in a result, in whatever order they come; one that it knows changes nothing. */
  add(result: PairingResult): void;
  decision(): Decision;
}

interface Progress {
  /** By number: results that wait for those before them. */
  readonly waiting: Map<number, PairingResult>;
  /** The results of the deal that is not whole yet. */
  deal: PairingResult[];
  /** Pairings in a row from the first one that are over. */
  next: number;
  /** Pairings of whole deals in a row. */
  counted: number;
  known: number;
  spent: number;
}

/**
 * Stops a contest once its terms say so. It looks at whole deals only, and at them in the order of their numbers, so the same results give the same
 * decision in whatever order tables end. The limit of cost counts every table that was played.
 */
export function stopping(contest: Contest): Stopping {
  const { perDeal } = planOf(contest);
  const progress: Progress = { waiting: new Map(), deal: [], next: 0, counted: 0, known: 0, spent: 0 };
  return {
    add(result) {
      if (result.number < progress.next || progress.waiting.has(result.number)) return;
      progress.known++;
      progress.spent += costOf(contest, result.usage);
      progress.waiting.set(result.number, result);
      for (let ready = progress.waiting.get(progress.next); ready; ready = progress.waiting.get(progress.next)) {
        progress.waiting.delete(progress.next++);
        progress.deal.push(ready);
        if (progress.next % perDeal) continue;
        progress.counted = progress.next;
        progress.deal = [];
      }
    },
    decision: () => costDecision(contest, progress),
  };
}

/** What `stopping` decides after these results. */
export function decideStop(contest: Contest, results: readonly PairingResult[]): Decision {
  const { add, decision } = stopping(contest);
  for (const result of results) add(result);
  return decision();
}

function costDecision({ stopping: { maxCost } }: Contest, { known, spent, counted }: Progress): Decision {
  if (maxCost === undefined || !known) return { stop: false };
  const perTable = spent / known;
  if (spent + perTable <= maxCost) return { stop: false };
  return {
    stop: true,
    why: `${spent.toFixed(2)} of ${maxCost} is spent, and another table costs about ${perTable.toFixed(2)} (stopping.maxCost)`,
    counted,
  };
}
