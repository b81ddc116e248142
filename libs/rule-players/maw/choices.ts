import type { Dice } from '@maw/games/kernel/dice.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { wolves } from '@maw/games/maw/state.ts';
import { shareGone } from '../conversation/converse.ts';
import { speechesOf } from '../conversation/hearing.ts';
import { revealResults } from '../conversation/voice.ts';
import type { Moment } from '../moment.ts';
import { commonOrder, countVotes, foremost, type Intent } from '../shared/choosing.ts';
import type { Floor } from '../strategy.ts';
import type { Belief } from './belief.ts';
import { type Day, type Known, targetsOf } from './record.ts';
import type { Occasion } from './sentences.ts';

/** What a seat looks at when it decides. */
type Situation = ReturnType<typeof situationOf>;

/** Ties are decided the same way for everybody; where there are people, by day for every seat in its own way. */
export function situationOf(known: Known, moment: Moment, dice: Dice, floor: Floor<Occasion>) {
  const isOwn = floor.hearing.isForPeople && !known.game.night;
  const order = commonOrder(moment, `${known.round}/${known.game.day}${isOwn ? `/${moment.seat}` : ''}`);
  return {
    known,
    moment,
    dice,
    /** The others who are alive. */
    living: moment.players.flatMap(({ seat, alive }) => (alive && seat !== moment.seat ? [seat] : [])),
    floor,
    /** An order of the seats that decides ties. */
    order,
    /** How many speeches it has made in the phase. */
    said: known.mine.phase === moment.phase ? known.mine.said.length : 0,
    /** The seat with the largest weight. */
    likeliest: (seats: readonly Seat[], weight: (seat: Seat) => number) => foremost(seats, weight, order, 25),
  };
}

/** The number of votes for each seat, without the vote of `except`. */
const votesFor = (votes: Day['votes'] = {}, except?: Seat): ReadonlyMap<Seat, number> => countVotes(targetsOf(votes), except);

/** Whether it is the first day and the seat has not spoken yet in this phase. */
const isFirstSpeech = ({ known, moment, floor: { hearing } }: Situation): boolean =>
  known.game.day === 1 && speechesOf(hearing, moment.phase, moment.seat) === 0;

/** Whether it has said what it thinks: twice among minds; where people sit once, and again when it thinks otherwise. */
const hasSpokenOut = ({ said, floor: { hearing } }: Situation, vote: Seat): boolean =>
  hearing.isForPeople ? (said >= 1 && hearing.named === vote) || said >= 5 : said >= 2;

/** Where there are people, a vote is changed so often a day. */
const MAX_CHANGES = 2;
/** A suspicion that changes a vote all the same. */
const SURE = 0.8;

/** Its vote of today, if it has changed its mind often enough. */
function finalVote({ known, moment, living, floor }: Situation): Seat | undefined {
  const cast = known.days[known.game.day]?.votes[moment.seat];
  return floor.hearing.isForPeople && cast && living.includes(cast.target) && (cast.before?.length ?? 0) >= MAX_CHANGES
    ? cast.target
    : undefined;
}

/** On the first day, whom nobody has spoken or voted against is suspected on a hunch. */
function suspicionOf({ known }: Situation, about: Seat): 'hunch' | 'suspicion' {
  const { accusations = [], votes } = known.days[1] ?? {};
  const isTalkedOf = accusations.some((one) => one.endsWith(`/${about}`)) || votesFor(votes).has(about) || known.claims.length > 0;
  return known.game.day === 1 && !isTalkedOf ? 'hunch' : 'suspicion';
}

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
  const own = here.likeliest(here.living, suspicion);
  const isSure = own !== undefined && suspicion(own) >= SURE;
  const vote = (isSure ? undefined : finalVote(here)) ?? (own === undefined ? undefined : majorityOr(own, here, suspicion));
  const results = known.game.inspected.map(([seat, role]) => ({ seat, isWolf: role === 'wolf' }));
  const isInDanger = (votesFor(known.days[known.game.day]?.votes).get(moment.seat) ?? 0) * 3 >= here.living.length;
  const hasFound = results.some(({ seat, isWolf }) => isWolf && here.living.includes(seat));
  const untold = hasFound || isInDanger ? results.filter(({ seat }) => !known.told.includes(seat)) : [];
  const isTelling = results.length > 0 && (hasFound || isInDanger);
  return {
    vote,
    night: { inspect: leastCertain(here, suspicion) },
    tells: untold.map(({ seat }) => seat),
    says: untold.length
      ? [revealResults(untold, moment, floor.voice, known.told.length > 0)]
      : isTelling
        ? []
        : talk(here, vote, own, isInDanger),
  };
}

