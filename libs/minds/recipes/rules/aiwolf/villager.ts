import type { Dice } from '@maw/games/kernel/dice.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Moment } from '../../../mind.ts';
import type { Intent } from '../shared/answers.ts';
import type { Belief } from './belief.ts';
import { followers } from './evidence.ts';
import type { Known } from './record.ts';
import { announce, foremost, orderOf } from './situation.ts';
import { appeal, comingOut, type Found, result, type Sight } from './speech.ts';

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
  return {
    vote,
    night: { divine: unknown(), guard: foremost(living, value, dice.shuffle(order)) },
    says: [...reports(), ...announce(vote, known, moment)],
  };

  /** The most suspected of the seats not divined yet. */
  function unknown(): Seat | undefined {
    const unseen = living.filter((seat) => !game.divined.some((one) => one.seat === seat));
    return foremost(unseen.length ? unseen : living, (seat) => belief.werewolf[seat]!, dice.shuffle(order));
  }

  function reports(): readonly string[] {
    if (own === 'seer') return report('seer', 'SEER', game.divined);
    if (own === 'medium') return report('medium', 'MEDIUM', game.identified);
    return [];
  }

  /** Comes out with the first result or against a rival, then tells every result once. */
  function report(as: Sight, role: 'SEER' | 'MEDIUM', findings: typeof game.divined): readonly string[] {
    const mine = known.claims[moment.seat]!;
    const isRivalled = known.claims.some(({ roles }, seat) => seat !== moment.seat && roles.includes(as));
    if (!findings.length && !isRivalled) return [];
    const untold = findings.filter(({ seat }) => !mine.found.some((one) => one.as === as && one.about === seat));
    const tell = ({ seat, found }: (typeof findings)[number]): string => {
      const one: Found = { as, about: seat, isWolf: found === 'werewolf' };
      return one.isWolf && living.includes(seat) ? appeal(one) : result(one);
    };
    return [...(mine.roles.includes(as) ? [] : [comingOut(moment.seat, role)]), ...untold.map(tell)];
  }
}
