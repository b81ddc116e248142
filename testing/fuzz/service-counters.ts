import { metrics } from '@maw/telemetry/metrics.ts';

export type Counts = Readonly<Record<string, number>>;

/** What the services of this process have counted so far. */
export interface Taken {
  /** Messages, answers aside, by what came of them. */
  readonly outcomes: Counts;
  /** Those of them that were buried or dropped, by the reason. */
  readonly reasons: Counts;
}

export async function takenNow(): Promise<Taken> {
  const outcomes: Record<string, number> = {};
  const reasons: Record<string, number> = {};
  const count = (into: Record<string, number>, name: string, value: number): void => void (into[name] = (into[name] ?? 0) + value);
  for (const { labels, value } of (await metrics.messagesTaken.get()).values)
    if (!String(labels.type).endsWith('.reply')) count(outcomes, String(labels.outcome), value);
  for (const { labels, value } of (await metrics.deadLetters.get()).values) count(reasons, `dead: ${labels.reason}`, value);
  for (const { labels, value } of (await metrics.forged.get()).values) count(reasons, `forged: ${labels.reason}`, value);
  return { outcomes, reasons };
}

export const lessen = (now: Counts, before: Counts): Record<string, number> =>
  Object.fromEntries(
    Object.entries(now)
      .map(([name, value]) => [name, value - (before[name] ?? 0)] as const)
      .filter(([, value]) => value),
  );

export const add = (one: Counts, other: Counts): Record<string, number> => {
  const sum: Record<string, number> = { ...one };
  for (const [name, value] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + value;
  return sum;
};
