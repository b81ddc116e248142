/**
 * Section 4 of document 004, computed on the game tree of the engine: three players, two Werewolves (seats 0 and 1) and a Robber (seat 2),
 * no centre, no talk. The document counts players from 1: its Player 1 is seat 0.
 * Theorem 4.3 covers beliefs about the Robber's night action and the vote only. Its expectations (equations 40 to 42) are those of the
 * whole tree when the Robber's night strategy has exactly the probabilities that both Werewolves believe. It is computed that way here, and
 * every deviation is checked, night actions included: they are all worth the same to the Robber.
 */
import { stepOf } from '../kernel/question.ts';
import type { InformationSet } from '../tree/information.ts';
import { type Profile, uniform } from '../tree/profile.ts';
import { bestResponse, evaluateProfile, type ProfileEvaluation } from '../tree/best-response.ts';
import { type Tree, buildTree } from '../tree/tree.ts';
import { onuw } from './onuw.ts';

export type Two = readonly [number, number];
export type Three = readonly [number, number, number];

/** A behavioural strategy for all players, in the order of document 004. */
export interface Strategies {
  /** The Robber's night: nothing, swap with Player 1, swap with Player 2. */
  readonly night: Three;
  /** Player 1 votes for 2 or 3. */
  readonly one: Two;
  /** Player 2 votes for 1 or 3. */
  readonly two: Two;
  /** Player 3 votes for 1 or 2, after each possible night action. */
  readonly three: readonly [Two, Two, Two];
}

/** The Werewolves' beliefs about the Robber's night: nothing, swapped with Player 1, swapped with Player 2. */
export interface Beliefs {
  readonly alpha: number;
  readonly beta: number;
  readonly gamma: number;
}

/** What the formulae of theorem 4.3 give for some beliefs. */
interface Formulae {
  /** The probability that a Werewolf votes for Player 3. */
  readonly q: number;
  /** The probability that Player 3, without a swap, votes for Player 1. */
  readonly p: number;
  readonly utilities: Three;
}

const ROUNDING = 1e-9;

/** The game of section 4, with 24 outcomes. */
export const analysisTree = (): Tree => buildTree(onuw.rules(3, { setup: 'analysis' }), 3);

const ROBBER = 2;
const NIGHT_ACTS = ['pass', 'seat:0', 'seat:1'];

/** The vote after a swap with Player 1 or Player 2: for the holder of the Robber's card (equation 15). */
const AFTER_SWAP: readonly [Two, Two] = [
  [1, 0],
  [0, 1],
];

/** Theorem 4.2, without discussion. `p`, the probability that Player 3 votes for 1 after no swap, is free: that night never happens. */
export const withoutDiscussion = (p: number): Strategies => ({
  night: [0, 1 / 2, 1 / 2],
  one: [1, 0],
  two: [1, 0],
  three: [[p, 1 - p], ...AFTER_SWAP],
});

/** The utilities of theorem 4.2 (equation 6). */
export const WITHOUT_DISCUSSION: Three = [0, 0, 1];

/** Theorem 4.3, with discussion: the equilibrium of the vote when the Werewolves' beliefs about the night are correct. */
export function withDiscussion(beliefs: Beliefs): Strategies {
  const { q, p } = formulae(beliefs);
  const vote: Two = [1 - q, q];
  return { night: [beliefs.alpha, beliefs.beta, beliefs.gamma], one: vote, two: vote, three: [[p, 1 - p], ...AFTER_SWAP] };
}

/** Equations 7 and 10 to 12. Rounding errors beyond [0, 1] are cut off. */
export function formulae({ alpha, beta, gamma }: Beliefs): Formulae {
  const within = (n: number): number => (n < 0 && n > -ROUNDING ? 0 : n > 1 && n < 1 + ROUNDING ? 1 : n);
  const factor = 1 / (4 * alpha ** 2) - 1 / (2 * alpha) - 1;
  return {
    q: within((beta + gamma - alpha) / (2 * alpha)),
    p: within((alpha ** 2 + beta ** 2 - gamma ** 2) / (2 * alpha ** 2)),
    utilities: [factor * (1 - 2 * gamma), factor * (1 - 2 * beta), -factor],
  };
}

/** The bounds of gamma, given alpha (equation 9). */
export const gammaBounds = (alpha: number): Two => [(1 - 2 * alpha) / (2 - 2 * alpha), (2 * alpha ** 2 - 2 * alpha + 1) / (2 - 2 * alpha)];

