import type { Seat } from '@maw/games/kernel/question.ts';
import type { Werewolf7Options } from '@maw/games/werewolf-7/options.ts';
import { type Role, ROLES, ROLES_DEALT } from '@maw/games/werewolf-7/state.ts';
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

/** One deal of the roles: by seat, and the two wolves. */
interface Deal {
  readonly roles: readonly Role[];
  readonly pack: readonly [Seat, Seat];
}

/** Every way of dealing the seven roles: 1260. */
const DEALS: readonly Deal[] = [...dealt(ROLES_DEALT)].map((roles) => ({
  roles,
  pack: [roles.indexOf('werewolf'), roles.lastIndexOf('werewolf')],
}));

function* dealt(left: readonly Role[]): Generator<readonly Role[]> {
  if (!left.length) yield [];
  for (const role of new Set(left)) for (const rest of dealt(left.toSpliced(left.indexOf(role), 1))) yield [role, ...rest];
}

/** Bayes' rule over every deal that is consistent with what is certain, including that the game is not over. */
export const beliefOf = memoize(compute);

function compute(e: Evidence): Belief {
  const sums = Object.fromEntries(ROLES.map((role) => [role, ROLES_DEALT.map(() => 0)])) as { [role in Role]: number[] };
  const likely = weigher(e);
  let total = 0;
  for (const deal of DEALS) {
    if (!isPossible(e, deal)) continue;
    const weight = likely(deal);
    total += weight;
    for (let seat = 0; seat < deal.roles.length; seat++) sums[deal.roles[seat]!][seat]! += weight;
  }
  for (const role of ROLES) sums[role] = sums[role].map((weight) => (total ? weight / total : 0));
  return sums;
}

function isPossible({ roles: known, wolves, cleared, alive, wolfWin }: Evidence, { roles, pack: [a, b] }: Deal): boolean {
  for (let seat = 0; seat < roles.length; seat++) if (known[seat] !== undefined && known[seat] !== roles[seat]) return false;
  for (const seat of wolves) if (seat !== a && seat !== b) return false;
  for (const seat of cleared) if (seat === a || seat === b) return false;
  const wolvesAlive = (alive.includes(a) ? 1 : 0) + (alive.includes(b) ? 1 : 0);
  if (!wolvesAlive || wolvesAlive === alive.length) return false; // the game goes on
  if (wolfWin === 'villagers-dead') return alive.includes(roles.indexOf('villager')) || alive.includes(roles.lastIndexOf('villager'));
  return wolfWin === 'all-good-dead' || wolvesAlive * 2 < alive.length;
}

/** The likelihood of the uncertain evidence, given a deal, up to a constant. */
function weigher({ nights, attacked, against, claims }: Evidence): (deal: Deal) => number {
  const logOfVotes = voteLikelihood(against, 2, VOTE_RATES);
  return ({ roles, pack }) => {
    const isWolf = (seat: Seat) => pack.includes(seat);
    let weight = Math.exp(logOfVotes(pack));
    for (const died of nights) {
      if (died.length === 1) weight *= isWolf(died[0]!) ? DEAD_WOLF : 1;
      else if (died.length > 1) weight *= TWO_DEAD[died.filter(isWolf).length]!;
    }
    for (const seat of attacked) if (isWolf(seat)) weight *= OWN_TARGET;
    for (const claim of claims) weight *= claimLikelihood(claim, roles[claim.by]!, isWolf);
    return weight;
  };
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
