import type { Mind } from '@maw/minds/mind.ts';
import type { Thoughts } from '@maw/store/ports/thoughts.ts';
import { z } from 'zod';

/** What a seat has learned from the rounds of its table. */
export interface Lessons {
  /** The last round it has learned from; 0: none. */
  readonly round: number;
  /** The note `learned`; JSON. */
  readonly learned: unknown;
}

const shape = z.object({ round: z.int().nonnegative(), learned: z.unknown() });

/** Lessons have a memory of their own, so that learning and the decisions of the next round do not overwrite each other. Seats are 0 to 99. */
const slotOf = (seat: number): number => 100 + seat;

export async function loadLessons(thoughts: Thoughts, table: string, seat: number): Promise<Lessons> {
  const { data } = shape.safeParse(await thoughts.recall(table, slotOf(seat)));
  return { round: data?.round ?? 0, learned: data?.learned };
}

/** Stores lessons, unless those of a later round are there. */
export async function saveLessons(thoughts: Thoughts, table: string, seat: number, lessons: Lessons): Promise<void> {
  await thoughts.remember(table, slotOf(seat), lessons.round, lessons);
}

export const withLessons = (mind: Mind, { learned }: Lessons): Mind =>
  learned === undefined ? mind : { ...mind, notes: { ...mind.notes, learned } };
