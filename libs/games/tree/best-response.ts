import type { Seat } from '../kernel/question.ts';
import { type Profile, type Pure, reachedBy, utilitiesOf } from './profile.ts';
import type { Tree } from './tree.ts';

/** One pure strategy of a seat, and its value against the others' play in a profile. */
interface Deviation {
  readonly pure: Pure;
  readonly value: number;
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
  /** By seat: how many pure strategies were tried, and how many of them reach `best` up to rounding. */
  readonly tried: readonly number[];
  readonly attained: readonly number[];
}

const ROUNDING = 1e-12;

const MAX_PURE = 1_000_000;

/**
 * Every pure strategy of a seat, over all its information sets, with its value against the others' play.
 * @throws Error when there are more than a million
 */
export function deviationsOf(tree: Tree, profile: Profile, seat: Seat): readonly Deviation[] {
  const own = tree.sets.filter((set) => set.seat === seat);
  const count = own.reduce((all, { answers }) => all * answers.length, 1);
  if (count > MAX_PURE) throw new Error(`seat ${seat} has ${count} pure strategies: too many to try`);
  const ends = reachedBy(tree, profile, seat);
  const valueOf = (pure: Pure): number =>
    ends.reduce(
      (sum, { by, weight, points }) => (by.every(([set, answer]) => pure.get(set) === answer) ? sum + weight * points[seat]! : sum),
      0,
    );
  let pures: Pure[] = [new Map()];
  for (const { number, answers } of own) pures = pures.flatMap((pure) => answers.map((_, i) => new Map([...pure, [number, i]])));
  return pures.map((pure) => ({ pure, value: valueOf(pure) }));
}

/** Evaluates a profile: its value, each seat's best response, and the sum of their gains (Lanctot et al. 2017: NashConv). */
export function evaluateProfile(tree: Tree, profile: Profile): ProfileEvaluation {
  const utilities = utilitiesOf(tree, profile);
  const deviations = utilities.map((_, seat) => deviationsOf(tree, profile, seat));
  const best = deviations.map((all) => all.reduce((most, { value }) => Math.max(most, value), -Infinity));
  const gains = best.map((value, seat) => value - utilities[seat]!);
  return {
    utilities,
    best,
    gains,
    nashConv: gains.reduce((sum, gain) => sum + gain, 0),
    tried: deviations.map(({ length }) => length),
    attained: deviations.map((all, seat) => all.filter(({ value }) => best[seat]! - value < ROUNDING).length),
  };
}
