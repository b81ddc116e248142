import type { Dice } from '@maw/games/kernel/dice.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Moment } from '../../../mind.ts';
import { commonOrder, countVotes, foremost } from '../shared/ranking.ts';
import type { Day, Known } from './record.ts';

/** What a seat looks at when it decides. */
export interface Situation {
  readonly known: Known;
  readonly moment: Moment;
  readonly dice: Dice;
  /** The others who are alive. */
  readonly living: readonly Seat[];
  /** How many speeches it has made in the phase. */
  readonly said: number;
  /** The seat with the largest weight; ties are decided the same way for everybody. */
  foremost(seats: readonly Seat[], weight: (seat: Seat) => number): Seat | undefined;
}

export function situationOf(known: Known, moment: Moment, dice: Dice): Situation {
  const order = commonOrder(moment, `${known.round}/${known.game.day}`);
  return {
    known,
    moment,
    dice,
    living: moment.players.flatMap(({ seat, alive }) => (alive && seat !== moment.seat ? [seat] : [])),
    said: known.mine.phase === moment.phase ? known.mine.said.length : 0,
    foremost: (seats, weight) => foremost(seats, weight, order, 25),
  };
}

/** The last vote of each voter. */
export const targetsOf = (votes: Day['votes']): { readonly [voter: string]: Seat } =>
  Object.fromEntries(Object.entries(votes).map(([voter, { target }]) => [voter, target]));

/** The number of votes for each seat, without the vote of `except`. */
export const votesFor = (votes: Day['votes'] = {}, except?: Seat): ReadonlyMap<Seat, number> => countVotes(targetsOf(votes), except);
