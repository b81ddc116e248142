import { type BiasTest, biasTests } from '../../ratings/rates/bias-tests.ts';
import { comparePairs, holm } from '../../ratings/rates/difference.ts';
import { LEAST_TO_PLAN, pairsForDifference } from '../../ratings/rates/sample-size.ts';
import { bootstrapStrengths } from '../../ratings/strength/bootstrap.ts';
import { fitStrengths } from '../../ratings/strength/bradley-terry.ts';
import { type Estimate, rankAgents } from '../../ratings/strength/ranking.ts';
import type { Contest } from '../definition.ts';
import type { GameResult, PairingResult } from '../result.ts';
import { evidenceOf, stopping } from '../stopping.ts';

/** A value with its 95 % interval; a bound is null where nothing is known. */
export interface Interval {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** Strengths in logits: 0 is the average agent of this contest. */
export interface StrengthRow {
  readonly agent: string;
  readonly strength: Interval;
  readonly sides: readonly (Interval & { readonly side: string })[];
  readonly rank: number;
  readonly rankLow: number;
  readonly rankHigh: number;
}

export interface Ranking {
  /** The best first. */
  readonly agents: readonly StrengthRow[];
  /** How often each side wins when all agents are average. */
  readonly shares: readonly { readonly rules: string; readonly side: string; readonly share: Interval }[];
  readonly deals: number;
  readonly bootstrap: number;
  /** More than one where agents cannot be compared. */
  readonly groups: readonly (readonly string[])[];
}

/** Two agents compared, deal by deal: the win rate of one less that of the other. */
export interface DifferenceRow {
  readonly one: string;
  readonly other: string;
  readonly deals: number;
  readonly difference: Interval;
  readonly p: number;
  /** Corrected for the number of pairs (Holm). */
  readonly adjusted: number;
  /**
   * Deals at which a difference like this one is found in 80 of 100 contests; null where there is none, it is not known how deals differ, or there
   * are too few to say.
   */
  readonly dealsNeeded: number | null;
}

/** The state of the sequential test. */
export interface SprtState {
  readonly agents: readonly [string, string];
  readonly bounds: readonly [number, number];
  readonly pairs: number;
  readonly llr: number;
  readonly lower: number;
  readonly upper: number;
  readonly accepted: 'better' | 'no better' | null;
}

const bound = (value: number): number | null => (Number.isFinite(value) ? value : null);
const intervalOf = ({ value, low, high }: Estimate): Interval => ({ value, low: bound(low), high: bound(high) });

/** @param bootstrap how often deals are resampled; about 1,000 */
export function rankingOf(games: readonly GameResult[], seed: string, bootstrap: number): Ranking {
  const fit = fitStrengths(games);
  const draws = bootstrapStrengths(fit, seed);
  const ranking = rankAgents(
    fit,
    Array.from({ length: bootstrap }, () => draws.next().value),
  );
  return {
    agents: ranking.agents.map(({ sides, strength, ...agent }) => ({
      ...agent,
      strength: intervalOf(strength),
      sides: Object.entries(sides).map(([side, estimate]) => ({ side, ...intervalOf(estimate) })),
    })),
    shares: ranking.shares.map(({ share, ...of }) => ({ ...of, share: intervalOf(share) })),
    deals: ranking.deals,
    bootstrap: ranking.draws,
    groups: ranking.groups,
  };
}

export const biasOf = (games: readonly GameResult[]): readonly BiasTest[] => biasTests(games).filter(({ freedom }) => freedom > 0);

/** All pairs of agents that have a deal in common. */
export function differencesOf(games: readonly GameResult[], agents: readonly string[]): readonly DifferenceRow[] {
  const compare = comparePairs(games);
  const pairs = agents
    .flatMap((one, i) => agents.slice(i + 1).map((other) => ({ one, other, ...compare(one, other) })))
    .filter(({ deals }) => deals > 0);
  const adjusted = holm(pairs.map(({ p }) => p));
  return pairs.map(({ one, other, deals, difference, deviation, low, high, p }, i) => ({
    one,
    other,
    deals,
    difference: intervalOf({ value: difference, low, high }),
    p,
    adjusted: adjusted[i]!,
    dealsNeeded: deviation > 0 && deals >= LEAST_TO_PLAN ? bound(pairsForDifference(deviation, difference)) : null,
  }));
}

/** Where the sequential test stands, as it decides when a contest stops. */
export function sprtOf(contest: Contest, counted: readonly PairingResult[]): SprtState | undefined {
  const { sprt } = contest.stopping;
  if (!sprt) return undefined;
  const { add, test } = stopping(contest);
  for (const result of counted) add(result);
  const { llr, lower, upper, accepted } = evidenceOf(sprt, test);
  return {
    agents: sprt.agents,
    bounds: sprt.bounds,
    pairs: test.deals,
    llr: test.deals ? llr : 0,
    lower,
    upper,
    accepted: test.deals === 0 || accepted === undefined ? null : accepted === 'elo1' ? 'better' : 'no better',
  };
}

/** Deals needed, in words. */
export const dealsNeededText = ({ deals, dealsNeeded }: Pick<DifferenceRow, 'deals' | 'dealsNeeded'>): string =>
  deals < LEAST_TO_PLAN ? 'too few deals to say' : dealsNeeded === null ? 'not known' : dealsNeeded.toLocaleString('en');
