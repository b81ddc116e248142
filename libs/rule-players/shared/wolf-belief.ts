import type { Seat } from '@maw/games/kernel/question.ts';
import { choose, range, subsets } from './combinations.ts';
import { dealer, type Ways } from './dealing.ts';

/** By seat: a number for each place of a role. Villagers have place 0, the cards follow, wolves are last. */
type Weights = readonly (readonly number[])[];

/** What is known about a table where wolves hide among villagers and holders of special cards. */
export interface WolfEvidence {
  readonly wolves: number;
  /** How many of each card are dealt; who gets neither a card nor is a wolf is a villager. */
  readonly cards: readonly number[];
  /** The likelihood of what a seat said and suffered, whoever the wolves are; 0: it cannot have the role. */
  readonly bare: Weights;
  /** Who was alive when the game went on, and whether it goes on with so many of them wolves and others. */
  readonly there: readonly Seat[];
  goesOn(wolves: number, others: number): boolean;
  /** The log likelihood of how all behaved towards each other, given who the wolves are. */
  logOf(pack: readonly Seat[]): number;
  /** Whose words are more or less likely by who the wolves are, and the factor for a role; 1 for roles that are neither wolf nor sighted. */
  readonly tellers: readonly Seat[];
  readonly sighted: readonly number[];
  tells(seat: Seat, place: number, isWolf: readonly boolean[]): number;
  /** One of these seats is a villager. Absent: nobody need be. */
  readonly villagers?: readonly Seat[];
  /** Above this number the sets of wolves are sampled evenly. */
  readonly mostSets: number;
}

/**
 * Bayes' rule over every assignment of roles that is consistent with the evidence: the sets of wolves are enumerated, with all deals of the other
 * roles for each. Deals with the same counts and refuted claims have the same weight, so each is computed once.
 * @returns by place and seat how likely the seat has the role; undefined when nothing is possible
 */
export function wolfBelief(evidence: WolfEvidence): Weights | undefined {
  const { bare } = evidence;
  const seats = range(bare.length);
  const wolf = evidence.cards.length + 1;
  const deals = newDeals(evidence);
  const sums = range(wolf + 1).map(() => seats.map(() => 0));
  const total = addWolves(sums[wolf]!, evidence, deals);
  for (const { mass, sharesOf } of deals.computed.values())
    for (const seat of seats) {
      const shares = mass[seat] ? sharesOf(seat) : [];
      for (let place = 0; place < shares.length; place++) sums[place]![seat]! += mass[seat]! * shares[place]!;
    }
  return total > 0 ? sums.map((row) => row.map((sum) => sum / total)) : undefined;
}

/** Adds every possible set of wolves to their sums, and to the mass of the deal that goes with it. Returns the sum over all sets. */
function addWolves(sums: number[], { wolves, bare, there, goesOn, logOf, mostSets }: WolfEvidence, deals: Deals): number {
  const wolf = bare[0]!.length - 1;
  const seats = range(bare.length);
  const certain = seats.filter((seat) => bare[seat]!.every((p, place) => place === wolf || !p));
  const free = seats.filter((seat) => bare[seat]![wolf]! && !certain.includes(seat));
  const size = wolves - certain.length;
  const every = Math.max(1, Math.ceil(choose(free.length, size) / mostSets));
  const isWolf = seats.map(() => false);
  let total = 0;
  let count = 0;
  for (const rest of subsets(free, size)) {
    if (count++ % every) continue;
    const pack = [...certain, ...rest];
    isWolf.fill(false);
    for (const seat of pack) isWolf[seat] = true;
    let packThere = 0;
    for (const seat of there) if (isWolf[seat]) packThere++;
    if (!goesOn(packThere, there.length - packThere)) continue;
    const { weight, deal } = dealFor(deals, isWolf);
    const likely = pack.reduce((product, seat) => product * bare[seat]![wolf]!, weight * Math.exp(logOf(pack)));
    if (!likely) continue;
    total += likely;
    for (const seat of pack) sums[seat]! += likely;
    for (const seat of seats) if (!isWolf[seat]) deal.mass[seat]! += likely;
  }
  return total;
}

