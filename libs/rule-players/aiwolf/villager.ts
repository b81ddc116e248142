import type { Finding } from '@maw/games/aiwolf/state.ts';
import type { Dice } from '@maw/games/kernel/dice.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Moment } from '../moment.ts';
import type { Intent } from '../shared/answers.ts';
import { foremost } from '../shared/ranking.ts';
import { type Belief, followers } from './belief.ts';
import type { Known } from './record.ts';
import { announce, orderOf } from './situation.ts';
import { appeal, comingOut, result } from './speech.ts';
import type { Found, Sight } from './statement.ts';

/** The weight of what everybody wants against suspicion. */
const TOGETHER = 0.3;
/** The discount for a likely seer: executing the seer costs more than missing a wolf for a day. */
const LOSS = 0.5;
/** Below this suspicion a seat is cleared. */
const CLEAR = 0.001;

/**
 * Villager, seer, medium and bodyguard: votes for the most suspected seat and says so, then follows those it trusts. Seer and medium come out
 * and report their results, the bodyguard guards who is likely to be one of them.
 */
export function villager(known: Known, belief: Belief, moment: Moment, dice: Dice): Intent {
  const { game, wishes } = known;
  const own = game.roles[moment.seat];
  const living = game.living.filter((seat) => seat !== moment.seat);
  const order = orderOf(known, moment);
  const trust = (seat: Seat) => 1 - belief.werewolf[seat]! - belief.possessed[seat]! / 2;
  const backed = followers(wishes, game.living, trust, moment.seat);
  const pack = Math.round(living.reduce((sum, seat) => sum + belief.werewolf[seat]!, 0));
  const isLast = game.living.length <= 2 * pack + 2; // unless a wolf is executed now, the wolves win tomorrow
  const loss = (seat: Seat) => (isLast ? 0 : LOSS * (belief.seer[seat]! + belief.medium[seat]! / 2));
  const suspects = living.filter((seat) => belief.werewolf[seat]! > CLEAR);
  const vote = foremost(
    suspects.length ? suspects : living,
    (seat) => belief.werewolf[seat]! - loss(seat) + TOGETHER * backed(seat),
    order,
  );
  const value = (seat: Seat) => 3 * belief.seer[seat]! + 1.5 * belief.medium[seat]! + trust(seat) / 2;
  const unseen = living.filter((seat) => !game.divined.some((one) => one.seat === seat));
  const divine = foremost(unseen.length ? unseen : living, (seat) => belief.werewolf[seat]!, dice.shuffle(order));
  const guard = foremost(living, value, dice.shuffle(order));
  const findings = own === 'seer' ? game.divined : game.identified;
  const reports = own === 'seer' || own === 'medium' ? report(own, findings, known, living, moment.seat) : [];
  return { vote, night: { divine, guard }, says: [...reports, ...announce(vote, known, moment)] };
}

/** The speeches of a seer or a medium: comes out with the first result or against a rival, then tells every result once. */
function report(as: Sight, findings: readonly Finding[], known: Known, living: readonly Seat[], me: Seat): readonly string[] {
  const mine = known.claims[me]!;
  const hasRival = known.claims.some(({ roles }, seat) => seat !== me && roles.includes(as));
  if (!findings.length && !hasRival) return [];
  const untold = findings.filter(({ seat }) => !mine.found.some((one) => one.as === as && one.about === seat));
  const tell = ({ seat, found }: Finding): string => {
    const one: Found = { as, about: seat, isWolf: found === 'werewolf' };
    return one.isWolf && living.includes(seat) ? appeal(one) : result(one);
  };
  const claim = mine.roles.includes(as) ? [] : [comingOut(me, as === 'seer' ? 'SEER' : 'MEDIUM')];
  return [...claim, ...untold.map(tell)];
}
