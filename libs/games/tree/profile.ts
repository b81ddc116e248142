import type { Seat } from '../kernel/question.ts';
import type { InformationSet } from './information.ts';
import type { Node, Tree } from './tree.ts';

/** A strategy profile: at each information set, the probability of each answer, in order. */
export type Profile = (at: InformationSet) => readonly number[];

/** A pure strategy of a seat: the index of an answer, by number of the information set. */
export type Pure = ReadonlyMap<number, number>;

export const uniform: Profile = ({ answers }) => answers.map(() => 1 / answers.length);

const ROUNDING = 1e-9;

/** An end that can be reached: with which probability, and by which answers of the free seat. */
interface Reached {
  readonly by: readonly (readonly [set: number, answer: number])[];
  readonly weight: number;
  readonly points: readonly number[];
}

/**
 * The ends that a profile reaches.
 * @param free a seat that does not follow the profile: each of its answers is taken
 * @throws Error where the profile is no distribution
 */
export function reachedBy({ root }: Tree, profile: Profile, free?: Seat): readonly Reached[] {
  const walk = (node: Node, weight: number, by: Reached['by']): readonly Reached[] => {
    if (weight === 0) return [];
    switch (node.kind) {
      case 'end':
        return [{ by, weight, points: node.points }];
      case 'chance':
        return node.branches.flatMap(({ probability, to }) => walk(to, weight * probability, by));
      case 'choice': {
        const { set, to } = node;
        if (set.seat === free) return to.flatMap((next, i) => walk(next, weight, [...by, [set.number, i]]));
        const likely = likelihoods(profile, set);
        return to.flatMap((next, i) => walk(next, weight * likely[i]!, by));
      }
    }
  };
  return walk(root, 1, []);
}

/** The expected utility of each seat. @throws Error where the profile is no distribution */
export function utilitiesOf(tree: Tree, profile: Profile): number[] {
  const ends = reachedBy(tree, profile);
  return Array.from({ length: tree.players }, (_, seat) => ends.reduce((sum, { weight, points }) => sum + weight * points[seat]!, 0));
}

/** @throws Error unless the probabilities match the answers, are non-negative and add up to 1 */
function likelihoods(profile: Profile, set: InformationSet): readonly number[] {
  const likely = profile(set);
  const sum = likely.reduce((all, each) => all + each, 0);
  const isFine = likely.length === set.answers.length && likely.every((each) => each >= 0) && Math.abs(sum - 1) <= ROUNDING;
  if (!isFine)
    throw new Error(`seat ${set.seat} at ${set.question}: ${likely.join(', ')} is no distribution over ${set.answers.length} answers`);
  return likely;
}
