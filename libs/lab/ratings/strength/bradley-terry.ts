import type { GameResult } from '../result.ts';
import { type Design, designOf } from './design.ts';
import { maximise } from './likelihood.ts';

/** Strengths fitted to games; see `rankAgents`. */
export interface StrengthFit {
  readonly design: Design;
  /** In logits, in the order of parameters that `Design` gives. */
  readonly estimate: Float64Array;
}

/**
 * Fits a strength of each agent on each side, and the advantage that each rule set gives each side. The strength of a team is the mean of its
 * members' strengths on that side, so that teams of any size compare: a strength is that of a side on which only this agent sits. The chances
 * of the sides are proportional to exp(advantage + strength): for two sides the model of Bradley and Terry (1952, Biometrika 39, 324–345).
 * A draw is an equal share of a win for every side. Fitted by maximum likelihood with a normal prior of three logits; separable games, such as
 * an agent that always wins, give a large finite strength. The order of games changes nothing.
 */
export function fitStrengths(games: readonly GameResult[]): StrengthFit {
  const design = designOf(games);
  return { design, estimate: maximise(design) };
}

/** Strengths made comparable: the mean of the agents that played for a side is 0 on it. */
export interface Strengths {
  /** By agent and side, `agent * sides + side`. NaN: the agent never played for it. */
  readonly bySide: Float64Array;
  /** By agent: the mean over the sides it played for. */
  readonly overall: Float64Array;
  /** By rule set and side: the chance to win when all agents are average. NaN: nobody plays for this side there. */
  readonly shares: Float64Array;
}

/** Parameters as strengths. Values are rounded to 1e-9 logits, so that agents with equal results are exactly equal. */
export function strengthsOf({ agents, sides, rules, hasPlayed, teams }: Design, at: Float64Array): Strengths {
  const width = sides.length;
  const bySide = new Float64Array(agents.length * width).fill(Number.NaN);
  const middles = sides.map((_, s) => {
    const played = agents.flatMap((__, a) => (hasPlayed[a]![s] ? [a * width + s] : []));
    const middle = played.reduce((sum, i) => sum + at[i]!, 0) / played.length;
    for (const i of played) bySide[i] = rounded(at[i]! - middle);
    return middle;
  });
  const overall = Float64Array.from(agents, (_, a) => {
    const known = bySide.subarray(a * width, (a + 1) * width).filter((value) => !Number.isNaN(value));
    return rounded(known.reduce((sum, value) => sum + value, 0) / known.length);
  });
  const shares = new Float64Array(rules.length * width).fill(Number.NaN);
  for (const [r, present] of teams.entries()) {
    const odds = sides.map((_, s) => (present[s] ? present[s] * Math.exp(at[(agents.length + r) * width + s]! + middles[s]!) : 0));
    const all = odds.reduce((sum, each) => sum + each, 0);
    for (const s of sides.keys()) if (present[s]) shares[r * width + s] = odds[s]! / all;
  }
  return { bySide, overall, shares };
}

const rounded = (value: number): number => Math.round(value * 1e9) / 1e9;
