import type { Seat } from '@maw/games/kernel/question.ts';
import type { Moment } from '../../../mind.ts';
import type { Belief } from './belief.ts';
import { type Doing, wishFor } from './decision.ts';
import { commonOrder, followers, foremost } from './evidence.ts';
import type { Known } from './record.ts';
import { attackOn } from './speech.ts';

/** How much the wish of everybody weighs against what the village must think. */
const CROWD = 0.6;
/** How much what the pack has whispered weighs. */
const PACK = 0.5;
/** How much less one is worth attacking who was guarded last night. */
const GUARDED = 1;
/** How sure everybody must be of a wolf before its own pack votes against it. */
const LOST = 0.8;

/**
 * A werewolf: by day goes with the crowd against others, and against its own only when they are lost anyway. By night all who play alike name
 * the same victim: who is likely the seer, then the others the village lives by; not the possessed, nor who was guarded last night.
 * @param belief whom it takes for what; it knows who the wolves are
 * @param seen what the village must think, from what everybody knows
 */
export function werewolf(known: Known, belief: Belief, seen: Belief, moment: Moment): Doing {
  const { game, wishes, hunts } = known;
  const pack = game.roles.flatMap((role, seat) => (role === 'werewolf' ? [seat] : []));
  const living = game.living.filter((seat) => seat !== moment.seat);
  const prey = living.filter((seat) => !pack.includes(seat));
  const order = commonOrder(moment, known);
  const backed = followers(wishes, game.living, (seat) => 1 + belief.possessed[seat]!, moment.seat);
  const lost = living.find((seat) => pack.includes(seat) && seen.werewolf[seat]! >= LOST && backed(seat) > 0.5);
  const vote =
    lost ??
    foremost(prey, (seat) => seen.werewolf[seat]! + CROWD * backed(seat) + belief.seer[seat]! / 5 - belief.possessed[seat]! / 2, order);

  const wished = followers(hunts, living, () => 1, moment.seat);
  const foiled = game.attacked.at(-1);
  const isGuarded = (seat: Seat) => foiled !== undefined && foiled.seat === seat && foiled.day === game.day - 1;
  const danger = (seat: Seat) =>
    belief.seer[seat]! + belief.medium[seat]! / 2 + belief.bodyguard[seat]! / 3 - belief.possessed[seat]! - seen.werewolf[seat]! / 3;
  const attack = foremost(prey, (seat) => danger(seat) + PACK * wished(seat) - (isGuarded(seat) ? GUARDED : 0), order);
  const isNight = moment.phase.includes('/night-');
  const isSaid = game.day === 0 || Object.values(hunts).some(({ about }) => about === attack);
  const whispers = attack === undefined || isSaid ? [] : [attackOn(attack)];
  return { vote, attack, says: isNight ? whispers : wishFor(vote, known, moment) };
}
