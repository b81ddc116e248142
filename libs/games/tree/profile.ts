import type { InformationSet } from './information.ts';
import type { Node, Tree } from './tree.ts';

/** A strategy profile: at each information set, the probability of each answer, in order. */
export type Profile = (at: InformationSet) => readonly number[];

export const uniform: Profile = ({ answers }) => answers.map(() => 1 / answers.length);

const ROUNDING = 1e-9;

/** The expected utility of each seat. @throws Error where the profile is no distribution */
export function utilitiesOf({ root, players }: Tree, profile: Profile): number[] {
  const utilities = Array.from({ length: players }, () => 0);
  const walk = (node: Node, weight: number): void => {
    if (weight === 0) return;
    switch (node.kind) {
      case 'end':
        node.points.forEach((point, seat) => (utilities[seat]! += weight * point));
        return;
      case 'chance':
        for (const { probability, to } of node.branches) walk(to, weight * probability);
        return;
      case 'choice': {
        const likely = likelihoods(profile, node.set);
        node.to.forEach((next, i) => walk(next, weight * likely[i]!));
      }
    }
  };
  walk(root, 1);
  return utilities;
}

/** The probabilities of the answers of a set. @throws Error unless they match the answers, are non-negative and add up to 1 */
export function likelihoods(profile: Profile, set: InformationSet): readonly number[] {
  const likely = profile(set);
  const sum = likely.reduce((all, each) => all + each, 0);
  const isFine = likely.length === set.answers.length && likely.every((each) => each >= 0) && Math.abs(sum - 1) <= ROUNDING;
  if (!isFine)
    throw new Error(`seat ${set.seat} at ${set.question}: ${likely.join(', ')} is no distribution over ${set.answers.length} answers`);
  return likely;
}
