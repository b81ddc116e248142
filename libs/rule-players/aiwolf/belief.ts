import { type Role, ROLES } from '@maw/games/aiwolf/state.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { dealer } from './dealing.ts';
import { choose, range, subsets } from '../shared/combinations.ts';
import { memoize } from '../shared/memoize.ts';
import { voteLikelihood } from '../shared/vote-likelihood.ts';
import { bareWeights, type Evidence, resultLikelihood, VOTE_RATES } from './likelihood.ts';
import type { Claims } from './record.ts';

/** By role and seat: how likely the seat has the role. */
export type Belief = { readonly [role in Role]: readonly number[] };

/** Bayes' rule over every assignment of roles that is consistent with the evidence. */
export const beliefOf = memoize(compute);

/** Above this number the sets of wolves are sampled evenly. 15 players with 3 wolves have 455. */
const MAX_SETS = 5000;

/** The roles besides wolves and villagers; villagers are the rest. */
const SPECIAL = ['seer', 'medium', 'bodyguard', 'possessed'] as const satisfies readonly Role[];
const indexOf = (role: Role): number => ROLES.indexOf(role);
const WOLF = indexOf('werewolf');
/** Their places in ROLES, villagers first. */
const OTHERS = [indexOf('villager'), ...SPECIAL.map(indexOf)];

/** How likely each seat has each role, summed over the sets of wolves. */
interface Sums {
  /** By place in ROLES, then by seat. */
  readonly byRole: readonly number[][];
  total: number;
}

/**
 * Enumerates the wolf sets with which the game would still be running, and all deals of the other roles. Deals with the same counts and refuted
 * claims have the same weight, so each is computed once.
 */
function compute(evidence: Evidence): Belief {
  const { cast } = evidence;
  const bare = bareWeights(evidence);
  const seats = range(bare.length);
  const deals = newDeals(evidence, bare);
  const sums: Sums = { byRole: ROLES.map(() => seats.map(() => 0)), total: 0 };
  addWolves(sums, evidence, bare, deals);
  for (const { mass, sharesOf } of deals.computed.values())
    for (const seat of seats)
      if (mass[seat]) for (const [i, share] of sharesOf(seat).entries()) sums.byRole[OTHERS[i]!]![seat]! += mass[seat] * share;
  const { byRole, total } = sums;
  const share = (role: Role): number[] => byRole[indexOf(role)]!.map((sum) => (total > 0 ? sum / total : cast[role] / seats.length));
  return Object.fromEntries(ROLES.map((role) => [role, share(role)])) as { [role in Role]: number[] };
}

/** Adds every possible set of wolves to the sums, and to the mass of the deal that goes with it. */
function addWolves(sums: Sums, evidence: Evidence, bare: Weights, deals: Deals): void {
  const { cast, there, against } = evidence;
  const logOfVotes = voteLikelihood(against, cast.werewolf, VOTE_RATES);
  const seats = range(bare.length);
  const certain = seats.filter((seat) => bare[seat]!.every((p, role) => role === WOLF || !p));
  const free = seats.filter((seat) => bare[seat]![WOLF]! && !certain.includes(seat));
  const size = cast.werewolf - certain.length;
  const every = Math.ceil(choose(free.length, size) / MAX_SETS);
  let count = 0;
  for (const rest of subsets(free, size)) {
    if (count++ % every) continue;
    const pack = [...certain, ...rest];
    const isWolf = seats.map(() => false);
    for (const seat of pack) isWolf[seat] = true;
    let packThere = 0;
    for (const seat of there) if (isWolf[seat]) packThere++;
    if (!packThere || packThere * 2 >= there.length) continue; // the game would be over
    const { weight, deal } = dealFor(deals, isWolf);
    const likely = pack.reduce((product, seat) => product * bare[seat]![WOLF]!, weight * Math.exp(logOfVotes(pack)));
    if (!likely) continue;
    sums.total += likely;
    for (const seat of pack) sums.byRole[WOLF]![seat]! += likely;
    for (const seat of seats) if (!isWolf[seat]) deal.mass[seat]! += likely;
  }
}

/** By seat and role. */
type Weights = readonly (readonly number[])[];

/** All ways to deal the other roles, weighed for some sets of wolves. */
interface Deal {
  readonly total: number;
  /** By seat: the likelihood of those sets of wolves without the seat. */
  readonly mass: number[];
  /** How likely a seat that is no wolf is then a villager, and each of SPECIAL. */
  sharesOf(seat: Seat): readonly number[];
}

interface Deals {
  readonly claims: readonly Claims[];
  readonly dealCards: ReturnType<typeof dealer>;
  /** By seat: the weights of OTHERS. */
  readonly rows: Weights;
  /** By seat: its kind. Seats that are alike share one; who claims results has its own. */
  readonly kindOf: readonly number[];
  readonly kinds: number;
  /** Who claims results. */
  readonly tellers: readonly Seat[];
  readonly computed: Map<string, Deal>;
}

function newDeals({ cast, claims }: Evidence, bare: Weights): Deals {
  const rows = bare.map((weights) => OTHERS.map((role) => weights[role]!));
  const kinds = new Map<string, number>();
  const kindOf = rows.map((row, seat) => {
    const key = claims[seat]!.found.length ? `seat ${seat}` : row.join();
    return kinds.get(key) ?? (kinds.set(key, kinds.size), kinds.size - 1);
  });
  const tellers = claims.flatMap(({ found }, seat) => (found.length ? [seat] : []));
  const dealCards = dealer(SPECIAL.map((role) => cast[role]));
  return { claims, dealCards, rows, kindOf, kinds: kinds.size, tellers, computed: new Map() };
}

/** The deal for these wolves, and the likelihood of all claims, the wolves' included, summed over its deals. */
function dealFor(deals: Deals, isWolf: readonly boolean[]): { readonly weight: number; readonly deal: Deal } {
  const { claims, kindOf, kinds, tellers, computed } = deals;
  const counts = range(kinds).map(() => 0);
  for (let seat = 0; seat < kindOf.length; seat++) if (!isWolf[seat]) counts[kindOf[seat]!]!++;
  const tells = (seat: Seat, role: Role): number => resultLikelihood(claims[seat]!, role, isWolf);
  let weight = 1;
  const truths: number[] = [];
  for (const seat of tellers) {
    if (isWolf[seat]) weight *= tells(seat, 'werewolf');
    else truths.push(tells(seat, 'seer'), tells(seat, 'medium'));
  }
  const key = `${counts.join()}|${truths.join()}`;
  const deal = computed.get(key) ?? newDeal(deals, counts, truths);
  computed.set(key, deal);
  return { weight: weight * deal.total, deal };
}

function newDeal({ dealCards, rows, kindOf, tellers }: Deals, counts: readonly number[], truths: readonly number[]): Deal {
  let teller = 0;
  const first: number[] = [];
  const weights: (readonly number[])[] = [];
  for (const [kind, count] of counts.entries()) {
    first.push(weights.length);
    const seat = kindOf.indexOf(kind);
    if (!count) continue;
    const row = rows[seat]!.slice();
    if (tellers.includes(seat)) for (const role of ['seer', 'medium'] as const) row[OTHERS.indexOf(indexOf(role))]! *= truths[teller++]!;
    for (let i = 0; i < count; i++) weights.push(row);
  }
  const { total, shares } = dealCards(weights);
  const share = shares.map((row) => row.map((part) => (total ? part / total : 0)));
  return { total, mass: rows.map(() => 0), sharesOf: (seat) => share[first[kindOf[seat]!]!]! };
}
