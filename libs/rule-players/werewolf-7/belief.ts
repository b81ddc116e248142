import type { Seat } from '@maw/games/kernel/question.ts';
import type { Werewolf7Options } from '@maw/games/werewolf-7/options.ts';
import { type Role, ROLES, ROLES_DEALT } from '@maw/games/werewolf-7/state.ts';
import { range, subsets } from '../shared/combinations.ts';
import { memoize } from '../shared/memoize.ts';
import { voteLikelihood } from '../shared/vote-likelihood.ts';
import type { Claim } from './record.ts';
import type { ClaimedRole } from './speech.ts';

/** What is known about who has which role. */
export interface Evidence {
  /** By seat: the role that is known for certain. */
  readonly roles: readonly (Role | undefined)[];
  /** Certainly wolves, and certainly none. */
  readonly wolves: readonly Seat[];
  readonly cleared: readonly Seat[];
  readonly alive: readonly Seat[];
  readonly wolfWin: Werewolf7Options['wolfWin'];
  /** Who died in each night, without those whose cause of death is known. */
  readonly nights: readonly (readonly Seat[])[];
  /** Known targets of the wolves. */
  readonly attacked: readonly Seat[];
  /** How strongly a seat is against another: `against[voter][target]`, 1 for a vote. */
  readonly against: readonly (readonly number[])[];
  readonly claims: readonly Claim[];
}

/** By role and seat: how likely the seat has it. */
export type Belief = { readonly [role in Role]: readonly number[] };

/** How much likelier than by chance a villager votes for a wolf, and a wolf for the other wolf. */
const VOTE_RATES = { villageOnWolf: 1.3, wolfOnWolf: 0.35 };
/** Likelihood ratios, wolf to other: the only death of a night, a target of the wolves. */
const DEAD_WOLF = 0.15;
const OWN_TARGET = 0.03;
/** Two deaths in a night: both good, one a wolf (poisoned), both wolves. */
const TWO_DEAD = [0.5, 1, 0.02] as const;
/** The probability that a row claims to be a column. */
const SAYS: { readonly [is in Role]: { readonly [says in ClaimedRole]: number } } = {
  seer: { seer: 0.5, villager: 0.2, guard: 0.002, witch: 0.002 },
  guard: { seer: 0.004, villager: 0.2, guard: 0.2, witch: 0.002 },
  witch: { seer: 0.004, villager: 0.2, guard: 0.002, witch: 0.2 },
  villager: { seer: 0.004, villager: 0.3, guard: 0.003, witch: 0.003 },
  werewolf: { seer: 0.06, villager: 0.3, guard: 0.02, witch: 0.02 },
};
/** The likelihood of a claimed result relative to a seer's true one: a seer's false one, a wolf's about a good seat or a wolf, anybody else's. */
const SEER_LIES = 1e-4;
const WOLF_TELLS = { goodIsWolf: 0.5, goodIsNone: 0.2, wolfIsWolf: 0.04, wolfIsNone: 0.3 };
const VILLAGE_TELLS = 0.25;

/** Every pair of wolves. */
const PACKS = [...subsets(range(ROLES_DEALT.length), 2)].map(([a, b]): readonly [Seat, Seat] => [a!, b!]);

/** One deal of the roles, as numbers in ROLES by seat, and the number of its pack. */
interface Deal {
  readonly roles: Uint8Array;
  readonly pack: number;
  readonly villagers: readonly [Seat, Seat];
}

/** Every way of dealing the seven roles: 1260. */
const DEALS: readonly Deal[] = [...dealt(ROLES_DEALT)].map((roles) => ({
  roles: Uint8Array.from(roles, (role) => ROLES.indexOf(role)),
  pack: PACKS.findIndex(([a, b]) => roles[a] === 'werewolf' && roles[b] === 'werewolf'),
  villagers: [roles.indexOf('villager'), roles.lastIndexOf('villager')],
}));

function* dealt(left: readonly Role[]): Generator<readonly Role[]> {
  if (!left.length) yield [];
  for (const role of new Set(left)) for (const rest of dealt(left.toSpliced(left.indexOf(role), 1))) yield [role, ...rest];
}

/** Bayes' rule over every deal that is consistent with what is certain, including that the game is not over. */
export const beliefOf = memoize(compute);

