import { newMind, type Mind } from '@maw/minds/mind.ts';
import type { Thoughts } from '@maw/store/ports/thoughts.ts';
import { z } from 'zod';
import { mindShape, parseMemory, storedAs, type Memory } from './memory.ts';

/** What a seat has learned from the rounds of its table. */
export interface Lessons {
  /** The last round it has learned from; 0: none. */
  readonly round: number;
  /** The note `learned`; JSON. */
  readonly learned: unknown;
}

const shape = z.object({ round: z.int().nonnegative(), learned: z.unknown() });

export async function loadLessons(thoughts: Thoughts, table: string, seat: number): Promise<Lessons> {
  const { data } = shape.safeParse(await thoughts.recall(table, storedAs.lessons(seat)));
  return { round: data?.round ?? 0, learned: data?.learned };
}

/** Stores lessons, unless those of a later round are there. */
export async function saveLessons(thoughts: Thoughts, table: string, seat: number, lessons: Lessons): Promise<void> {
  await thoughts.remember(table, storedAs.lessons(seat), lessons.round, lessons);
}

export const withLessons = (mind: Mind, { learned }: Lessons): Mind =>
  learned === undefined ? mind : { ...mind, notes: { ...mind.notes, learned } };

const endShape = z.object({ round: z.int().nonnegative(), mind: mindShape });

/** The round of the last decision; undefined when there was none. */
function roundOf({ decision }: Memory): number | undefined {
  const round = /^round-(\d+)\//.exec(decision?.phase ?? '')?.[1];
  return round === undefined ? undefined : Number(round);
}

/** Stores the mind as it was at the end of its last round, when `round` is a later one: it may be learned from while `round` is played. */
export async function keepRoundEnd(thoughts: Thoughts, table: string, seat: number, memory: Memory, round: number): Promise<void> {
  const last = roundOf(memory);
  if (last !== undefined && last < round) await thoughts.remember(table, storedAs.roundEnd(seat), last, { round: last, mind: memory.mind });
}

/**
 * The mind of a seat at the end of a round; a new one when it was asked nothing in that round. Undefined when only the mind of a later round
 * is known.
 */
export async function mindAtEnd(thoughts: Thoughts, table: string, seat: number, round: number): Promise<Mind | undefined> {
  const memory = parseMemory(await thoughts.recall(table, storedAs.decisions(seat)));
  if (!memory) return newMind;
  const last = roundOf(memory) ?? round;
  if (last <= round) return last === round ? memory.mind : newMind;
  const { data: end } = endShape.safeParse(await thoughts.recall(table, storedAs.roundEnd(seat)));
  if (!end || end.round > round) return undefined;
  return end.round === round ? (end.mind as Mind) : newMind;
}
