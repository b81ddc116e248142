import type { Seat } from '@maw/games/kernel/question.ts';
import { wolves } from '@maw/games/werewolf-7/state.ts';
import type { Intent } from '../shared/answers.ts';
import { revealResults } from '../conversation/phrases.ts';
import { foremost } from '../shared/ranking.ts';
import type { Belief } from './belief.ts';
import { idle, isOutAsSeer, namedResults, nameOf, type Situation, untold } from './situation.ts';

/** The public suspicion of a wolf from which its own pack votes against it. */
const LOST = 0.75;
/** How many times in ten a wolf claims to be the seer when one has accused the pack. */
const COUNTERS = 8;
/** What a victim is worth by its role: the seer ends the hiding, and the last plain villager ends the game. */
const PREY = {
  'seer': 2,
  'villagers-dead': { villager: 1, witch: 0.5, guard: 0.4 },
  'otherwise': { villager: 0.5, witch: 0.8, guard: 0.7 },
};

interface Wolf extends Situation {
  readonly partner: Seat;
  readonly prey: readonly Seat[];
  /** The first who claims to be the seer and calls one of the pack a wolf. */
  readonly accuser: Seat | undefined;
  /** How likely the public takes a seat for a wolf. */
  suspicion(seat: Seat): number;
  claimsSeer(seat: Seat): boolean;
}

/**
 * By night names the likely seer or villager, the second wolf whom the first has named. By day votes with the others against the village, and
 * against its partner only when that one is lost anyway; when a seer accuses the pack, one of them may claim to be the seer.
 * @param belief what the pack must think of the others
 * @param seen what the village must think, from what everybody knows
 */
export function wolf(here: Situation, seen: Belief): Intent {
  const { known } = here;
  const pack = wolves(known.game);
  const prey = here.alive.filter((seat) => !pack.includes(seat));
  const accusation = known.claims.find(
    ({ by, is, results }) => is === 'seer' && prey.includes(by) && results.some(({ about, isWolf }) => isWolf && pack.includes(about)),
  );
  const own: Wolf = {
    ...here,
    partner: pack.find((seat) => seat !== here.me)!,
    prey,
    accuser: accusation?.by,
    suspicion: (seat) => seen.werewolf[seat] ?? 0,
    claimsSeer: (seat) => known.claims.some(({ by, is }) => by === seat && is === 'seer'),
  };
  return { vote: vote(own), night: { hunt: hunt(own) }, says: talk(own) };
}

function hunt({ known, belief, partner, prey, dice }: Wolf): Seat | undefined {
  const heard = known.hunts[known.game.day]?.[partner];
  if (typeof heard === 'number' && prey.includes(heard)) return heard;
  const worth = known.options.wolfWin === 'villagers-dead' ? PREY['villagers-dead'] : PREY.otherwise;
  const weight = (seat: Seat): number =>
    PREY.seer * belief.seer[seat]! +
    worth.villager * belief.villager[seat]! +
    worth.witch * belief.witch[seat]! +
    worth.guard * belief.guard[seat]!;
  return foremost(prey, weight, dice.shuffle(prey));
}

function vote({ known, alive, votes, partner, prey, accuser, suspicion }: Wolf): Seat | undefined {
  const count = (seat: Seat): number => votes.get(seat) ?? 0;
  if (alive.includes(partner) && suspicion(partner) >= LOST && count(partner) * 2 >= alive.length - 1) return partner;
  const { order } = known.game;
  const crowd = foremost(
    prey.filter((seat) => count(seat) > 0),
    (seat) => count(seat) + suspicion(seat) / 2,
    order,
  );
  return crowd ?? accuser ?? foremost(prey, suspicion, order);
}

function talk(own: Wolf): readonly string[] {
  const { known, me, partner, prey, accuser, suspicion, claimsSeer, dice, voice } = own;
  const scapegoat = accuser ?? foremost(prey, suspicion, known.game.order);
  const name = scapegoat === undefined ? undefined : nameOf(own, scapegoat);
  const accusation = name === undefined ? [] : [voice('suspicion', { name })];
  const isAccused = accuser !== undefined;
  if (!claimsSeer(me) && known.game.condemned === me) return [...(name === undefined ? [] : [voice('defence', { name })]), voice('last')];
  if (claimsSeer(me) || (isAccused && !claimsSeer(partner) && dice.below(10) < COUNTERS))
    return [...pretendSeer(own), ...accusation, idle(own)];
  return isAccused || dice.below(3) === 0 ? [...accusation, idle(own)] : [idle(own)];
}

/** What it says as the seer: its earlier lies about the living, and that its accuser is a wolf. */
function pretendSeer(own: Wolf): readonly string[] {
  const { known, me, accuser, voice } = own;
  const told = known.claims.find(({ by }) => by === me)?.results ?? [];
  const isNew = accuser !== undefined && !told.some(({ about }) => about === accuser);
  const results = isNew ? [...told, { about: accuser, isWolf: true }] : told;
  const some = untold(
    own,
    results.map(({ about, isWolf }) => ({ seat: about, isWolf })),
  );
  const isAgain = isOutAsSeer(own);
  return some.length || !isAgain ? [revealResults(namedResults(own, some), voice, isAgain)] : [];
}
