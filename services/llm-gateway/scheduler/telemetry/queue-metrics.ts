import type { Data } from '@maw/contracts/contracts.ts';
import { metrics, onCollect } from '@maw/telemetry/metrics.ts';
import type { Admission } from '../../admission/admission.ts';
import { SERVICE } from '../../defaults.ts';
import type { QueueEntry } from '../fair-queue.ts';

/** Exports the length of the queue and the fairness gap. Returns how to stop. */
export function showQueue(queue: { all(): Iterable<QueueEntry>; readonly gap: number }): () => void {
  const hideWaiting = onCollect(metrics.completionsWaiting, () => {
    const waiting = { critical: 0, talk: 0, background: 0 };
    for (const { urgency } of queue.all()) waiting[urgency]++;
    for (const [urgency, count] of Object.entries(waiting)) metrics.completionsWaiting.set({ service: SERVICE, urgency }, count);
  });
  const hideGap = onCollect(metrics.fairnessGap, () => metrics.fairnessGap.set({ service: SERVICE }, queue.gap / 1000));
  return () => {
    hideWaiting();
    hideGap();
  };
}

/** Exports the tokens used beyond budgets. Returns how to stop. */
export const showBudgetDebts = (budgets: Admission['budgets'], now: () => number): (() => void) =>
  onCollect(metrics.budgetDebt, () => {
    for (const [of, budget] of Object.entries(budgets)) metrics.budgetDebt.set({ of }, budget.debt(now()));
  });

/** Exports how busy the pool is. @param capacity undefined on standby: this gateway knows nothing of it */
export function showPool(capacity: Data<'llm.capacity'> | undefined): void {
  for (const [gauge, value] of [
    [metrics.poolGames, capacity?.active],
    [metrics.poolRoom, capacity?.more],
    [metrics.poolUse, capacity?.utilisation],
  ] as const)
    if (value === undefined) gauge.remove({ service: SERVICE });
    else gauge.set({ service: SERVICE }, value);
}
