import { type RoleCounts, rolesIn } from '@maw/games/aiwolf/role-counts.ts';
import { type Aiwolf, type Role, type Species, speciesOf } from '@maw/games/aiwolf/state.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { memoize } from '../shared/memoize.ts';
import { voteLikelihood } from '../shared/vote-likelihood.ts';
import { type Kind, WEIGHTS } from '../shared/weights.ts';
import { wolfBelief } from '../shared/wolf-belief.ts';
import type { Claims, Known, Wishes } from './record.ts';

type FoxRole = 'fox' | 'immoralist';
/** By role and seat: how likely the seat has the role. Foxes and immoralists only where they are dealt. */
export type Belief = { readonly [role in Exclude<Role, FoxRole>]: readonly number[] } & { readonly [role in FoxRole]?: readonly number[] };

/** Above this number the sets of wolves are sampled evenly. 15 players with 3 wolves have 455. */
const MAX_SETS = 5000;

/** What is known about who has which role. */
export interface Evidence {
  readonly cast: RoleCounts;
  /** Whose habits tell something. */
  readonly kind: Kind;
  /** What is certain, by seat. */
  readonly roles: readonly (Role | undefined)[];
  readonly species: readonly (Species | undefined)[];
  /** By seat: how much likelier what has befallen it is of a fox than of others. Absent: nothing tells. */
  readonly omens?: readonly number[];
  /** Who was alive when the day began: with them the game went on. */
  readonly there: readonly Seat[];
  /** What each seat claims. */
  readonly claims: readonly Claims[];
  /** Whether everybody has had a chance to claim, so that silence is evidence. */
  readonly silenceTells: boolean;
  /** How often each has voted for each: `against[voter][target]`. */
  readonly against: readonly (readonly number[])[];
}

/** The probability that a row ever claims to be a column; what is not there is as rare as RARE. */
const CLAIMS: { readonly [role in Role]: { readonly [claim in Role]?: number } } = {
  villager: { seer: 0.01, medium: 0.01, bodyguard: 0.01, possessed: 0.01, werewolf: 0.005, villager: 1 },
  seer: { seer: 0.8, medium: 0.002, bodyguard: 0.002, possessed: 0.005, werewolf: 0.002, villager: 1 },
  medium: { seer: 0.002, medium: 0.7, bodyguard: 0.002, possessed: 0.005, werewolf: 0.002, villager: 1 },
  bodyguard: { seer: 0.002, medium: 0.002, bodyguard: 0.1, possessed: 0.005, werewolf: 0.002, villager: 1 },
  possessed: { seer: 0.5, medium: 0.15, bodyguard: 0.03, possessed: 0.3, werewolf: 0.1, villager: 1 },
  fox: { seer: 0.05, medium: 0.03, bodyguard: 0.03, villager: 1 },
  immoralist: { seer: 0.5, medium: 0.15, bodyguard: 0.03, villager: 1 },
  werewolf: { seer: 0.12, medium: 0.08, bodyguard: 0.03, possessed: 0.02, werewolf: 0.02, villager: 1 },
};
const RARE = 0.005;
/** The probability of having claimed none of seer, medium and bodyguard. */
const SILENCE: { readonly [role in Role]: number } = {
  villager: 0.97,
  seer: 0.35,
  medium: 0.5,
  bodyguard: 0.9,
  possessed: 0.4,
  fox: 0.9,
  immoralist: 0.4,
  werewolf: 0.8,
};
/** The probability that a true seer or medium lies. */
const LIE = 1e-4;
/** How often a lying wolf calls a wolf, and a human, a werewolf. Others do so half of the time. */
const WOLF_CALLS = { wolf: 0.08, human: 0.45 };

/** By seat and role, in the order of `rolesIn`: the likelihood of the seat's claims, whoever the wolves are; 0: impossible. */
export function bareWeights({ cast, roles, species, omens, claims, silenceTells }: Evidence): readonly (readonly number[])[] {
  return claims.map(({ roles: claimed }, seat) => {
    const isSilent = silenceTells && !claimed.some((role) => role === 'seer' || role === 'medium' || role === 'bodyguard');
    return rolesIn(cast).map((role) => {
      if ((roles[seat] ?? role) !== role || (species[seat] ?? speciesOf(role)) !== speciesOf(role)) return 0;
      const bare = (isSilent ? SILENCE[role] : 1) * (role === 'fox' ? (omens?.[seat] ?? 1) : 1);
      return claimed.reduce((p, claim) => p * (CLAIMS[role][claim] ?? RARE), bare);
    });
  });
}

/** The likelihood of a seat's claimed results if it has the role and `isWolf` are the wolves, relative to guessing. */
export function resultLikelihood({ found }: Claims, role: Role, isWolf: readonly boolean[]): number {
  let p = 1;
  for (const { as, about, isWolf: says } of found) {
    if (role === 'werewolf') {
      const calls = isWolf[about] ? WOLF_CALLS.wolf : WOLF_CALLS.human;
      p *= 2 * (says ? calls : 1 - calls);
    } else if (role === as) p *= 2 * (says === isWolf[about] ? 1 - LIE : LIE);
  }
  return p;
}

/** Bayes' rule over every assignment of roles that is consistent with the evidence, including that the game is not over. */
export const beliefOf = memoize(compute);