/** All ways to deal the other roles, weighed for some sets of wolves. */
interface Deal {
  readonly total: number;
  /** By seat: the likelihood of those sets of wolves without the seat. */
  readonly mass: number[];
  /** How likely a seat that is no wolf is then a villager, and holds each card. */
  sharesOf(seat: Seat): readonly number[];
}

type Deals = ReturnType<typeof newDeals>;

function newDeals(evidence: WolfEvidence) {
  const { bare, tellers, villagers, cards } = evidence;
  const kinds = new Map<string, number>();
  // by seat; seats that are alike share a kind, a teller has its own
  const kindOf = bare.map((row, seat) => {
    const key = tellers.includes(seat) ? `seat ${seat}` : `${row.slice(0, -1).join()} ${villagers?.includes(seat)}`;
    return kinds.get(key) ?? (kinds.set(key, kinds.size), kinds.size - 1);
  });
  return {
    evidence,
    dealCards: dealer(cards),
    kindOf,
    kinds: kinds.size,
    factors: new Map<number, number>(),
    computed: new Map<string, Deal>(),
  };
}

/** The deal for these wolves, and the likelihood of all claims, the wolves' included, summed over its deals. */
function dealFor(deals: Deals, isWolf: readonly boolean[]): { readonly weight: number; readonly deal: Deal } {
  const { kindOf, kinds, factors, computed } = deals;
  const { tellers, tells, sighted, cards } = deals.evidence;
  const counts = kindOf.slice(0, kinds).fill(0);
  for (let seat = 0; seat < kindOf.length; seat++) if (!isWolf[seat]) counts[kindOf[seat]!]!++;
  let weight = 1;
  const truths: number[] = [];
  for (const seat of tellers) {
    if (isWolf[seat]) weight *= tells(seat, cards.length + 1, isWolf);
    else for (const place of sighted) truths.push(tells(seat, place, isWolf));
  }
  // a text of small numbers is made much faster than one of likelihoods
  const which = truths.map((truth) => factors.get(truth) ?? (factors.set(truth, factors.size), factors.size - 1));
  const key = String.fromCharCode(...counts, ...which);
  const deal = computed.get(key) ?? newDeal(deals, counts, truths);
  computed.set(key, deal);
  return { weight: weight * deal.total, deal };
}

function newDeal({ evidence, dealCards, kindOf }: Deals, counts: readonly number[], truths: readonly number[]): Deal {
  const { bare, tellers, sighted, villagers } = evidence;
  let teller = 0;
  const first: number[] = [];
  const weights: (readonly number[])[] = [];
  const dead: (readonly number[])[] = []; // the same, if none of `villagers` is one
  for (const [kind, count] of counts.entries()) {
    first.push(weights.length);
    const seat = kindOf.indexOf(kind);
    if (!count) continue;
    const row = bare[seat]!.slice(0, -1);
    if (tellers.includes(seat)) for (const place of sighted) row[place]! *= truths[teller++]!;
    for (let i = 0; i < count; i++) weights.push(row);
    if (villagers) for (let i = 0; i < count; i++) dead.push(villagers.includes(seat) ? row.with(0, 0) : row);
  }
  const { total, shares } = villagers ? difference(dealCards(weights), dealCards(dead)) : dealCards(weights);
  const share = shares.map((row) => row.map((part) => (total ? part / total : 0)));
  return { total, mass: bare.map(() => 0), sharesOf: (seat) => share[first[kindOf[seat]!]!]! };
}

const difference = (all: Ways, some: Ways): Ways => ({
  total: all.total - some.total,
  shares: all.shares.map((row, i) => row.map((part, place) => part - some.shares[i]![place]!)),
});
