import { metrics, onCollect } from '@maw/telemetry/metrics.ts';
import type { Admission } from '../../admission/admission.ts';
import { SERVICE } from '../../options.ts';
import type { Queued } from '../fair-queue.ts';

/** Has `/metrics` show who waits in a line, and how far the accounts of games lie apart. Returns how it does so no more. */
export function showLine(line: { all(): Iterable<Queued>; readonly gap: number }): () => void {
  const forgets = [
    onCollect(metrics.completionsWaiting, () => {
      const waiting = { critical: 0, talk: 0, background: 0 };
      for (const { urgency } of line.all()) waiting[urgency]++;
      for (const [urgency, count] of Object.entries(waiting)) metrics.completionsWaiting.set({ service: SERVICE, urgency }, count);
    }),
    onCollect(metrics.fairnessGap, () => metrics.fairnessGap.set({ service: SERVICE }, line.gap / 1000)),
  ];
  return () => {
    for (const forget of forgets) forget();
  };
}

/** Has `/metrics` show what was used beyond budgets. Returns how it does so no more. */
export const showDebts = (admission: Pick<Admission, 'debts'>, now: () => number): (() => void) =>
  onCollect(metrics.budgetDebt, () => {
    for (const [of, tokens] of Object.entries(admission.debts(now()))) metrics.budgetDebt.set({ of }, tokens);
  });

/** Has `/metrics` show how busy the pool is; undefined where another gateway schedules, of which this one knows nothing. */
export function showPool(capacity: Capacity | undefined): void {
  for (const [gauge, value] of [
    [metrics.poolGames, capacity?.active],
    [metrics.poolRoom, capacity?.more],
    [metrics.poolUse, capacity?.utilisation],
  ] as const)
    if (value === undefined) gauge.remove({ service: SERVICE });
    else gauge.set({ service: SERVICE }, value);
}

interface Capacity {
  readonly active: number;
  readonly more: number;
  readonly utilisation: number;
}