/** At most three sentences a day, unless it changes its mind. */
function talk(here: Situation, vote: Seat | undefined, own: Seat | undefined, isInDanger: boolean): readonly string[] {
  const { said, dice, moment, floor } = here;
  if (isInDanger && said < 3) return [floor.voice('defence')];
  if (floor.hearing.isForPeople ? isFirstSpeech(here) : said === 0 && dice.below(3) === 0) return [floor.voice('opening')];
  if (vote === undefined || hasSpokenOut(here, vote)) return [];
  return [floor.voice(vote === own ? suspicionOf(here, vote) : 'joining', { name: moment.players[vote]!.name })];
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

/** The public suspicion of a wolf from which its own pack votes against it. */
const LOST = 0.7;
/** After this many thoughts in a night a wolf gives in to the others. */
const STUBBORN = 2;

interface Hunter extends Situation {
  readonly pack: readonly Seat[];
  readonly prey: readonly Seat[];
  /** How likely the public takes a seat for a wolf. */
  suspicion(seat: Seat): number;
}

/**
 * By day votes with the crowd against villagers, and against its own pack only when they are lost anyway. By night names the victim that every
 * wolf of this kind names: the likely seer, else whom the village trusts most.
 * @param belief whom the wolves take for the seer
 * @param seen what the village must think, from what everybody knows
 */
export function wolf(here: Situation, belief: Belief, seen: Belief): Intent {
  const { known } = here;
  const pack = wolves(known.game);
  const prey = here.living.filter((seat) => !pack.includes(seat));
  const hunter: Hunter = { ...here, pack, prey, suspicion: (seat) => seen.wolf[seat] ?? 0 };
  return known.game.night ? hunt(hunter, belief) : day(hunter);
}

function day(own: Hunter): Intent {
  const { known, moment, living, pack, prey, suspicion, said, likeliest, floor } = own;
  const counts = votesFor(known.days[known.game.day]?.votes, moment.seat);
  const votes = (seat: Seat): number => counts.get(seat) ?? 0;
  const isLost = (seat: Seat): boolean => pack.includes(seat) && suspicion(seat) >= LOST && votes(seat) * 2 >= living.length;
  const lost = moment.iteration >= 1 ? living.find(isLost) : undefined;
  const crowd = likeliest(
    prey.filter((seat) => votes(seat) > 0),
    (seat) => votes(seat) + suspicion(seat) / 2,
  );
  const vote = lost ?? finalVote(own) ?? crowd ?? likeliest(prey, suspicion);
  const isAccused = votes(moment.seat) * 3 >= living.length;
  if (isAccused && said < 2) return { vote, says: [floor.voice('defence')] };
  if (floor.hearing.isForPeople && isFirstSpeech(own)) return { vote, says: [floor.voice('opening')] };
  const isDone = !floor.hearing.isForPeople && said > 0;
  if (isDone || vote === undefined || hasSpokenOut(own, vote)) return { vote, says: [] };
  return { vote, says: [floor.voice(crowd === undefined ? suspicionOf(own, vote) : 'joining', { name: moment.players[vote]!.name })] };
}

function hunt({ known, moment, living, pack, prey, suspicion, likeliest, floor }: Hunter, belief: Belief): Intent {
  const seerness = (seat: Seat): number => belief.seer[seat] ?? 0;
  const average = prey.reduce((sum, seat) => sum + seerness(seat), 0) / Math.max(1, prey.length);
  const seer = likeliest(prey, seerness);
  const own = seer !== undefined && seerness(seer) > 1.5 * average ? seer : likeliest(prey, (seat) => -suspicion(seat));
  const others = votesFor(known.hunts[known.game.day], moment.seat);
  const wanted = likeliest([...others.keys()], (seat) => others.get(seat)!);
  const isFirst = !living.some((seat) => pack.includes(seat) && seat < moment.seat);
  // The lowest seat of the pack insists longer: two wolves that give in to each other would swap their votes for ever.
  const stubborn = isFirst ? 3 * STUBBORN : STUBBORN;
  const vote = moment.iteration >= stubborn && wanted !== undefined && prey.includes(wanted) ? wanted : own;
  const speaks = moment.iteration === 0 && vote !== undefined && isFirst && pack.length > 1;
  return { vote, says: speaks ? [floor.voice('night', { name: moment.players[vote]!.name })] : [] };
}