/** The constraints of equation 9 that beliefs violate, as sentences; empty when theorem 4.3 applies. */
export function violatedConditions({ alpha, beta, gamma }: Beliefs): readonly string[] {
  const sum = alpha + beta + gamma;
  const show = (n: number): string => String(Number(n.toFixed(9)));
  const out: string[] = [];
  if (!(Math.abs(sum - 1) <= ROUNDING)) out.push(`alpha + beta + gamma = 1: they add up to ${show(sum)}`);
  for (const [name, n] of Object.entries({ alpha, beta, gamma }))
    if (!(n >= 0 && n <= 1)) out.push(`0 <= ${name} <= 1: ${name} is ${show(n)}`);
  if (!(alpha >= 1 / 4 - ROUNDING && alpha <= 1 / 2 + ROUNDING)) return [...out, `1/4 <= alpha <= 1/2: alpha is ${show(alpha)}`];
  const [least, most] = gammaBounds(alpha);
  if (!(gamma >= least - ROUNDING && gamma <= most + ROUNDING))
    out.push(
      `(1 - 2 alpha) / (2 - 2 alpha) <= gamma <= (2 alpha^2 - 2 alpha + 1) / (2 - 2 alpha): with alpha ${show(alpha)} that is from ${show(least)} to ${show(most)}; gamma is ${show(gamma)}`,
    );
  return out;
}

/** A grid of beliefs over the region of equation 9, edges included: six alphas with five gammas each. */
export const admissiblePoints = (): readonly Beliefs[] =>
  [0.25, 0.3, 0.35, 0.4, 0.45, 0.5].flatMap((alpha) => {
    const [least, most] = gammaBounds(alpha);
    return [0, 1, 2, 3, 4].map((step) => {
      const gamma = least + ((most - least) * step) / 4;
      return { alpha, beta: 1 - alpha - gamma, gamma };
    });
  });

/** The profile of some strategies. Where there is talk, every claim is equally likely whatever happened, and no vote depends on it. */
export const profileOf =
  ({ night, one, two, three }: Strategies): Profile =>
  (set) => {
    if (stepOf(set.question) === 'talk') return uniform(set);
    if (set.seat === 0) return byOption(set, ['seat:1', 'seat:2'], one);
    if (set.seat === 1) return byOption(set, ['seat:0', 'seat:2'], two);
    const act = nightAct(set);
    return act === undefined ? byOption(set, NIGHT_ACTS, night) : byOption(set, ['seat:0', 'seat:1'], three[NIGHT_ACTS.indexOf(act)]!);
  };

/** The tree's evaluation of some strategies, compared with a theorem. */
export interface CheckedStrategies extends ProfileEvaluation {
  readonly formula: Three;
  /** The largest difference between the tree's utilities and the formula's. */
  readonly off: number;
  /** The value of each night action to the Robber. */
  readonly night: Three;
}

export function checkStrategies(tree: Tree, strategies: Strategies, formula: Three): CheckedStrategies {
  const verdict = evaluateProfile(tree, profileOf(strategies));
  const off = Math.max(...verdict.utilities.map((n, player) => Math.abs(n - formula[player]!)));
  return { ...verdict, formula, off, night: nightValues(tree, strategies) };
}

/** The value of each night action to the Robber, with the best votes after it. */
export function nightValues(tree: Tree, strategies: Strategies): Three {
  const night = tree.sets.find((set) => set.seat === ROBBER && nightAct(set) === undefined)!;
  const { values } = bestResponse(tree, profileOf(strategies), ROBBER);
  const most = (act: string): number => values.get(night)![night.answers.findIndex(([option]) => option === act)]!;
  return [most('pass'), most('seat:0'), most('seat:1')];
}

/** The Robber's night action as it remembers it; undefined before. */
function nightAct({ seen, seat }: InformationSet): string | undefined {
  for (const event of seen) {
    const { type, answer } = event as {
      readonly type: string;
      readonly answer?: { readonly by: number; readonly says: readonly string[] };
    };
    if (type === 'answered' && answer?.by === seat) return answer.says[0];
  }
  return undefined;
}

/** Probabilities by option, in the order of the set's answers. */
const byOption = ({ answers }: InformationSet, options: readonly string[], likely: readonly number[]): readonly number[] =>
  answers.map(([option]) => likely[options.indexOf(option!)]!);
