import type { Seat } from '@maw/games/kernel/question.ts';
import type { Intent } from '../shared/answers.ts';
import { revealResults } from '../conversation/phrases.ts';
import { foremost } from '../shared/ranking.ts';
import type { Belief } from './belief.ts';
import { idle, isOutAsSeer, namedResults, nameOf, type Situation, untold } from './situation.ts';

/** The suspicion needed to vote for a seat, to join others who do, to poison it, and to poison it at the last chance. */
const SURE = { vote: 0.6, join: 0.5, poison: 0.62, poisonLast: 0.4 };
/** A victim more suspected than this is not saved. */
const SUSPECT = 0.5;
/** With so few alive nothing is saved for later. */
const FEW = 4;
/** What it is worth to the guard to keep each role alive. */
const WORTH = { seer: 3, witch: 1.6, villager: 2, guard: 1.7, werewolf: -2 };

interface Villager extends Situation {
  readonly others: readonly Seat[];
  readonly order: readonly Seat[];
  /** The most suspected seat. */
  readonly suspect: Seat | undefined;
  readonly isCondemned: boolean;
  /** Whether somebody claims that this seat is a wolf. */
  readonly isAccused: boolean;
  suspicion(seat: Seat): number;
}

/**
 * Votes for the most suspected seat when sure enough, with the others when nearly. The seer inspects the most suspected and reveals itself
 * when that helps; the guard protects the likely seer, the witch saves whom she trusts and poisons whom she does not.
 */
export function villager(here: Situation): Intent {
  const { known, belief, dice, me } = here;
  const others = here.alive.filter((seat) => seat !== me);
  const order = dice.shuffle(here.alive);
  const suspicion = (seat: Seat): number => belief.werewolf[seat] ?? 0;
  const suspect = foremost(others, suspicion, order);
  const isCondemned = known.game.condemned === me;
  const isAccused = known.claims.some(({ by, results }) => by !== me && results.some(({ about, isWolf }) => about === me && isWolf));
  const own: Villager = { ...here, others, order, suspicion, suspect, isCondemned, isAccused };
  return {
    vote: vote(own),
    night: { protect: protect(own), save: save(own), poison: poison(own), inspect: inspect(own) },
    says: [...reveal(own), ...talk(own)],
  };
}

/** Its own choice, or that of the others when it has more votes and is suspected about as much. */
function vote({ others, votes, suspicion, suspect, order }: Villager): Seat | undefined {
  const joined = foremost(
    others.filter((seat) => votes.has(seat) && suspicion(seat) >= SURE.join),
    (seat) => votes.get(seat)! + suspicion(seat),
    order,
  );
  const isSure = suspect !== undefined && suspicion(suspect) >= SURE.vote;
  return isSure && (joined === undefined || suspicion(suspect) - suspicion(joined) > 0.2) ? suspect : joined;
}

function protect({ alive, belief, moment, order }: Villager): Seat | undefined {
  const worth = (seat: Seat): number =>
    Object.entries(WORTH).reduce((sum, [is, value]) => sum + value * belief[is as keyof Belief][seat]!, 0);
  const options = moment.questions.flatMap((asking) => asking.options.map(({ is }) => is));
  return foremost(
    alive.filter((seat) => options.includes(`seat:${seat}`)),
    worth,
    order,
  );
}

function save({ known, me, suspicion }: Villager): Seat | undefined {
  const { warned } = known.game.tonight;
  return warned !== undefined && (warned === me || suspicion(warned) < SUSPECT) ? warned : undefined;
}

function poison({ known, me, alive, suspicion, suspect }: Villager): Seat | undefined {
  const { warned, saved } = known.game.tonight;
  const isLast = alive.length <= FEW || (warned === me && saved === undefined);
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
  const { known, alive, isCondemned, isAccused, voice } = own;
  const results = known.game.inspected.map(([seat, isWolf]) => ({ seat, isWolf }));
  const hasFound = results.some(({ seat, isWolf }) => isWolf && alive.includes(seat));
  const hasClaimed = known.claims.some(({ is }) => is === 'seer'); // itself, or a rival
  if (!isCondemned && !isAccused && !hasClaimed && !hasFound && alive.length > FEW) return [];
  const all = untold(own, results);
  const living = all.filter(({ seat }) => alive.includes(seat));
  const isAgain = isOutAsSeer(own);
  if (isAgain && !all.length) return [];
  return [all, living, living.filter(({ isWolf }) => isWolf)].map((some) => revealResults(namedResults(own, some), voice, isAgain));
}

function talk(own: Villager): readonly string[] {
  const { suspicion, suspect, isCondemned, isAccused, voice } = own;
  if (isCondemned) return [voice('farewell'), voice('last')];
  if (suspect === undefined || (!isAccused && suspicion(suspect) < SURE.vote)) return [idle(own)];
  return [voice(isAccused ? 'defence' : 'suspicion', { name: nameOf(own, suspect) }), idle(own)];
}
