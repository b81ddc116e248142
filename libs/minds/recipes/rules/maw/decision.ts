import type { Seat } from '@maw/games/kernel/question.ts';

/** What a player of MAW wants to do now, whatever is asked. */
export interface Doing {
  /** By day whom to execute, by night whom to murder. */
  readonly vote: Seat | undefined;
  readonly inspect?: Seat | undefined;
  readonly says: readonly string[];
}
