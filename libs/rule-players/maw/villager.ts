import type { Seat } from '@maw/games/kernel/question.ts';
import { shareGone } from '../conversation/converse.ts';
import type { Intent } from '../shared/answers.ts';
import { revealResults } from '../conversation/phrases.ts';
import type { Belief } from './belief.ts';
import { isFirstSpeech, isWillingToTalk, type Situation, votesFor } from './situation.ts';

/** By how much less suspicion a seat accepts the choice of the others; grows with every thought. */
const PATIENCE = 0.06;
/** The most it gives up of its own opinion. */
const PLIANCE = 0.35;
/** Where there are people, everybody keeps to its own opinion until so much of the day is over. */
const LATE = 0.8;

/**
 * Votes for the most suspected seat and says so; late in the day it follows the majority. A seer inspects whom it is least sure of, and tells
 * its results when it has found a wolf or is in danger.
 */
export function villager(here: Situation, belief: Belief): Intent {
  const { known, moment, floor } = here;
  const suspicion = (seat: Seat): number => belief.wolf[seat] ?? 0;
  const own = here.foremost(here.living, suspicion);
  const vote = own === undefined ? undefined : majorityOr(own, here, suspicion);
  const results = known.game.inspected.map(([seat, role]) => ({ seat, isWolf: role === 'wolf' }));
  const isInDanger = (votesFor(known.days[known.game.day]?.votes).get(moment.seat) ?? 0) * 3 >= here.living.length;
  const hasFound = results.some(({ seat, isWolf }) => isWolf && here.living.includes(seat));
  const untold = hasFound || isInDanger ? results.filter(({ seat }) => !known.told.includes(seat)) : [];
  const named = untold.map(({ seat, isWolf }) => ({ name: moment.players[seat]!.name, isWolf, isDead: !moment.players[seat]!.alive }));
  const isTelling = results.length > 0 && (hasFound || isInDanger);
  return {
    vote,
    night: { inspect: leastCertain(here, suspicion) },
    tells: untold.map(({ seat }) => seat),
    says: untold.length ? [revealResults(named, floor.voice, known.told.length > 0)] : isTelling ? [] : talk(here, vote, own, isInDanger),
  };
}

/** At most three sentences a day, not all at once. */
function talk(here: Situation, vote: Seat | undefined, own: Seat | undefined, isInDanger: boolean): readonly string[] {
  const { said, dice, moment, floor } = here;
  if (isInDanger && said < 3) return [floor.voice('defence')];
  if (floor.hearing.isForPeople ? isFirstSpeech(here) : said === 0 && dice.below(3) === 0) return [floor.voice('opening')];
  if (said >= 2 || vote === undefined || !isWillingToTalk(here)) return [];
  return [floor.voice(vote === own ? 'suspicion' : 'joining', { name: moment.players[vote]!.name })];
}

/** The choice of the others if it has more votes and is not much less suspected, else its own. */
function majorityOr(own: Seat, { known, moment, living, order, floor }: Situation, suspicion: (seat: Seat) => number): Seat {
  const { hearing } = floor;
  const isLate = moment.isTimeShort || (hearing.isForPeople && shareGone(hearing, moment) >= LATE);
  if (hearing.isForPeople && !isLate) return own;
  const tie = (a: Seat, b: Seat): number => (hearing.isForPeople ? order.indexOf(a) - order.indexOf(b) : a - b);
  const counts = votesFor(known.days[known.game.day]?.votes, moment.seat);
  const votes = (seat: Seat): number => counts.get(seat) ?? 0;
  const conceded = Math.min(PLIANCE, PATIENCE * (isLate ? 99 : moment.iteration));
  const better = living
    .filter((seat) => votes(seat) > votes(own) && suspicion(seat) > 0 && suspicion(seat) >= suspicion(own) - conceded)
    .toSorted((a, b) => votes(b) - votes(a) || suspicion(b) - suspicion(a) || tie(a, b));
  return better[0] ?? own;
}

function leastCertain({ known, living, dice }: Situation, suspicion: (seat: Seat) => number): Seat | undefined {
  const unknown = dice.shuffle(living.filter((seat) => !known.game.inspected.some(([seen]) => seen === seat)));
  return (unknown.length ? unknown : living).toSorted((a, b) => Math.abs(suspicion(a) - 0.5) - Math.abs(suspicion(b) - 0.5))[0];
}
