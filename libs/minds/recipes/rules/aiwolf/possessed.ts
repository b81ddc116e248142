import type { Dice } from '@maw/games/kernel/dice.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Moment } from '../../../mind.ts';
import type { Belief } from './belief.ts';
import { type Doing, wishFor } from './decision.ts';
import { commonOrder, followers, foremost } from './evidence.ts';
import type { Known } from './record.ts';
import { comingOut, result } from './speech.ts';

/** How much the wish of everybody weighs. */
const CROWD = 0.5;

/** How much less likely one is a wolf who wants the possessed executed: a wolf soon knows what it is. */
const HOSTILE = 0.4;
/** At a table of so few nobody has a majority, and a third one accused draws more votes than the rival. */
const FEW = 5;

/**
 * The possessed: claims to be the seer, tells a false result each day, best one against who contradicts it, and votes with the likely wolves.
 * When they and it are half of the living it says what it is, so that they vote together.
 * @param belief whom it takes for what
 * @param seen what the village must think, from what everybody knows
 */
export function possessed(known: Known, belief: Belief, seen: Belief, moment: Moment, dice: Dice): Doing {
  const { game, wishes, claims } = known;
  const living = game.living.filter((seat) => seat !== moment.seat);
  const order = commonOrder(moment, known);
  const mine = claims[moment.seat]!;
  const wolf = (seat: Seat) => belief.werewolf[seat]! * (wishes[seat]?.about === moment.seat ? HOSTILE : 1);
  const pack = living.reduce((sum, seat) => sum + wolf(seat), 0);
  const isEnd = Math.round(pack) + 1 >= game.living.length / 2;
  const backed = followers(wishes, game.living, (seat) => 0.2 + 2 * wolf(seat), moment.seat);
  const vote = foremost(living, (seat) => CROWD * backed(seat) + seen.werewolf[seat]! / 3 + belief.seer[seat]! / 4 - wolf(seat), order);
  return { vote, says: [...(isEnd ? confession() : lies()), ...wishFor(vote, known, moment)] };

  function confession(): readonly string[] {
    return mine.roles.includes('possessed') ? [] : [comingOut(moment.seat, 'POSSESSED')];
  }

  /** A seer has a result on every morning. */
  function lies(): readonly string[] {
    if (!mine.roles.includes('seer')) return [comingOut(moment.seat, 'SEER')];
    if (mine.found.length >= game.day) return [];
    const open = living.filter((seat) => !mine.found.some(({ about }) => about === seat));
    if (game.roles.length <= FEW) return accuse(open);
    const rival = accuse(open.filter((seat) => claims[seat]!.roles.includes('seer')));
    if (rival.length) return rival;
    const about = foremost(open, (seat) => wolf(seat), dice.shuffle(order));
    return about === undefined ? [] : [result({ as: 'seer', about, isWolf: false })];
  }

  /** Calls one a werewolf, best who is none. */
  function accuse(open: readonly Seat[]): readonly string[] {
    const about = foremost(open, (seat) => -wolf(seat), dice.shuffle(order));
    return about === undefined || wolf(about) > 0.5 ? [] : [result({ as: 'seer', about, isWolf: true })];
  }
}
