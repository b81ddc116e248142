import type { Dice } from '@maw/games/kernel/dice.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Moment } from '../moment.ts';
import { speechesOf } from '../conversation/hearing.ts';
import { commonOrder, countVotes, foremost } from '../shared/ranking.ts';
import type { Floor } from '../strategy.ts';
import { type Day, type Known, targetsOf } from './record.ts';
import type { Occasion } from './sentences.ts';

/** What a seat looks at when it decides. */
export interface Situation {
  readonly known: Known;
  readonly moment: Moment;
  readonly dice: Dice;
  /** The others who are alive. */
  readonly living: readonly Seat[];
  /** How many speeches it has made in the phase. */
  readonly said: number;
  readonly floor: Floor<Occasion>;
  /** An order of the seats that decides ties. */
  readonly order: readonly Seat[];
  /** The seat with the largest weight. */
  foremost(seats: readonly Seat[], weight: (seat: Seat) => number): Seat | undefined;
}

/** Ties are decided the same way for everybody; where there are people, by day for every seat in its own way. */
export function situationOf(known: Known, moment: Moment, dice: Dice, floor: Floor<Occasion>): Situation {
  const isOwn = floor.hearing.isForPeople && !known.game.night;
  const order = commonOrder(moment, `${known.round}/${known.game.day}${isOwn ? `/${moment.seat}` : ''}`);
  return {
    known,
    moment,
    dice,
    living: moment.players.flatMap(({ seat, alive }) => (alive && seat !== moment.seat ? [seat] : [])),
    floor,
    order,
    said: known.mine.phase === moment.phase ? known.mine.said.length : 0,
    foremost: (seats, weight) => foremost(seats, weight, order, 25),
  };
}

/** The number of votes for each seat, without the vote of `except`. */
export const votesFor = (votes: Day['votes'] = {}, except?: Seat): ReadonlyMap<Seat, number> => countVotes(targetsOf(votes), except);

/** Whether it is the first day and the seat has not spoken yet in this phase. */
export const isFirstSpeech = ({ known, moment, floor: { hearing } }: Situation): boolean =>
  known.game.day === 1 && speechesOf(hearing, moment.phase, moment.seat) === 0;

/** Whether to say something now: one time in three; where there are people, once after somebody else has spoken. */
export const isWillingToTalk = ({ dice, moment, floor: { hearing } }: Situation): boolean =>
  hearing.isForPeople ? hearing.talk.last !== moment.seat || hearing.talk.phase !== moment.phase : dice.below(3) === 0;
