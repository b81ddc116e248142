import { type SeatThought, thoughtFaults } from '@maw/lab/contests/thought-usage.ts';
import type { Pairing } from '@maw/lab/contests/schedules/plan.ts';
import type { VoidTable } from '@maw/lab/contests/result.ts';
import type { NarratedEvent } from '@maw/lab/measures/game-record.ts';

/** What a table that broke off has left. */
interface Traces {
  readonly tape: readonly NarratedEvent[];
  readonly thoughts: readonly (SeatThought & { readonly round: number })[];
  /** The seats of outside agents without which it could not go on. */
  readonly gone: readonly number[];
}

/**
 * Why a table counts for nobody, and against whom: an outside agent that was away for too long, or else the only agent whose mind failed in the
 * round that broke off. With several of them nobody can tell.
 * @param why in words
 */
export function whyBroken({ agents }: Pairing, why: string, { tape, thoughts, gone }: Traces): VoidTable {
  const away = gone.map((seat) => agents[seat]!);
  if (away.length) return { why: `${why}: ${[...new Set(away)].join(' and ')} was away for too long`, culprit: away[0]! };
  const isPlayed = (round: number): boolean => tape.some(({ type, ...event }) => type === 'scored' && event['round'] === round);
  const failed = thoughtFaults(thoughts.filter(({ round }) => !isPlayed(round))).filter(({ kind }) => kind === 'crashed');
  const [culprit, ...others] = new Set(failed.map(({ seat }) => agents[seat]!));
  return culprit === undefined || others.length ? { why } : { why: `${why}: the mind of ${culprit} had failed`, culprit };
}