function compute(e: Evidence): Belief {
  const [seats, claims] = [ROLES_DEALT.length, e.claims.length];
  const logOfVotes = voteLikelihood(e.against, 2, VOTE_RATES);
  const packs = PACKS.map((pack) => (isPossiblePack(e, pack) ? likelihoodWith(e, pack, Math.exp(logOfVotes(pack))) : undefined));
  const known = range(seats).map((seat) => (e.roles[seat] === undefined ? -1 : ROLES.indexOf(e.roles[seat])));
  // one of the plain villagers must live, where the game would be over otherwise
  const isAlive = range(seats).map((seat) => e.wolfWin !== 'villagers-dead' || e.alive.includes(seat));
  const sums = new Float64Array(ROLES.length * seats); // by role, then by seat
  let total = 0;
  for (const { roles, pack, villagers } of DEALS) {
    const likely = packs[pack];
    if (!likely || !(isAlive[villagers[0]] || isAlive[villagers[1]]) || !agrees(known, roles)) continue;
    let { weight } = likely;
    for (let i = 0; i < claims; i++) weight *= likely.claims[i]![roles[e.claims[i]!.by]!]!;
    total += weight;
    for (let seat = 0; seat < seats; seat++) sums[roles[seat]! * seats + seat]! += weight;
  }
  const shares = [...sums].map((weight) => (total ? weight / total : 0));
  const of = (role: Role): readonly number[] => shares.slice(ROLES.indexOf(role) * seats, (ROLES.indexOf(role) + 1) * seats);
  return { werewolf: of('werewolf'), villager: of('villager'), seer: of('seer'), guard: of('guard'), witch: of('witch') };
}

/** Whether a deal has the roles that are known; -1: not known. */
function agrees(known: readonly number[], roles: Uint8Array): boolean {
  for (let seat = 0; seat < roles.length; seat++) if (known[seat] !== -1 && known[seat] !== roles[seat]) return false;
  return true;
}

function isPossiblePack({ wolves, cleared, alive, wolfWin }: Evidence, [a, b]: readonly [Seat, Seat]): boolean {
  if (wolves.some((seat) => seat !== a && seat !== b) || cleared.includes(a) || cleared.includes(b)) return false;
  const wolvesAlive = (alive.includes(a) ? 1 : 0) + (alive.includes(b) ? 1 : 0);
  if (!wolvesAlive || wolvesAlive === alive.length) return false; // the game goes on
  return wolfWin !== 'parity' || wolvesAlive * 2 < alive.length;
}

/** The likelihood of the uncertain evidence, given who the wolves are, up to a constant: without the claims, and of each claim by the role of its maker. */
interface PackLikelihood {
  readonly weight: number;
  readonly claims: readonly (readonly number[])[];
}

/** Most of the evidence is about the wolves, so it is weighed once for each pack and not for each deal. @param votes the likelihood of the votes */
function likelihoodWith({ nights, attacked, claims }: Evidence, [a, b]: readonly [Seat, Seat], votes: number): PackLikelihood {
  const isWolf = (seat: Seat) => seat === a || seat === b;
  let weight = votes;
  for (const died of nights) {
    if (died.length === 1) weight *= isWolf(died[0]!) ? DEAD_WOLF : 1;
    else if (died.length > 1) weight *= TWO_DEAD[died.filter(isWolf).length]!;
  }
  for (const seat of attacked) if (isWolf(seat)) weight *= OWN_TARGET;
  return { weight, claims: claims.map((claim) => ROLES.map((role) => claimLikelihood(claim, role, isWolf))) };
}

/** The likelihood of a claim by one who is `role`. */
function claimLikelihood({ is, results, saved }: Claim, role: Role, isWolf: (seat: Seat) => boolean): number {
  let p = SAYS[role][is];
  for (const { about, isWolf: says } of results) {
    if (role === 'seer') p *= says === isWolf(about) ? 1 : SEER_LIES;
    else if (role !== 'werewolf') p *= VILLAGE_TELLS;
    else p *= WOLF_TELLS[`${isWolf(about) ? 'wolf' : 'good'}${says ? 'IsWolf' : 'IsNone'}`];
  }
  for (const seat of saved) if (role === 'witch' && isWolf(seat)) p *= OWN_TARGET;
  return p;
}
