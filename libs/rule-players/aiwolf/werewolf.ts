import type { Seat } from '@maw/games/kernel/question.ts';
import type { Moment } from '../moment.ts';
import type { Intent } from '../shared/answers.ts';
import { foremost } from '../shared/ranking.ts';
import { type Belief, followers } from './belief.ts';
import type { Known } from './record.ts';
import { announce, orderOf } from './situation.ts';
import { attackOn } from './speech.ts';

/** The weight of what everybody wants against public suspicion. */
const CROWD = 0.6;
/** The weight of the pack's whispers. */
const PACK = 0.5;
/** The discount for a target that was guarded last night. */
const GUARDED = 1;
/** The public suspicion of a wolf from which its own pack votes against it. */
const LOST = 0.8;

/**
 * A werewolf: by day votes with the crowd against others, and against its own pack only when they are lost anyway. By night the pack names one
 * victim: the likely seer, then other special roles; not the possessed, nor who was guarded last night.
 * @param belief whom it takes for what; it knows who the wolves are
 * @param seen what the village must think, from what everybody knows
 */
export function werewolf(known: Known, belief: Belief, seen: Belief, moment: Moment): Intent {
  const { game, wishes, hunts } = known;
  const pack = game.roles.flatMap((role, seat) => (role === 'werewolf' ? [seat] : []));
  const living = game.living.filter((seat) => seat !== moment.seat);
  const prey = living.filter((seat) => !pack.includes(seat));
  const order = orderOf(known, moment);
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
  return { vote, night: { attack }, says: isNight ? whispers : announce(vote, known, moment) };
}
