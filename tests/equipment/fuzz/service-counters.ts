import { metrics } from '@maw/telemetry/metrics.ts';

export type Counts = Readonly<Record<string, number>>;

/** Metrics of all services of this process so far. */
export interface ServiceCounters {
  /** Consumed messages, replies aside, by outcome. */
  readonly outcomes: Counts;
  /** Dead-lettered and dropped messages, by reason. */
  readonly reasons: Counts;
}

export async function readServiceCounters(): Promise<ServiceCounters> {
  const outcomes: Record<string, number> = {};
  const reasons: Record<string, number> = {};
  const count = (into: Record<string, number>, name: string, value: number): void => void (into[name] = (into[name] ?? 0) + value);
  for (const { labels, value } of (await metrics.messagesTaken.get()).values)
    if (!String(labels.type).endsWith('.reply')) count(outcomes, String(labels.outcome), value);
  for (const { labels, value } of (await metrics.deadLetters.get()).values) count(reasons, `dead: ${labels.reason}`, value);
  for (const { labels, value } of (await metrics.forged.get()).values) count(reasons, `forged: ${labels.reason}`, value);
  return { outcomes, reasons };
}

/** The increase of each count, without zeroes. */
export const countsSince = (now: Counts, before: Counts): Record<string, number> =>
  Object.fromEntries(
    Object.entries(now)
      .map(([name, value]) => [name, value - (before[name] ?? 0)] as const)
      .filter(([, value]) => value),
  );

export const addCounts = (one: Counts, other: Counts): Record<string, number> => {
  const sum: Record<string, number> = { ...one };
  for (const [name, value] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + value;
  return sum;
};
