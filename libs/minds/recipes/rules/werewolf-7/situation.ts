import type { Dice } from '@maw/games/kernel/dice.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { alive } from '@maw/games/werewolf-7/state.ts';
import type { Moment } from '../../../mind.ts';
import { countVotes } from '../shared/ranking.ts';
import type { Belief } from './belief.ts';
import type { Known } from './record.ts';

/** What a seat looks at when it decides. */
export interface Situation {
  readonly known: Known;
  readonly belief: Belief;
  readonly moment: Moment;
  readonly dice: Dice;
  readonly me: Seat;
  readonly alive: readonly Seat[];
  /** Today's votes of the others, by target. */
  readonly votes: ReadonlyMap<Seat, number>;
}

export const situationOf = (known: Known, belief: Belief, moment: Moment, dice: Dice): Situation => ({
  known,
  belief,
  moment,
  dice,
  me: moment.seat,
  alive: alive(known.game),
  votes: countVotes(known.days[known.game.day]?.votes ?? {}, moment.seat),
});

export const nameOf = ({ moment }: Situation, seat: Seat): string => moment.players[seat]!.name;
