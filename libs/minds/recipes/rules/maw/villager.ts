import type { Dice } from '@maw/games/kernel/dice.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Moment } from '../../../mind.ts';
import type { Belief } from './belief.ts';
import { commonOrder, foremost, tally } from './evidence.ts';
import type { Known } from './record.ts';
import { revelation, sentence } from './speech.ts';
import type { Doing } from './decision.ts';

/** How much less suspected than one's own choice the choice of the others may be when one joins it; more from thought to thought. */
const PATIENCE = 0.06;
/** The most to give up of one's own opinion. */
const PLIANCE = 0.35;

/** Votes for the most suspected, says so, and late in the day goes with the others. A seer looks at whom it is least sure of, and tells when it has found a wolf. */
export function villager(known: Known, belief: Belief, moment: Moment, dice: Dice): Doing {
  const living = moment.players.flatMap(({ seat, alive }) => (alive && seat !== moment.seat ? [seat] : []));
  const suspicion = (seat: Seat) => belief.wolf[seat] ?? 0;
  const order = commonOrder(moment, known);
  const today = known.days[known.game.day]?.votes;
  const own = foremost(living, suspicion, order);
  const vote = joined(own, { living, suspicion, counts: tally(today, moment.seat), late: moment.isTimeShort ? 99 : moment.iteration });
  const name = (seat: Seat) => moment.players[seat]!.name;

  const results = known.game.inspected.map(([seat, role]) => ({ seat, name: name(seat), isWolf: role === 'wolf' }));
  const isInDanger = (tally(today).get(moment.seat) ?? 0) * 3 >= living.length;
  const hasFound = results.some(({ seat, isWolf }) => isWolf && living.includes(seat));
  const reveals = results.length > 0 && (hasFound || isInDanger) ? revelation(results) : undefined;
  return {
    vote,
    inspect: uncertain(known, living, suspicion, dice),
    says: reveals ? [reveals] : talk(),
  };

  /** At most three sentences a day, not all at once. */
  function talk(): readonly string[] {
    const said = known.mine.phase === moment.phase ? known.mine.said.length : 0;
    if (isInDanger && said < 3) return [sentence('defence', dice)];
    if (said === 0 && dice.below(3) === 0) return [sentence('opening', dice)];
    if (said >= 2 || vote === undefined || dice.below(3) > 0) return [];
    return [sentence(vote === own ? 'suspicion' : 'joining', dice, name(vote))];
  }
}

interface Crowd {
  readonly living: readonly Seat[];
  readonly suspicion: (seat: Seat) => number;
  readonly counts: ReadonlyMap<Seat, number>;
  readonly late: number;
}

/** One's own choice, or that of the others when it has more votes and is not much less suspected. */
function joined(own: Seat | undefined, { living, suspicion, counts, late }: Crowd): Seat | undefined {
  if (own === undefined) return undefined;
  const given = Math.min(PLIANCE, PATIENCE * late);
  const better = living
    .filter((seat) => (counts.get(seat) ?? 0) > (counts.get(own) ?? 0) && suspicion(seat) > 0 && suspicion(seat) >= suspicion(own) - given)
    .toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || suspicion(b) - suspicion(a) || a - b);
  return better[0] ?? own;
}

function uncertain(known: Known, living: readonly Seat[], suspicion: (seat: Seat) => number, dice: Dice): Seat | undefined {
  const unknown = dice.shuffle(living.filter((seat) => !known.game.inspected.some(([seen]) => seen === seat)));
  return (unknown.length ? unknown : living).toSorted((a, b) => Math.abs(suspicion(a) - 0.5) - Math.abs(suspicion(b) - 0.5))[0];
}
