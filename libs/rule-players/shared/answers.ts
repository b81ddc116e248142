import { type Seat, stepOf } from '@maw/games/kernel/question.ts';
import type { Answer, Asking, Moment } from '../moment.ts';

/** What a player wants to do now, whatever it is asked. */
export interface Intent {
  readonly vote: Seat | undefined;
  /** By night: the seat to act on, by the step that asks. */
  readonly night?: { readonly [step: string]: Seat | undefined };
  readonly says: readonly string[];
  /** For a seer: about whom it tells its results. */
  readonly tells?: readonly Seat[];
}

/** The seat that the player wants to choose at a question. */
export const seatFor = ({ id }: Asking, { vote, night = {} }: Intent): Seat | undefined => {
  const step = stepOf(id);
  return Object.hasOwn(night, step) ? night[step] : vote;
};

/** Chooses a seat if it is an option and has not been chosen already. */
export function chooseSeat({ id, options }: Asking, seat: Seat | undefined, { standing }: Pick<Moment, 'standing'>): readonly Answer[] {
  const option = options.find(({ is }) => is === `seat:${seat}`)?.is;
  return option === undefined || standing[id]?.[0] === option ? [] : [{ question: id, says: [option] }];
}
