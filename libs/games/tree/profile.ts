import type { InformationSet } from './information.ts';
import type { Node, Tree } from './tree.ts';

/** A strategy profile: at each information set, the probability of each answer, in order. */
export type Profile = (at: InformationSet) => readonly number[];

/** A pure strategy of a seat: the index of an answer, by number of the information set. */
export type Pure = ReadonlyMap<number, number>;

export const uniform: Profile = ({ answers }) => answers.map(() => 1 / answers.length);

const ROUNDING = 1e-9;

/** The expected utility of each seat. @throws Error where the profile is no distribution */
export function utilitiesOf({ root, players }: Tree, profile: Profile): number[] {
  const at = (node: Node): number[] => {
    switch (node.kind) {
      case 'end':
        return [...node.points];
      case 'chance':
        return mix(
          players,
          node.branches.map(({ probability, to }) => [probability, () => at(to)]),
        );
      case 'choice': {
        const likely = likelihoods(profile, node.set);
        return mix(
          players,
          node.to.map((to, i) => [likely[i]!, () => at(to)]),
        );
      }
    }
  };
  return at(root);
}

function mix(players: number, parts: readonly (readonly [number, () => readonly number[]])[]): number[] {
  const sum = Array.from({ length: players }, () => 0);
  for (const [weight, of] of parts) {
    if (weight === 0) continue;
    of().forEach((points, seat) => (sum[seat]! += weight * points));
  }
  return sum;
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
