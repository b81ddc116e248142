import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import { type Seat, stepOf } from '@maw/games/kernel/question.ts';
import type { Answer, Asking, Moment } from '../moment.ts';

/** Dice that roll the same for everybody at a table who derives them from the same key, and otherwise at another table. */
export const commonDice = (table: string, key: string): Dice => diceOf(table, `common/${key}`);

/** An order of the seats that is the same for everybody who derives it from the same key: it decides ties without talking. */
export const commonOrder = ({ table, players }: Moment, key: string): readonly Seat[] =>
  commonDice(table, key).shuffle(players.map(({ seat }) => seat));

/**
 * The seat with the largest weight; the first in `order` among those that weigh about the same.
 * @param resolution weights closer than about 1/resolution are equal
 */
export function foremost(
  seats: readonly Seat[],
  weight: (seat: Seat) => number,
  order: readonly Seat[],
  resolution = 50,
): Seat | undefined {
  const step = (seat: Seat): number => Math.round(weight(seat) * resolution);
  return seats.toSorted((a, b) => step(b) - step(a) || order.indexOf(a) - order.indexOf(b))[0];
}

/** The number of votes for each seat, without the vote of `except`. */
export function countVotes(votes: { readonly [voter: number]: Seat | 'pass' }, except?: Seat): ReadonlyMap<Seat, number> {
  const counts = new Map<Seat, number>();
  for (const [voter, vote] of Object.entries(votes))
    if (vote !== 'pass' && Number(voter) !== except) counts.set(vote, (counts.get(vote) ?? 0) + 1);
  return counts;
}

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
