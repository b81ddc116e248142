import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import { choicesOf, givenBackIn, lengthOf, lossOf, type Span } from './choices.ts';
import type { Findings } from './table-audits.ts';

/** A table and all its events. */
export interface NamedTape {
  readonly table: string;
  readonly tape: readonly Pick<RecordedEvent, 'at' | 'event'>[];
}

/** A shorter loss is no outage (a second), and a busy machine finds out late. For each loss, in milliseconds. */
export const TOLERANCE_MS = 2_000;

/** Every table whose questions were not all answered in time got back what it lost in these spans, but for TOLERANCE_MS each. */
export const lossesGivenBack = (tapes: readonly NamedTape[], lost: readonly Span[]): Findings =>
  tapes.flatMap(({ table, tape }) => {
    const losses = lost.flatMap((span) => lossOf(tape, span) ?? []).filter(({ isOwed }) => isOwed);
    const owedMs = losses.reduce((sum, loss) => sum + Math.max(0, lengthOf(loss) - TOLERANCE_MS), 0);
    if (!owedMs) return [];
    const givenMs = givenBackIn(tape, { from: Math.min(...losses.map(({ from }) => from)), to: Number.POSITIVE_INFINITY });
    return givenMs >= owedMs ? [] : [`${table}: ${owedMs} ms are owed for ${losses.length} outages, ${givenMs} ms were given back`];
  });

/** While no player was there, no choice of a mind was decided by silence; TOLERANCE_MS later than it began, the absence is known. */
export const noneMissedWithoutPlayers = (tapes: readonly NamedTape[], absences: readonly Span[]): Findings =>
  tapes.flatMap(({ table, tape }) =>
    choicesOf(tape)
      .filter(({ isMissed, to }) => isMissed && absences.some((absence) => to > absence.from + TOLERANCE_MS && to <= absence.to))
      .map(({ question, seat }) => `${table}: ${question} of seat ${seat} was decided by silence while there was no player`),
  );
