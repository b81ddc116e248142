import type { Dice } from '@maw/games/kernel/dice.ts';
import { wolves } from '@maw/games/maw/state.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Moment } from '../../../mind.ts';
import type { Belief } from './belief.ts';
import type { Doing } from './decision.ts';
import { commonOrder, foremost, tally } from './evidence.ts';
import type { Known } from './record.ts';
import { sentence } from './speech.ts';

/** How sure everybody must be of a wolf before its own pack votes against it. */
const LOST = 0.7;
/** After so many thoughts of a night a wolf gives in to the others. */
const STUBBORN = 2;

/**
 * By day goes with the crowd against villagers, and against its own only when they are lost anyway. By night names the victim that every wolf
 * who plays alike names: the likely seer, else whom the village trusts most.
 * @param belief whom the wolves take for the seer
 * @param seen what the village must think, from what everybody knows
 */
export function wolf(known: Known, belief: Belief, seen: Belief, moment: Moment, dice: Dice): Doing {
  const pack = wolves(known.game);
  const living = moment.players.flatMap(({ seat, alive }) => (alive && seat !== moment.seat ? [seat] : []));
  const prey = living.filter((seat) => !pack.includes(seat));
  const order = commonOrder(moment, known);
  const name = (seat: Seat) => moment.players[seat]!.name;
  return known.game.night ? hunt() : day();

  function day(): Doing {
    const counts = tally(known.days[known.game.day]?.votes, moment.seat);
    const votes = (seat: Seat) => counts.get(seat) ?? 0;
    const lost = living.find(
      (seat) => pack.includes(seat) && (seen.wolf[seat] ?? 0) >= LOST && votes(seat) * 2 >= living.length && moment.iteration >= 1,
    );
    const crowd = foremost(
      prey.filter((seat) => votes(seat) > 0),
      (seat) => votes(seat) + (seen.wolf[seat] ?? 0) / 2,
      order,
    );
    const vote = lost ?? crowd ?? foremost(prey, (seat) => seen.wolf[seat] ?? 0, order);
    const said = known.mine.phase === moment.phase ? known.mine.said.length : 0;
    const isAccused = votes(moment.seat) * 3 >= living.length;
    if (isAccused && said < 2) return { vote, says: [sentence('defence', dice)] };
    if (said > 0 || vote === undefined || dice.below(3) > 0) return { vote, says: [] };
    return { vote, says: [sentence(crowd === undefined ? 'suspicion' : 'joining', dice, name(vote))] };
  }

  function hunt(): Doing {
    const average = prey.reduce((sum, seat) => sum + (belief.seer[seat] ?? 0), 0) / Math.max(1, prey.length);
    const seer = foremost(prey, (seat) => belief.seer[seat] ?? 0, order);
    const own =
      seer !== undefined && (belief.seer[seer] ?? 0) > 1.5 * average ? seer : foremost(prey, (seat) => -(seen.wolf[seat] ?? 0), order);
    const others = tally(known.hunts[known.game.day], moment.seat);
    const wanted = foremost([...others.keys()], (seat) => others.get(seat)!, order);
    const vote = moment.iteration >= STUBBORN && wanted !== undefined && prey.includes(wanted) ? leader(own, wanted) : own;
    const speaks = moment.iteration === 0 && vote !== undefined && !living.some((seat) => pack.includes(seat) && seat < moment.seat);
    return { vote, says: speaks && pack.length > 1 ? [sentence('night', dice, name(vote))] : [] };
  }

  /** Two who give in to each other would change places for ever: the lowest seat of the pack stays longer. */
  function leader(own: Seat | undefined, wanted: Seat): Seat | undefined {
    const isFirst = !living.some((seat) => pack.includes(seat) && seat < moment.seat);
    return isFirst && moment.iteration < 3 * STUBBORN ? own : wanted;
  }
}
