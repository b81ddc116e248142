import type { Dice } from '@maw/games/kernel/dice.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Moment } from '../../../mind.ts';
import type { Belief } from './belief.ts';
import { type Doing, wishFor } from './decision.ts';
import { commonOrder, followers, foremost } from './evidence.ts';
import type { Known } from './record.ts';
import { appeal, comingOut, type Found, result, type Sight } from './speech.ts';

/** How much suspicion the wish of everybody weighs. */
const TOGETHER = 0.3;
/** How much less one is suspected who, if no wolf, is surely the seer: executing the seer costs more than missing a wolf for a day. */
const LOSS = 0.5;
/** Who is less likely a wolf is cleared. */
const CLEAR = 0.001;

/**
 * Villager, seer, medium and bodyguard: votes for the most suspected and says so, then goes with those it trusts. Seer and medium come out and
 * report what they find, the bodyguard guards who is likely to be one of them.
 */
export function village(known: Known, belief: Belief, moment: Moment, dice: Dice): Doing {
  const { game, wishes } = known;
  const own = game.roles[moment.seat];
  const living = game.living.filter((seat) => seat !== moment.seat);
  const order = commonOrder(moment, known);
  const trust = (seat: Seat) => 1 - belief.werewolf[seat]! - belief.possessed[seat]! / 2;
  const backed = followers(wishes, game.living, trust, moment.seat);
  const pack = Math.round(living.reduce((sum, seat) => sum + belief.werewolf[seat]!, 0));
  const isLast = game.living.length <= 2 * pack + 2; // if it is no wolf now, the wolves win tomorrow
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
    divine: unknown(),
    guard: foremost(living, value, dice.shuffle(order)),
    says: [...reports(), ...wishFor(vote, known, moment)],
  };

  /** Whom it knows least to be good, of those it has not looked at. */
  function unknown(): Seat | undefined {
    const unseen = living.filter((seat) => !game.divined.some((one) => one.seat === seat));
    return foremost(unseen.length ? unseen : living, (seat) => belief.werewolf[seat]!, dice.shuffle(order));
  }

  function reports(): readonly string[] {
    if (own === 'seer') return report('seer', 'SEER', game.divined);
    if (own === 'medium') return report('medium', 'MEDIUM', game.identified);
    return [];
  }

  /** Comes out with the first result, then tells each; what it has told already it knows from its own claims. */
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
