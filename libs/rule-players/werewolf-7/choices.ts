import type { Dice } from '@maw/games/kernel/dice.ts';
import { type Seat, seatOf, stepOf } from '@maw/games/kernel/question.ts';
import { partOf } from '@maw/games/werewolf-7/day.ts';
import { alive as livingOf, wolves } from '@maw/games/werewolf-7/state.ts';
import { revealResults, type SeerResult, type Voice } from '../conversation/voice.ts';
import type { Asking, Moment } from '../moment.ts';
import { countVotes, foremost, type Intent } from '../shared/choosing.ts';
import type { Belief } from './belief.ts';
import type { Known } from './record.ts';
import type { Occasion } from './sentences.ts';

/** What a seat looks at when it decides. */
export const situationOf = (known: Known, belief: Belief, moment: Moment, dice: Dice, voice: Voice<Occasion>) => ({
  known,
  belief,
  moment,
  dice,
  voice,
  me: moment.seat,
  living: livingOf(known.game),
  /** Whether the seat speaks because a vote is tied. */
  isTied: moment.questions.some(({ id, verb }) => verb === 'say' && partOf(id) === 'second-ballot'),
  /** Today's votes of the others, by target. */
  votes: countVotes(known.days[known.game.day]?.votes ?? {}, moment.seat),
});
type Situation = ReturnType<typeof situationOf>;

/** How many times in ten a role runs for sheriff; the seer wants to be heard. */
const RUNS = { seer: 8, guard: 3, witch: 3, villager: 3, werewolf: 4, hidden: 0 };

/**
 * The answer to a question of an election, of the badge, or of a tie: who is wanted dead least gets votes and badge, who most is executed.
 * Undefined for other questions.
 * @param against how much a seat is wanted dead
 */
export function dayChoice({ id, options }: Asking, { known, me, dice }: Situation, against: (seat: Seat) => number): string | undefined {
  const step = stepOf(id);
  if (step === 'run') return dice.below(10) < RUNS[known.game.roles[me]!] ? 'run' : 'stay';
  const isBallot = step === 'vote' && partOf(id) === 'second-ballot';
  if (!isBallot && !['elect', 'heir', 'decide'].includes(step)) return undefined;
  const seats = options.flatMap(({ is }) => (is === 'pass' ? [] : [seatOf(is)]));
  const isFor = step === 'elect' || step === 'heir';
  const seat = foremost(seats, (each) => (isFor ? -against(each) : against(each)), dice.shuffle(seats))!;
  return isBallot && against(seat) < SURE.second ? 'pass' : `seat:${seat}`;
}

const nameOf = ({ moment }: Situation, seat: Seat): string => moment.players[seat]!.name;

/** Which results to tell: new ones, and wolves who are still alive. */
const untold = ({ known, me, ...here }: Situation, results: readonly SeerResult[]): readonly SeerResult[] => {
  const told = known.claims.find(({ by }) => by === me)?.results ?? [];
  return results.filter(({ seat, isWolf }) => (isWolf && here.living.includes(seat)) || !told.some(({ about }) => about === seat));
};

/** Whether this seat has claimed to be the seer. */
const isOutAsSeer = ({ known, me }: Situation): boolean => known.claims.some(({ by, is }) => by === me && is === 'seer');

/** Nothing to say: one time in five that it is a villager. */
const idle = ({ voice, dice }: Situation): string => voice(dice.below(5) === 0 ? 'plain' : 'idle');

/** The suspicion needed to vote for a seat, in a second ballot, to join others who do, to poison it, and to poison it at the last chance. */
const SURE = { vote: 0.6, second: 0.3, join: 0.5, poison: 0.62, poisonLast: 0.4 };
/** A victim more suspected than this is not saved. */
const SUSPECT = 0.5;
/** With so few alive nothing is saved for later. */
const FEW = 4;
/** What it is worth to the guard to keep each role alive. */
const WORTH = { seer: 3, witch: 1.6, villager: 2, guard: 1.7, werewolf: -2 };