function compute(evidence: Evidence): Belief {
  const { cast, claims, there, against } = evidence;
  const places = rolesIn(cast);
  const shares = wolfBelief({
    wolves: cast.werewolf,
    cards: places.slice(1, -1).map((role) => cast[role]),
    bare: bareWeights(evidence),
    there,
    goesOn: (wolves, others) => wolves > 0 && wolves < others,
    logOf: voteLikelihood(against, cast.werewolf, WEIGHTS[evidence.kind]),
    tellers: claims.flatMap(({ found }, seat) => (found.length ? [seat] : [])),
    sighted: [places.indexOf('seer'), places.indexOf('medium')],
    tells: (seat, place, isWolf) => resultLikelihood(claims[seat]!, places[place]!, isWolf),
    mostSets: MAX_SETS,
  });
  const share = (role: Role, place: number) => shares?.[place] ?? claims.map(() => cast[role] / claims.length);
  return Object.fromEntries(places.map((role, place) => [role, share(role, place)])) as { [role in Role]: readonly number[] };
}

/** What everybody knows. Minds that have heard the same conclude the same, so they can act together without talking. */
export function publicEvidence({ cast, game, claims, ballots, kind = 'aiwolf' }: Known): Evidence {
  const seats = game.roles.map((_, seat) => seat);
  const against = seats.map(() => seats.map(() => 0));
  for (const votes of Object.values(ballots)) for (const [voter, target] of votes) against[voter]![target]!++;
  return {
    cast: cast!,
    kind,
    roles: seats.map((seat) => shownRole(game, seat)),
    // werewolves do not attack their own
    species: seats.map((seat) => (game.killed.some((dead) => dead.seat === seat) ? 'human' : undefined)),
    there: seats.filter((seat) => game.living.includes(seat) || game.executed.some((dead) => dead.seat === seat && dead.day === game.day)),
    claims,
    silenceTells: hadTheirSay(game),
    against,
    ...(cast!.fox ? { omens: seats.map((seat) => omenOf(game, claims, seat)) } : {}),
  };
}

/** Who dies by day with the executed was an immoralist, and the executed the last fox. */
function shownRole({ dead, executed, killed }: Aiwolf, seat: Seat): Role | undefined {
  const hasFollowed = (one: Seat | undefined) => one !== undefined && ![...executed, ...killed].some((fate) => fate.seat === one);
  if (!dead.includes(seat)) return undefined;
  return hasFollowed(seat) ? 'immoralist' : hasFollowed(dead[dead.indexOf(seat) + 1]) ? 'fox' : undefined;
}

const hasDied = ({ killed }: Aiwolf, seat: Seat, day: number): boolean => killed.some((fate) => fate.seat === seat && fate.day === day);
/** Whether somebody died in the night without an attack, or more than the attacked: one of them was a divined fox. */
const isCursed = ({ killed }: Aiwolf, day: number): boolean => day === 1 || killed.filter((fate) => fate.day === day).length > 1;
/** How much likelier it is of a fox to die so, to die alone by night, and to be called human by one who may be the seer. */
const OMENS = { cursed: 10, alone: 0.2, called: 0.3 };

function omenOf(game: Aiwolf, claims: readonly Claims[], seat: Seat): number {
  const fate = game.killed.find((one) => one.seat === seat);
  if (fate) return isCursed(game, fate.day) ? OMENS.cursed : OMENS.alone;
  return claims.some(({ found }) => found.some(({ as, about, isWolf }) => as === 'seer' && about === seat && !isWolf)) ? OMENS.called : 1;
}

/** What a seer and a wolf know of foxes: who is divined lives on only if it is none; who is attacked in vain may be one. */
function ownOmen({ game, cast }: Known, own: Role, seat: Seat): number {
  const isSeen = game.divined.some((one) => one.seat === seat && !hasDied(game, seat, one.day));
  if (own === 'seer' && isSeen) return 0;
  const isFoiled = game.attacked.some((one) => one.seat === seat && one.day < game.day && game.living.includes(seat));
  return own === 'werewolf' && isFoiled ? (cast!.bodyguard ? OMENS.cursed : 1000) : 1;
}

/** Whether everybody has had a turn to come out. */
const hadTheirSay = ({ day, speech }: Known['game']): boolean =>
  day > 1 || (day === 1 && speech !== undefined && (speech.place === 'whisper' || speech.turn > 0));

/** What this seat knows besides: its role, its findings, its pack. */
export function ownEvidence(known: Known, seat: Seat): Evidence {
  const seen = publicEvidence(known);
  const { roles, divined, identified } = known.game;
  const own = roles[seat] as Role;
  const findings = new Map([...divined, ...identified].map((one): [Seat, Species] => [one.seat, one.found]));
  const species = seen.species.map((found, other) => {
    if (own === 'werewolf') return roles[other] === 'werewolf' ? 'werewolf' : 'human';
    return findings.get(other) ?? (other === seat ? speciesOf(own) : found);
  });
  /** One who died in the very night in which it was divined, not of the attack alone, was a fox. */
  const isBane = (other: Seat) =>
    own === 'seer' &&
    divined.some(({ seat: about, day }) => about === other && hasDied(known.game, other, day) && isCursed(known.game, day));
  return {
    ...seen,
    species,
    roles: seen.roles.map((shown, other) => (roles[other] !== 'hidden' ? (roles[other] as Role) : isBane(other) ? 'fox' : shown)),
    ...(seen.omens ? { omens: seen.omens.map((omen, other) => omen * ownOmen(known, own, other)) } : {}),
  };
}

/** The share of all trust behind each target: by whom the others say they vote. */
export function followers(wishes: Wishes, living: readonly Seat[], trust: (seat: Seat) => number, but: Seat): (seat: Seat) => number {
  const heard = living.filter((seat) => seat !== but && wishes[seat]);
  const all = heard.reduce((sum, seat) => sum + trust(seat), 0);
  return (about) => (all ? heard.filter((seat) => wishes[seat]!.about === about).reduce((sum, seat) => sum + trust(seat), 0) / all : 0);
}
