import { deviationOf, quantile } from '../distributions.ts';
import type { Bounds } from '../rates/wilson-interval.ts';
import { type StrengthFit, strengthsOf } from './bradley-terry.ts';

/** A value with the bounds of its 95 % interval; infinite where nothing is known. */
export interface Estimate extends Bounds {
  readonly value: number;
}

/** How strong an agent is, in logits: 0 is the average of the agents, and each logit multiplies the odds of its side by e. */
export interface AgentStrength {
  readonly agent: string;
  /** The mean over the sides it played for. */
  readonly strength: Estimate;
  /** By side; sides it never played for are absent. */
  readonly sides: { readonly [side: string]: Estimate };
  /** 1 is the best. Agents of equal strength share a rank. */
  readonly rank: number;
  /** The ranks that are compatible with the games, at 95 %. */
  readonly rankLow: number;
  readonly rankHigh: number;
}

/** Two agents compared: positive where `one` is the stronger. */
export interface StrengthDifference {
  readonly one: string;
  readonly other: string;
  readonly difference: Estimate;
}

/** How often a side wins when all agents are average. */
export interface SideShare {
  readonly rules: string;
  readonly side: string;
  readonly share: Estimate;
}

/** Who is better, and how sure that is. */
export interface Ranking {
  /** The best first; equals by name. */
  readonly agents: readonly AgentStrength[];
  readonly differences: readonly StrengthDifference[];
  readonly shares: readonly SideShare[];
  /** How many deals, and how often they were resampled. */
  readonly deals: number;
  readonly draws: number;
  /** Groups of agents that cannot be compared with each other, as they never met. Usually one. */
  readonly groups: readonly (readonly string[])[];
}

/**
 * Ranks agents by strength. Intervals are percentiles of the bootstrap. Intervals of ranks follow from simultaneous intervals of the
 * differences to all others (Mogstad, Romano, Shaikh and Wilhelm, 2024, Review of Economic Studies 91, 476–518): percentiles of resampled
 * ranks would be too narrow where agents are nearly equal.
 * @param draws parameters from `bootstrapStrengths`, about 1,000; with fewer than two deals or draws, nothing is known
 */
export function rankAgents({ design, estimate }: StrengthFit, draws: readonly Float64Array[]): Ranking {
  const { agents, sides, rules, hasPlayed, teams, deals, groups } = design;
  const here = strengthsOf(design, estimate);
  const resampled = deals.length < 2 ? [] : draws.map((each) => strengthsOf(design, each));
  const at = (part: 'bySide' | 'overall' | 'shares', i: number): Estimate =>
    intervalOf(
      here[part][i]!,
      resampled.map((each) => each[part][i]!),
    );
  const overall = resampled.map((each) => each.overall);
  // row by row: the resampled differences of all pairs together would not fit into memory
  const rows = agents.map((agent, a) => {
    const comparisons = agents.map((_, b) => comparisonOf(a, b, here.overall, overall));
    const later = comparisons.slice(a + 1).map(({ difference, resampled: values }, i) => ({
      one: agent,
      other: agents[a + 1 + i]!,
      difference: intervalOf(difference, values),
    }));
    return { ranks: ranksOf(comparisons), later };
  });
  const ranked = agents.map((agent, a) => ({
    agent,
    strength: at('overall', a),
    sides: Object.fromEntries(sides.flatMap((side, s) => (hasPlayed[a]![s] ? [[side, at('bySide', a * sides.length + s)]] : []))),
    ...rows[a]!.ranks,
  }));
  return {
    agents: ranked.toSorted((a, b) => a.rank - b.rank),
    differences: rows.flatMap(({ later }) => later),
    shares: rules.flatMap((set, r) =>
      sides.flatMap((side, s) => (teams[r]![s] ? [{ rules: set, side, share: at('shares', r * sides.length + s) }] : [])),
    ),
    deals: deals.length,
    draws: draws.length,
    groups,
  };
}

/** How much stronger one agent is than another. */
interface Comparison {
  readonly difference: number;
  readonly resampled: readonly number[];
  readonly deviation: number;
}

function comparisonOf(a: number, b: number, strengths: Float64Array, draws: readonly Float64Array[]): Comparison {
  const difference = strengths[a]! - strengths[b]!;
  const resampled = draws.map((each) => each[a]! - each[b]!);
  const deviation = resampled.length < 2 ? Infinity : deviationOf(resampled);
  return { difference, resampled, deviation };
}

function intervalOf(value: number, resampled: readonly number[]): Estimate {
  if (resampled.length < 2) return { value, low: -Infinity, high: Infinity };
  const sorted = Float64Array.from(resampled).toSorted();
  return { value, low: quantile(sorted, 0.025), high: quantile(sorted, 0.975) };
}

/** The rank of an agent from its comparisons with all, itself included, and the interval of it. */
function ranksOf(comparisons: readonly Comparison[]): Pick<AgentStrength, 'rank' | 'rankLow' | 'rankHigh'> {
  const others = comparisons.filter(({ deviation }) => deviation > 0);
  const farthest = (others[0]?.resampled ?? []).map((_, draw) =>
    Math.max(...others.map(({ resampled, difference, deviation }) => Math.abs(resampled[draw]! - difference) / deviation)),
  );
  const reach = farthest.length < 2 ? Infinity : quantile(Float64Array.from(farthest).toSorted(), 0.95);
  const surely = others.filter(({ difference, deviation }) => Math.abs(difference) > reach * deviation);
  const better = surely.filter(({ difference }) => difference < 0).length;
  return {
    rank: 1 + comparisons.filter(({ difference }) => difference < 0).length,
    rankLow: 1 + better,
    rankHigh: comparisons.length - (surely.length - better),
  };
}