function lookAsVillager(here: Situation) {
  const { known, belief, dice, me } = here;
  const others = here.living.filter((seat) => seat !== me);
  const order = dice.shuffle(here.living);
  const suspicion = (seat: Seat): number => belief.werewolf[seat] ?? 0;
  return {
    ...here,
    others,
    order,
    suspicion,
    /** The most suspected seat. */
    suspect: foremost(others, suspicion, order),
    isCondemned: known.game.condemned === me,
    /** Whether somebody claims that this seat is a wolf, or a vote says so. */
    isAccused:
      here.isTied || known.claims.some(({ by, results }) => by !== me && results.some(({ about, isWolf }) => about === me && isWolf)),
  };
}
type Villager = ReturnType<typeof lookAsVillager>;

/**
 * Votes for the most suspected seat when sure enough, with the others when nearly. The seer inspects the most suspected and reveals itself
 * when that helps; the guard protects the likely seer, the witch saves whom she trusts and poisons whom she does not.
 */
export function villager(here: Situation): Intent {
  const own = lookAsVillager(here);
  return {
    vote: villageVote(own),
    night: { protect: protect(own), save: save(own), poison: poison(own), inspect: inspect(own) },
    says: [...reveal(own), ...villageTalk(own)],
  };
}

/** Its own choice, or that of the others when it has more votes and is suspected about as much. */
function villageVote({ others, votes, suspicion, suspect, order }: Villager): Seat | undefined {
  const joined = foremost(
    others.filter((seat) => votes.has(seat) && suspicion(seat) >= SURE.join),
    (seat) => votes.get(seat)! + suspicion(seat),
    order,
  );
  const isSure = suspect !== undefined && suspicion(suspect) >= SURE.vote;
  return isSure && (joined === undefined || suspicion(suspect) - suspicion(joined) > 0.2) ? suspect : joined;
}

function protect({ living, belief, moment, order }: Villager): Seat | undefined {
  const worth = (seat: Seat): number =>
    Object.entries(WORTH).reduce((sum, [is, value]) => sum + value * belief[is as keyof Belief][seat]!, 0);
  const options = moment.questions.flatMap((asking) => asking.options.map(({ is }) => is));
  return foremost(
    living.filter((seat) => options.includes(`seat:${seat}`)),
    worth,
    order,
  );
}

function save({ known, me, suspicion }: Villager): Seat | undefined {
  const { warned } = known.game.tonight;
  return warned !== undefined && (warned === me || suspicion(warned) < SUSPECT) ? warned : undefined;
}

function poison({ known, me, living, suspicion, suspect }: Villager): Seat | undefined {
  const { warned, saved } = known.game.tonight;
  const isLast = living.length <= FEW || (warned === me && saved === undefined);
  return suspect !== undefined && suspicion(suspect) >= (isLast ? SURE.poisonLast : SURE.poison) ? suspect : undefined;
}

/** The most suspected of the seats not inspected yet. */
const inspect = ({ known, others, suspicion, order }: Villager): Seat | undefined =>
  foremost(
    others.filter((seat) => !known.game.inspected.some(([about]) => about === seat)),
    suspicion,
    order,
  );

/** What a special role reveals, when it is time to; the longest first. */
function reveal(own: Villager): readonly string[] {
  const { known, me, isCondemned, isAccused, voice } = own;
  const role = known.game.roles[me];
  if (role === 'seer') return revealSeer(own);
  if (role === 'guard') return isCondemned || isAccused ? [voice('guard')] : [];
  if (role !== 'witch') return [];
  const { saved, poisoned } = known.own;
  const isNeeded = known.claims.some(({ results }) => results.some(({ about, isWolf }) => isWolf && about === saved));
  if (!isCondemned && !isAccused && !isNeeded) return [];
  const deeds = [
    ...(saved === undefined ? [] : [voice('saved', { name: nameOf(own, saved) })]),
    ...(poisoned === undefined ? [] : [voice('poisoned', { name: nameOf(own, poisoned) })]),
  ];
  return [[voice('witch'), ...deeds].join(' '), 'I am the Witch.'];
}

