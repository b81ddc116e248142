import type { Dice } from '@maw/games/kernel/dice.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Moment } from '../moment.ts';
import type { Intent } from '../shared/answers.ts';
import { foremost } from '../shared/ranking.ts';
import { type Belief, followers } from './belief.ts';
import type { Known } from './record.ts';
import { announce, orderOf } from './situation.ts';
import { comingOut, result } from './speech.ts';

/** The weight of what everybody wants. */
const CROWD = 0.5;

/** How much less likely a wolf is one who wants the possessed executed: wolves soon recognise it. */
const HOSTILE = 0.4;
/** At so small a table accusing a third seat draws more votes than accusing the rival. */
const FEW = 5;

/**
 * The possessed: claims to be the seer, tells a false result each day, preferably against a rival, and votes with the likely wolves. When they
 * and it are half of the living it reveals itself, so that they vote together.
 * @param belief whom it takes for what
 * @param seen what the village must think, from what everybody knows
 */
export function possessed(known: Known, belief: Belief, seen: Belief, moment: Moment, dice: Dice): Intent {
  const { game, wishes, claims } = known;
  const living = game.living.filter((seat) => seat !== moment.seat);
  const order = orderOf(known, moment);
  const mine = claims[moment.seat]!;
  const wolf = (seat: Seat) => belief.werewolf[seat]! * (wishes[seat]?.about === moment.seat ? HOSTILE : 1);
  const pack = living.reduce((sum, seat) => sum + wolf(seat), 0);
  const isEnd = Math.round(pack) + 1 >= game.living.length / 2;
  const backed = followers(wishes, game.living, (seat) => 0.2 + 2 * wolf(seat), moment.seat);
  const vote = foremost(living, (seat) => CROWD * backed(seat) + seen.werewolf[seat]! / 3 + belief.seer[seat]! / 4 - wolf(seat), order);
  return { vote, says: [...(isEnd ? confession() : lies()), ...announce(vote, known, moment)] };

  function confession(): readonly string[] {
    return mine.roles.includes('possessed') ? [] : [comingOut(moment.seat, 'POSSESSED')];
  }

  /** One result for every day, as a seer has. */
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

  /** Calls the least likely wolf a werewolf. */
  function accuse(open: readonly Seat[]): readonly string[] {
    const about = foremost(open, (seat) => -wolf(seat), dice.shuffle(order));
    return about === undefined || wolf(about) > 0.5 ? [] : [result({ as: 'seer', about, isWolf: true })];
  }
}
