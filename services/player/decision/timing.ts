import type { Instant } from '@maw/games/kernel/question.ts';
import type { Asking } from '@maw/minds/mind.ts';
import type { PlayerOptions } from '../defaults.ts';

/** Where the clock of a decision stands. */
export interface Timing {
  /** When the first of its questions closes. */
  readonly until: Instant;
  /** From when on only acting is left to do. */
  readonly shortAt: Instant;
  /** Whether an answer is owed: a choice not made, or a question that is asked once. */
  readonly isOwed: boolean;
  readonly isShort: boolean;
  /** When the model must have answered. For an owed answer that is before the end, so that it can be asked once more, for the act alone. */
  readonly deadline: Instant;
}

interface Given {
  readonly asked: Instant;
  readonly now: Instant;
  readonly standing: { readonly [question: string]: readonly string[] };
  /** How long the last thought took, in milliseconds. */
  readonly lastMs: number;
}

/** @param open the questions that can still be answered; at least one */
export function timingOf(open: readonly Asking[], { asked, now, standing, lastMs }: Given, options: PlayerOptions): Timing {
  const until = Math.min(...open.map((q) => q.until));
  const whole = Math.max(0, until - asked);
  const last = until - Math.min(options.marginMs, whole / 4);
  const shortAt = Math.min(last, until - options.shortShare * whole);
  const isOwed = open.some((q) => q.final || (q.verb === 'choose' && !standing[q.id]));
  const isShort = now + Math.min(lastMs, whole / 2) >= shortAt;
  return { until, shortAt, isOwed, isShort, deadline: isOwed && !isShort ? shortAt : last };
}

/** How long to wait before the next thought: the rolled time, but never past the moment at which an owed answer must be thought of. */
export function waitFor(
  rolledMs: number,
  { until, shortAt, isOwed, isShort }: Timing,
  { now, lastMs }: Pick<Given, 'now' | 'lastMs'>,
): number {
  const left = Math.max(0, until - now);
  if (!isOwed) return Math.min(rolledMs, left);
  return Math.max(0, isShort ? Math.min(rolledMs, left / 3) : Math.min(rolledMs, shortAt - now - Math.min(lastMs, left / 2)));
}
