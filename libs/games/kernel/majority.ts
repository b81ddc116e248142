/** What ends a vote that waits for a majority, or for all to be ready. */
import { type Instant, majorityOf, type Open, type Seat, takesReady } from './question.ts';
import type { TableEvent } from './rules.ts';

/** After an answer to a question whose majority has a period of grace: whether another majority stands, or none any more. */
export function majorityChange(before: Open, q: Open, at: Instant): readonly TableEvent[] {
  if (!q.grace) return [];
  const option = majorityOf(q);
  if (option === majorityOf(before)) return [];
  if (option === undefined) return [{ type: 'majority-lost', question: q.id }];
  const until = graceUntil(q, at);
  return [{ type: 'majority-reached', question: q.id, ...(q.heard === 'at-once' ? { option } : {}), at, until }];
}

/**
 * Once all are ready, a public vote ends as if a majority stood. Nothing when it ends as soon anyway.
 * @param quiet seats that are ready once they have answered
 */
export function hastened(q: Open, quiet: readonly Seat[] | undefined, at: Instant): readonly TableEvent[] {
  if (!takesReady(q)) return [];
  const answered = q.answers.flatMap(({ by }) => (quiet?.includes(by) ? [by] : []));
  const ready = new Set([...(q.ready ?? []), ...answered]);
  const until = graceUntil(q, at);
  if (!q.of.every((seat) => ready.has(seat)) || until >= Math.min(q.until, q.majorityUntil ?? Infinity)) return [];
  return [{ type: 'hastened', question: q.id, at, until }];
}

/** When a majority that stands from now on settles the question. */
const graceUntil = ({ until, grace }: Open, at: Instant): Instant => Math.min(until, Math.max(at + grace!.ms, grace!.notBefore));
