import type { Seat } from '@maw/games/kernel/question.ts';

/** What a player wants to do now, whatever is asked; undefined is to pass. */
export interface Doing {
  readonly vote: Seat | undefined;
  /** By night: whom to kill, protect, save, poison or inspect, by the step that asks. */
  readonly night: { readonly [step: string]: Seat | undefined };
  /** What to say, the best first: the first that is short enough is said. */
  readonly says: readonly string[];
}
