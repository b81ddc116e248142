import type { Dice } from '@maw/games/kernel/dice.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Moment } from '../../../mind.ts';
import type { Intent } from '../shared/answers.ts';
import { revealResults } from '../shared/phrases.ts';
import type { Belief } from './belief.ts';
import type { Known } from './record.ts';
import { type Situation, situationOf, votesFor } from './situation.ts';
import { sentence } from './speech.ts';

/** By how much less suspicion a seat accepts the choice of the others; grows with every thought. */
const PATIENCE = 0.06;
/** The most it gives up of its own opinion. */
const PLIANCE = 0.35;

/**
 * Votes for the most suspected seat and says so; late in the day it follows the majority. A seer inspects whom it is least sure of, and tells
 * its results when it has found a wolf or is in danger.
 */
export function villager(known: Known, belief: Belief, moment: Moment, dice: Dice): Intent {
  const here = situationOf(known, moment, dice);
  const suspicion = (seat: Seat): number => belief.wolf[seat] ?? 0;
  const own = here.foremost(here.living, suspicion);
  const vote = own === undefined ? undefined : majorityOr(own, here, suspicion);
  const results = known.game.inspected.map(([seat, role]) => ({ seat, name: moment.players[seat]!.name, isWolf: role === 'wolf' }));
  const isInDanger = (votesFor(known.days[known.game.day]?.votes).get(moment.seat) ?? 0) * 3 >= here.living.length;
  const hasFound = results.some(({ seat, isWolf }) => isWolf && here.living.includes(seat));
  return {
    vote,
    night: { inspect: leastCertain(here, suspicion) },
    says: results.length > 0 && (hasFound || isInDanger) ? [revealResults(results)] : talk(here, vote, own, isInDanger),
  };
}

/** At most three sentences a day, not all at once. */
function talk({ said, dice, moment }: Situation, vote: Seat | undefined, own: Seat | undefined, isInDanger: boolean): readonly string[] {
  if (isInDanger && said < 3) return [sentence('defence', dice)];
  if (said === 0 && dice.below(3) === 0) return [sentence('opening', dice)];
  if (said >= 2 || vote === undefined || dice.below(3) > 0) return [];
  return [sentence(vote === own ? 'suspicion' : 'joining', dice, moment.players[vote]!.name)];
}

/** The choice of the others if it has more votes and is not much less suspected, else its own. */
function majorityOr(own: Seat, { known, moment, living }: Situation, suspicion: (seat: Seat) => number): Seat {
  const counts = votesFor(known.days[known.game.day]?.votes, moment.seat);
  const votes = (seat: Seat): number => counts.get(seat) ?? 0;
  const conceded = Math.min(PLIANCE, PATIENCE * (moment.isTimeShort ? 99 : moment.iteration));
  const better = living
    .filter((seat) => votes(seat) > votes(own) && suspicion(seat) > 0 && suspicion(seat) >= suspicion(own) - conceded)
    .toSorted((a, b) => votes(b) - votes(a) || suspicion(b) - suspicion(a) || a - b);
  return better[0] ?? own;
}

function leastCertain({ known, living, dice }: Situation, suspicion: (seat: Seat) => number): Seat | undefined {
  const unknown = dice.shuffle(living.filter((seat) => !known.game.inspected.some(([seen]) => seen === seat)));
  return (unknown.length ? unknown : living).toSorted((a, b) => Math.abs(suspicion(a) - 0.5) - Math.abs(suspicion(b) - 0.5))[0];
}
