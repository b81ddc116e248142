import type { Seat } from '../kernel/question.ts';
import type { InformationSet } from './information.ts';
import { likelihoods, type Profile, utilitiesOf } from './profile.ts';
import type { Node, Tree } from './tree.ts';

/** The best a seat can do alone against the others' play in a profile. */
export interface BestResponse {
  /** Its expected utility. */
  readonly value: number;
  /** By information set of the seat, by answer: the value of it and of the best that follows, times how likely the others lead there. */
  readonly values: ReadonlyMap<InformationSet, readonly number[]>;
  /** How many pure strategies the seat has over all its information sets, and how many of them are worth `value` up to rounding. */
  readonly strategies: number;
  readonly attained: number;
}

/** The value of a profile for each seat, and how much each could gain alone. */
export interface ProfileEvaluation {
  readonly utilities: readonly number[];
  /** By seat: the value of its best response. */
  readonly best: readonly number[];
  /** By seat: `best` minus its current value. */
  readonly gains: readonly number[];
  /** The sum of the gains; 0 at an equilibrium. */
  readonly nashConv: number;
  /** By seat, as in `BestResponse`. */
  readonly strategies: readonly number[];
  readonly attained: readonly number[];
}

const ROUNDING = 1e-12;

/** Evaluates a profile: its value, each seat's best response, and the sum of their gains (Lanctot et al. 2017: NashConv). */
export function evaluateProfile(tree: Tree, profile: Profile): ProfileEvaluation {
  const utilities = utilitiesOf(tree, profile);
  const responses = utilities.map((_, seat) => bestResponse(tree, profile, seat));
  const best = responses.map(({ value }) => value);
  const gains = best.map((value, seat) => value - utilities[seat]!);
  return {
    utilities,
    best,
    gains,
    nashConv: gains.reduce((sum, gain) => sum + gain, 0),
    strategies: responses.map(({ strategies }) => strategies),
    attained: responses.map(({ attained }) => attained),
  };
}

type Choice = Extract<Node, { readonly kind: 'choice' }>;

/** What the search for a best response knows of the tree. */
interface Search {
  readonly profile: Profile;
  readonly seat: Seat;
  /** By own information set: its nodes, and how likely chance and the others lead to each. */
  readonly visits: Map<InformationSet, { readonly node: Choice; readonly weight: number }[]>;
  /** By own information set and answer: the own information sets that come next. */
  readonly next: Map<InformationSet, readonly Set<InformationSet>[]>;
  /** The own information sets before which the seat has had no choice. */
  readonly first: Set<InformationSet>;
  readonly values: Map<InformationSet, readonly number[]>;
  readonly known: Map<Node, number>;
}

/**
 * The best response of a seat by backward induction over its information sets: at each, the answer that is worth most when the best
 * follows. Seats remember all they saw and did, so the answer at one set never changes what is best at an earlier one.
 * @throws Error where the profile is no distribution
 */
export function bestResponse(tree: Tree, profile: Profile, seat: Seat): BestResponse {
  const search: Search = { profile, seat, visits: new Map(), next: new Map(), first: new Set(), values: new Map(), known: new Map() };
  collect(search, tree.root, 1, search.first);
  const value = valueOf(search, tree.root);
  for (const set of search.visits.keys()) valuesAt(search, set);
  const counts = countStrategies(search, search.first);
  return { value, values: search.values, ...counts };
}

/** Visits every node. @param siblings where own information sets that come next are collected */
function collect(search: Search, node: Node, weight: number, siblings: Set<InformationSet>): void {
  switch (node.kind) {
    case 'end':
      return;
    case 'chance':
      for (const { probability, to } of node.branches) collect(search, to, weight * probability, siblings);
      return;
    case 'choice': {
      const { set, to } = node;
      if (set.seat !== search.seat) {
        const likely = likelihoods(search.profile, set);
        to.forEach((each, i) => collect(search, each, weight * likely[i]!, siblings));
        return;
      }
      siblings.add(set);
      const visits = search.visits.get(set) ?? [];
      search.visits.set(set, [...visits, { node, weight }]);
      const next = search.next.get(set) ?? to.map(() => new Set<InformationSet>());
      search.next.set(set, next);
      to.forEach((each, i) => collect(search, each, weight, next[i]!));
    }
  }
}

/** The value of a node to the seat, which plays its best from there. */
function valueOf(search: Search, node: Node): number {
  const known = search.known.get(node);
  if (known !== undefined) return known;
  const value = computeValue(search, node);
  search.known.set(node, value);
  return value;
}

function computeValue(search: Search, node: Node): number {
  switch (node.kind) {
    case 'end':
      return node.points[search.seat]!;
    case 'chance':
      return node.branches.reduce((sum, { probability, to }) => sum + probability * valueOf(search, to), 0);
    case 'choice': {
      const { set, to } = node;
      if (set.seat === search.seat) {
        const values = valuesAt(search, set);
        return valueOf(search, to[values.indexOf(Math.max(...values))]!);
      }
      const likely = likelihoods(search.profile, set);
      return to.reduce((sum, each, i) => sum + likely[i]! * valueOf(search, each), 0);
    }
  }
}

function valuesAt(search: Search, set: InformationSet): readonly number[] {
  const known = search.values.get(set);
  if (known) return known;
  const visits = search.visits.get(set)!;
  const values = set.answers.map((_, i) => visits.reduce((sum, { node, weight }) => sum + weight * valueOf(search, node.to[i]!), 0));
  search.values.set(set, values);
  return values;
}

/** The number of pure strategies over some information sets and all that follow them, and of those that are optimal. */
function countStrategies(search: Search, sets: Iterable<InformationSet>): { readonly strategies: number; readonly attained: number } {
  let strategies = 1;
  let attained = 1;
  for (const set of sets) {
    const after = search.next.get(set)!.map((next) => countStrategies(search, next));
    const all = after.reduce((product, each) => product * each.strategies, 1);
    const values = search.values.get(set)!;
    const most = Math.max(...values);
    const optimal = after.filter((_, i) => most - values[i]! < ROUNDING);
    attained *= optimal.reduce((sum, each) => sum + each.attained * (all / each.strategies), 0);
    strategies *= set.answers.length * all;
  }
  return { strategies, attained };
}
