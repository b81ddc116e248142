import type { Seat } from '@maw/games/kernel/question.ts';
import { wolves } from '@maw/games/maw/state.ts';
import type { Intent } from '../shared/answers.ts';
import type { Belief } from './belief.ts';
import { isFirstSpeech, isWillingToTalk, type Situation, votesFor } from './situation.ts';

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
  const { known, moment, living, pack, prey, suspicion, said, foremost, floor } = own;
  const counts = votesFor(known.days[known.game.day]?.votes, moment.seat);
  const votes = (seat: Seat): number => counts.get(seat) ?? 0;
  const isLost = (seat: Seat): boolean => pack.includes(seat) && suspicion(seat) >= LOST && votes(seat) * 2 >= living.length;
  const lost = moment.iteration >= 1 ? living.find(isLost) : undefined;
  const crowd = foremost(
    prey.filter((seat) => votes(seat) > 0),
    (seat) => votes(seat) + suspicion(seat) / 2,
  );
  const vote = lost ?? crowd ?? foremost(prey, suspicion);
  const isAccused = votes(moment.seat) * 3 >= living.length;
  if (isAccused && said < 2) return { vote, says: [floor.voice('defence')] };
  if (floor.hearing.isForPeople && isFirstSpeech(own)) return { vote, says: [floor.voice('opening')] };
  const isDone = floor.hearing.isForPeople ? said > 1 : said > 0;
  if (isDone || vote === undefined || !isWillingToTalk(own)) return { vote, says: [] };
  return { vote, says: [floor.voice(crowd === undefined ? 'suspicion' : 'joining', { name: moment.players[vote]!.name })] };
}

function hunt({ known, moment, living, pack, prey, suspicion, foremost, floor }: Hunter, belief: Belief): Intent {
  const seerness = (seat: Seat): number => belief.seer[seat] ?? 0;
  const average = prey.reduce((sum, seat) => sum + seerness(seat), 0) / Math.max(1, prey.length);
  const seer = foremost(prey, seerness);
  const own = seer !== undefined && seerness(seer) > 1.5 * average ? seer : foremost(prey, (seat) => -suspicion(seat));
  const others = votesFor(known.hunts[known.game.day], moment.seat);
  const wanted = foremost([...others.keys()], (seat) => others.get(seat)!);
  const isFirst = !living.some((seat) => pack.includes(seat) && seat < moment.seat);
  // The lowest seat of the pack insists longer: two wolves that give in to each other would swap their votes for ever.
  const stubborn = isFirst ? 3 * STUBBORN : STUBBORN;
  const vote = moment.iteration >= stubborn && wanted !== undefined && prey.includes(wanted) ? wanted : own;
  const speaks = moment.iteration === 0 && vote !== undefined && isFirst && pack.length > 1;
  return { vote, says: speaks ? [floor.voice('night', { name: moment.players[vote]!.name })] : [] };
}
