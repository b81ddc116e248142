/**
 * Section 4 of document 004, computed on the engine's own game tree: three players, two Werewolves (seats 0 and 1) and a Robber (seat 2), no
 * centre, no talk. The document counts players from 1: its Player 1 is seat 0.
 *
 * Theorem 4.3 speaks of beliefs about what the Robber did in the night, and of voting only. Its expectations (equations 40 to 42) are those of
 * the whole tree when the Robber does in the night what both Werewolves believe of him, with those likelihoods. So that is how it is computed
 * here, and then every deviation counts, the Robber's in the night too: all he could do there is worth the same to him.
 */
import type { InformationSet } from '../tree/information.ts';
import type { Profile } from '../tree/profile.ts';
import { deviationsOf, type ProfileEvaluation, evaluateProfile } from '../tree/best-response.ts';
import { type Tree, buildTree } from '../tree/tree.ts';
import { onuw } from './onuw.ts';

/** How likely each of two or three things is. */
export type Two = readonly [number, number];
export type Three = readonly [number, number, number];

/** A behavioural strategy for everybody, in the order of document 004. */
export interface Strategies {
  /** What the Robber does in the night: nothing, swap with Player 1, swap with Player 2. */
  readonly night: Three;
  /** Player 1 votes for 2 or 3. */
  readonly one: Two;
  /** Player 2 votes for 1 or 3. */
  readonly two: Two;
  /** Player 3 votes for 1 or 2, after each of the things it may have done in the night. */
  readonly three: readonly [Two, Two, Two];
}

/** What the Werewolves believe about the Robber's night: that it did nothing, swapped with Player 1, swapped with Player 2. */
export interface Beliefs {
  readonly alpha: number;
  readonly beta: number;
  readonly gamma: number;
}

/** What theorem 4.3 says of some beliefs, by its formulae. */
export interface Formulae {
  /** How likely each Werewolf votes for Player 3. */
  readonly q: number;
  /** How likely Player 3, having swapped with nobody, votes for Player 1. */
  readonly p: number;
  /** Equations 10 to 12. */
  readonly utilities: Three;
}

/** How far numbers may be off by rounding. */
export const ROUNDING = 1e-9;

/** The game of section 4: 24 ways to play it. */
export const analysisTree = (): Tree => buildTree(onuw.rules(3, { setup: 'analysis' }), 3);

const ROBBER = 2;
const NIGHT_ACTS = ['pass', 'seat:0', 'seat:1'];

/** What to vote after a swap with Player 1, and with Player 2: for who has the Robber's card now (equation 15). */
const AFTER_SWAP: readonly [Two, Two] = [
  [1, 0],
  [0, 1],
];

/** Theorem 4.2, without discussion. `p` is free: after a night in which nothing was done, which never happens, Player 3 votes for 1 with it. */
export const withoutDiscussion = (p: number): Strategies => ({
  night: [0, 1 / 2, 1 / 2],
  one: [1, 0],
  two: [1, 0],
  three: [[p, 1 - p], ...AFTER_SWAP],
});

/** The utilities of theorem 4.2 (equation 6). */
export const WITHOUT_DISCUSSION: Three = [0, 0, 1];

/** Theorem 4.3, with discussion: the equilibrium of the vote, behind a night that is as the Werewolves believe it was. */
export function withDiscussion(beliefs: Beliefs): Strategies {
  const { q, p } = formulae(beliefs);
  const vote: Two = [1 - q, q];
  return { night: [beliefs.alpha, beliefs.beta, beliefs.gamma], one: vote, two: vote, three: [[p, 1 - p], ...AFTER_SWAP] };
}

/** Equations 7 and 10 to 12. Rounding that leaves [0, 1] is cut off. */
export function formulae({ alpha, beta, gamma }: Beliefs): Formulae {
  const within = (n: number): number => (n < 0 && n > -ROUNDING ? 0 : n > 1 && n < 1 + ROUNDING ? 1 : n);
  const factor = 1 / (4 * alpha ** 2) - 1 / (2 * alpha) - 1;
  return {
    q: within((beta + gamma - alpha) / (2 * alpha)),
    p: within((alpha ** 2 + beta ** 2 - gamma ** 2) / (2 * alpha ** 2)),
    utilities: [factor * (1 - 2 * gamma), factor * (1 - 2 * beta), -factor],
  };
}

/** Between which bounds gamma has to be, given alpha (equation 9). */
export const gammaBounds = (alpha: number): Two => [(1 - 2 * alpha) / (2 - 2 * alpha), (2 * alpha ** 2 - 2 * alpha + 1) / (2 - 2 * alpha)];

/** Which constraints of equation 9 beliefs break, each as a sentence; none when theorem 4.3 is about them. */
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

/** Beliefs all over the region of equation 9, its edges too: six alphas, of each five gammas. */
export const admissiblePoints = (): readonly Beliefs[] =>
  [0.25, 0.3, 0.35, 0.4, 0.45, 0.5].flatMap((alpha) => {
    const [least, most] = gammaBounds(alpha);
    return [0, 1, 2, 3, 4].map((step) => {
      const gamma = least + ((most - least) * step) / 4;
      return { alpha, beta: 1 - alpha - gamma, gamma };
    });
  });

/** Strategies as a profile of the tree. */
export const profileOf =
  ({ night, one, two, three }: Strategies): Profile =>
  (set) => {
    if (set.seat === 0) return byOption(set, ['seat:1', 'seat:2'], one);
    if (set.seat === 1) return byOption(set, ['seat:0', 'seat:2'], two);
    const act = nightAct(set);
    return act === undefined ? byOption(set, NIGHT_ACTS, night) : byOption(set, ['seat:0', 'seat:1'], three[NIGHT_ACTS.indexOf(act)]!);
  };

/** What the tree makes of some strategies, beside what a theorem says. */
export interface CheckedStrategies extends ProfileEvaluation {
  readonly formula: Three;
  /** How far the utilities of the tree are from the formula, at most. */
  readonly off: number;
  /** What each thing the Robber can do in the night is worth to it. */
  readonly night: Three;
}

/** Plays strategies on the tree, and tries every deviation. */
export function checkStrategies(tree: Tree, strategies: Strategies, formula: Three): CheckedStrategies {
  const verdict = evaluateProfile(tree, profileOf(strategies));
  const off = Math.max(...verdict.utilities.map((n, player) => Math.abs(n - formula[player]!)));
  return { ...verdict, formula, off, night: nightValues(tree, strategies) };
}

/** What each thing the Robber can do in the night is worth to it at most, whatever it votes for then. */
export function nightValues(tree: Tree, strategies: Strategies): Three {
  const night = tree.sets.find((set) => set.seat === ROBBER && nightAct(set) === undefined)!;
  const all = deviationsOf(tree, profileOf(strategies), ROBBER);
  const most = (act: string): number => {
    const answer = night.answers.findIndex(([option]) => option === act);
    return Math.max(...all.flatMap(({ pure, value }) => (pure.get(night.number) === answer ? [value] : [])));
  };
  return [most('pass'), most('seat:0'), most('seat:1')];
}

/** What the Robber answered in the night, as it remembers; undefined while it has not. */
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

/** Likelihoods given by option, in the order of the set's answers. */
const byOption = ({ answers }: InformationSet, options: readonly string[], likely: readonly number[]): readonly number[] =>
  answers.map(([option]) => likely[options.indexOf(option!)]!);