function revealSeer(own: Villager): readonly string[] {
  const { known, living, isCondemned, isAccused, voice } = own;
  const results = known.game.inspected.map(([seat, isWolf]) => ({ seat, isWolf }));
  const hasFound = results.some(({ seat, isWolf }) => isWolf && living.includes(seat));
  const hasClaimed = known.claims.some(({ is }) => is === 'seer'); // itself, or a rival
  if (!isCondemned && !isAccused && !hasClaimed && !hasFound && living.length > FEW) return [];
  const all = untold(own, results);
  const present = all.filter(({ seat }) => living.includes(seat));
  const isAgain = isOutAsSeer(own);
  if (isAgain && !all.length) return [];
  return [all, present, present.filter(({ isWolf }) => isWolf)].map((some) => revealResults(some, own.moment, voice, isAgain));
}

function villageTalk(own: Villager): readonly string[] {
  const { suspicion, suspect, isCondemned, isAccused, voice } = own;
  if (isCondemned) return [voice('farewell'), voice('last')];
  if (suspect === undefined || (!isAccused && suspicion(suspect) < SURE.vote)) return [idle(own)];
  return [voice(isAccused ? 'defence' : 'suspicion', { name: nameOf(own, suspect) }), idle(own)];
}

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

/** @param seen what the village must think */
function lookAsWolf(here: Situation, seen: Belief) {
  const { known } = here;
  const pack = wolves(known.game);
  const prey = here.living.filter((seat) => !pack.includes(seat));
  const accusation = known.claims.find(
    ({ by, is, results }) => is === 'seer' && prey.includes(by) && results.some(({ about, isWolf }) => isWolf && pack.includes(about)),
  );
  return {
    ...here,
    partner: pack.find((seat) => seat !== here.me)!,
    prey,
    /** The first who claims to be the seer and calls one of the pack a wolf. */
    accuser: accusation?.by,
    /** How likely the public takes a seat for a wolf. */
    suspicion: (seat: Seat): number => seen.werewolf[seat] ?? 0,
    claimsSeer: (seat: Seat): boolean => known.claims.some(({ by, is }) => by === seat && is === 'seer'),
  };
}
type Wolf = ReturnType<typeof lookAsWolf>;

/**
 * By night names the likely seer or villager, the second wolf whom the first has named. By day votes with the others against the village, and
 * against its partner only when that one is lost anyway; when a seer accuses the pack, one of them may claim to be the seer.
 * @param belief what the pack must think of the others
 * @param seen what the village must think, from what everybody knows
 */
export function wolf(here: Situation, seen: Belief): Intent {
  const own = lookAsWolf(here, seen);
  return { vote: packVote(own), night: { hunt: hunt(own) }, says: packTalk(own) };
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

function packVote({ known, living, votes, partner, prey, accuser, suspicion }: Wolf): Seat | undefined {
  const count = (seat: Seat): number => votes.get(seat) ?? 0;
  if (living.includes(partner) && suspicion(partner) >= LOST && count(partner) * 2 >= living.length - 1) return partner;
  const { order } = known.game;
  const crowd = foremost(
    prey.filter((seat) => count(seat) > 0),
    (seat) => count(seat) + suspicion(seat) / 2,
    order,
  );
  return crowd ?? accuser ?? foremost(prey, suspicion, order);
}

function packTalk(own: Wolf): readonly string[] {
  const { known, me, partner, prey, accuser, suspicion, claimsSeer, dice, voice } = own;
  const scapegoat = accuser ?? foremost(prey, suspicion, known.game.order);
  const name = scapegoat === undefined ? undefined : nameOf(own, scapegoat);
  const accusation = name === undefined ? [] : [voice('suspicion', { name })];
  const isAccused = accuser !== undefined;
  if (!claimsSeer(me) && (known.game.condemned === me || own.isTied))
    return [...(name === undefined ? [] : [voice('defence', { name })]), voice('last')];
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
  return some.length || !isAgain ? [revealResults(some, own.moment, voice, isAgain)] : [];
}
