import { type Role, ROLES } from '@maw/games/aiwolf/state.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { dealer } from './dealing.ts';
import { bareWeights, type Evidence, tellsSo, votesOf } from './likelihood.ts';

/** By role and seat: how likely the seat has the role. */
export type Belief = { readonly [role in Role]: readonly number[] };

/** Bayes' rule over every assignment of roles that is consistent with the evidence. */
export function beliefOf(evidence: Evidence): Belief {
  const key = JSON.stringify(evidence);
  const known = recent.get(key) ?? computed(evidence);
  recent.delete(key);
  recent.set(key, known);
  if (recent.size > MOST_RECENT) recent.delete(recent.keys().next().value!);
  return known;
}

/** The last results: the same evidence comes again and again within a day, and from every seat where it is public. */
const recent = new Map<string, Belief>();
const MOST_RECENT = 200;
/** More sets of wolves than these are thinned out evenly. Of 15 players with 3 wolves there are 455. */
const MOST_SETS = 5000;

/** The roles that are dealt beside wolves and villagers; villagers are those who are left. */
const SPECIAL = ['seer', 'medium', 'bodyguard', 'possessed'] as const satisfies readonly Role[];
const indexOf = (role: Role): number => ROLES.indexOf(role);
const WOLF = indexOf('werewolf');
/** Where the others stand in ROLES, in the order in which they are dealt. */
const OTHERS = [indexOf('villager'), ...SPECIAL.map(indexOf)];

/**
 * Goes through every set of wolves that is possible and with which the game has gone on, and for each deals the other roles in all ways.
 * How those weigh depends on the set only through how many of the seats that are alike are wolves, and whose results it proves wrong;
 * so few dealings are counted out.
 */
function computed(evidence: Evidence): Belief {
  const { cast, there } = evidence;
  const bare = bareWeights(evidence);
  const logOfVotes = votesOf(evidence);
  const seats = bare.map((_, seat) => seat);
  const { dealt, all } = dealings(evidence, bare);
  const sums = ROLES.map(() => seats.map(() => 0));
  let total = 0;

  const certain = seats.filter((seat) => bare[seat]!.every((p, role) => role === WOLF || !p));
  const free = seats.filter((seat) => bare[seat]![WOLF]! && !certain.includes(seat));
  const size = cast.werewolf - certain.length;
  const every = Math.ceil(choose(free.length, size) / MOST_SETS);
  let count = 0;
  for (const rest of subsets(free, size)) {
    if (count++ % every) continue;
    const pack = [...certain, ...rest];
    const isWolf = seats.map(() => false);
    for (const seat of pack) isWolf[seat] = true;
    let packThere = 0;
    for (const seat of there) if (isWolf[seat]) packThere++;
    if (!packThere || packThere * 2 >= there.length) continue; // the game would be over
    const { weight, dealing } = dealt(isWolf);
    const likely = pack.reduce((product, seat) => product * bare[seat]![WOLF]!, weight * Math.exp(logOfVotes(pack)));
    if (!likely) continue;
    total += likely;
    for (const seat of pack) sums[WOLF]![seat]! += likely;
    for (const seat of seats) if (!isWolf[seat]) dealing.mass[seat]! += likely;
  }
  for (const { mass, sharesOf } of all())
    for (const seat of seats)
      if (mass[seat]) for (const [i, share] of sharesOf(seat).entries()) sums[OTHERS[i]!]![seat]! += mass[seat] * share;
  const share = (role: Role) => sums[indexOf(role)]!.map((sum) => (total > 0 ? sum / total : cast[role] / seats.length));
  return Object.fromEntries(ROLES.map((role) => [role, share(role)])) as { [role in Role]: number[] };
}

/** All ways to deal the roles but the wolves', as they weigh with some sets of wolves. */
interface Dealing {
  /** By seat: how likely the sets of wolves are for which this is so, and of which the seat is none. */
  readonly mass: number[];
  /** How likely a seat that is no wolf is then a villager, and each of SPECIAL. */
  sharesOf(seat: Seat): readonly number[];
}

function dealings({ cast, claims }: Evidence, bare: readonly (readonly number[])[]) {
  const deal = dealer(SPECIAL.map((role) => cast[role]));
  const known = new Map<string, Dealing & { readonly total: number }>();
  const rows = bare.map((weights) => OTHERS.map((role) => weights[role]!));
  /** Seats that are alike are of one kind; who tells results is its own. */
  const kinds = new Map<string, number>();
  const kindOf = rows.map((row, seat) => {
    const key = claims[seat]!.found.length ? `seat ${seat}` : row.join();
    return kinds.get(key) ?? (kinds.set(key, kinds.size), kinds.size - 1);
  });
  const tellers = claims.flatMap(({ found }, seat) => (found.length ? [seat] : []));

  /** The dealing that goes with these wolves, and how likely what all claim is in sum over it, the wolves' own results included. */
  function dealt(isWolf: readonly boolean[]): { readonly weight: number; readonly dealing: Dealing } {
    const counts = Array.from(kinds, () => 0);
    for (let seat = 0; seat < kindOf.length; seat++) if (!isWolf[seat]) counts[kindOf[seat]!]!++;
    const says = (seat: Seat, role: Role) => tellsSo(claims[seat]!, role, isWolf);
    let weight = 1;
    const truths: number[] = [];
    for (const seat of tellers) {
      if (isWolf[seat]) weight *= says(seat, 'werewolf');
      else truths.push(says(seat, 'seer'), says(seat, 'medium'));
    }
    const key = `${counts.join()}|${truths.join()}`;
    const dealing = known.get(key) ?? newDealing(counts, truths);
    known.set(key, dealing);
    return { weight: weight * dealing.total, dealing };
  }

  function newDealing(counts: readonly number[], truths: readonly number[]): Dealing & { readonly total: number } {
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
    const { total, shares } = deal(weights);
    const share = shares.map((row) => row.map((part) => (total ? part / total : 0)));
    return { total, mass: rows.map(() => 0), sharesOf: (seat) => share[first[kindOf[seat]!]!]! };
  }

  return { dealt, all: (): readonly Dealing[] => [...known.values()] };
}

const choose = (n: number, k: number): number => (k < 0 || k > n ? 0 : k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k);

function* subsets(of: readonly Seat[], size: number, from = 0): Generator<readonly Seat[]> {
  if (size <= 0) {
    if (size === 0) yield [];
    return;
  }
  for (let i = from; i <= of.length - size; i++) for (const rest of subsets(of, size - 1, i + 1)) yield [of[i]!, ...rest];
}
