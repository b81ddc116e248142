import { type BiasTest, biasTests } from '../../ratings/rates/bias-tests.ts';
import { comparePairs, type Corrected, corrected, type PairedDifference } from '../../ratings/rates/difference.ts';
import { normalisedElo, type NormalisedElo } from '../../ratings/sequential/gsprt.ts';
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

/** Two agents or two cells compared, deal by deal: the win rate of one less that of the other. */
export interface DifferenceRow extends Pick<Corrected<PairedDifference>, 'deals' | 'p' | 'adjusted' | 'dealsNeeded'> {
  readonly one: string;
  readonly other: string;
  readonly difference: Interval;
}

/** A comparison before it is corrected for the number of all. */
interface Compared<T> {
  readonly pair: T;
  readonly found: PairedDifference | undefined;
}

/** Those that could be compared, corrected for their number. */
export const differenceRows = <T>(compared: readonly Compared<T>[]): readonly (T & Omit<DifferenceRow, 'one' | 'other'>)[] =>
  corrected(
    compared.flatMap(({ pair, found }) => {
      if (!found) return [];
      const { deals, difference: value, low, high, p, dealsNeeded } = found;
      return [{ ...pair, deals, difference: { value, low, high }, p, dealsNeeded }];
    }),
  );

/** All pairs of agents that held the same places in the same deals. @param games with the seats of all where one has forfeited */
export function differencesOf(games: readonly GameResult[], agents: readonly string[]): readonly DifferenceRow[] {
  const compare = comparePairs(games);
  return differenceRows(pairsOf(agents).map(([one, other]) => ({ pair: { one, other }, found: compare(one, other) })));
}

/** Each with each of those after it. */
export const pairsOf = <T>(all: readonly T[]): readonly (readonly [T, T])[] =>
  all.flatMap((one, i) => all.slice(i + 1).map((other) => [one, other] as const));

/** The state of the sequential test. */
export interface SprtState {
  readonly agents: readonly [string, string];
  readonly bounds: readonly [number, number];
  readonly pairs: number;
  readonly llr: number;
  /** What the deals of the test come to; absent where none differs. After a stop it overstates, as other figures do. */
  readonly estimate?: NormalisedElo;
  readonly lower: number;
  readonly upper: number;
  readonly accepted: 'better' | 'no better' | null;
  /** The log-likelihood ratio after so many deals; of a long test, after every few. */
  readonly path: readonly (readonly [deals: number, llr: number])[];
}

/** Points of a path at most: more would not be seen. */
const MAX_POINTS = 400;

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

/** Where the sequential test stands, as it decides when a contest stops. */
export function sprtOf(contest: Contest, counted: readonly PairingResult[]): SprtState | undefined {
  const { sprt } = contest.stopping;
  if (!sprt) return undefined;
  const { add, test } = stopping(contest);
  for (const result of counted) add(result);
  const { llr, lower, upper, accepted } = evidenceOf(sprt, test);
  const step = Math.ceil(test.deals / MAX_POINTS);
  const estimate = normalisedElo([...test.counts].map(([score, count]) => ({ score, count })), test.games / test.deals); // prettier-ignore
  const path = test.path.map((each, i) => [i + 1, each] as const);
  return {
    agents: sprt.agents,
    bounds: sprt.bounds,
    pairs: test.deals,
    llr: test.deals ? llr : 0,
    ...(estimate ? { estimate } : {}),
    lower,
    upper,
    accepted: test.deals === 0 || accepted === undefined ? null : accepted === 'elo1' ? 'better' : 'no better',
    path: path.filter(([deals]) => deals % step === 0 || deals === test.deals),
  };
}
