import { compareText } from './deals.ts';
import { type BiasTest, biasTests } from './rates/bias-tests.ts';
import { comparePairs, type Corrected, corrected, type PairedDifference } from './rates/difference.ts';
import { type Part, type WinRate, winRates } from './rates/win-rates.ts';
import type { GameResult } from './result.ts';
import { type Evidence, gsprt, normalisedElo, type NormalisedElo, type SequentialTest } from './sequential/gsprt.ts';
import { type PairScores, pairScores } from './sequential/pair-scores.ts';
import type { Ranking, StrengthDifference } from './strength/ranking.ts';

/** A win rate in one rule set. */
export interface PartRate extends WinRate {
  readonly rules: string;
}

/** Two agents compared, by strength, and by their win rates where they held the same places in the same deals. */
export interface PairReport extends StrengthDifference {
  readonly rates?: Corrected<PairedDifference>;
  /** Whether they ever sat at one table: else they are compared over others. */
  readonly met: boolean;
}

/** The sequential test of the only two agents. */
export interface HeadToHead extends PairScores {
  readonly one: string;
  readonly other: string;
  readonly test: SequentialTest;
  readonly evidence: Evidence;
  /** Undefined where no deal differs from others. */
  readonly estimate: NormalisedElo | undefined;
}

/** All that is known of who is better. */
export interface RatingReport {
  readonly games: number;
  readonly rules: readonly string[];
  readonly ranking: Ranking;
  readonly rates: readonly WinRate[];
  readonly bySide: readonly PartRate[];
  readonly byRole: readonly PartRate[];
  readonly bias: readonly BiasTest[];
  readonly pairs: readonly PairReport[];
  /** Where there are just two agents. */
  readonly headToHead: HeadToHead | undefined;
}

/**
 * Everything but the live display from the same games.
 * @param ranking of these games, by `rankAgents`
 * @param test the bounds of the head-to-head test
 */
export function ratingReport(games: readonly GameResult[], ranking: Ranking, test: SequentialTest): RatingReport {
  const byRules = [...Map.groupBy(games, ({ rules }) => rules)].toSorted(([a], [b]) => compareText(a, b));
  const ratesBy = (part: Part): readonly PartRate[] =>
    byRules.flatMap(([rules, inside]) => winRates(inside, part).map((rate) => ({ rules, ...rate })));
  const compare = comparePairs(games);
  const compared = corrected(
    ranking.differences.flatMap((pair) => {
      const rates = compare(pair.one, pair.other);
      return rates ? [{ pair, ...rates }] : [];
    }),
  );
  const told = new Map(compared.map(({ pair, ...rates }) => [pair, rates]));
  const tables = [...new Map(games.map(({ seats }) => agentsOf(seats)).map((names) => [names.join('\n'), new Set(names)])).values()];
  const agents = [...new Set(games.flatMap(({ seats }) => seats.map(({ agent }) => agent)))].toSorted(compareText);
  return {
    games: games.length,
    rules: byRules.map(([rules]) => rules),
    ranking,
    rates: winRates(games),
    bySide: ratesBy('side'),
    byRole: ratesBy('role'),
    bias: biasTests(games),
    pairs: ranking.differences.map((pair) => {
      const rates = told.get(pair);
      return { ...pair, met: tables.some((table) => table.has(pair.one) && table.has(pair.other)), ...(rates ? { rates } : {}) };
    }),
    headToHead: headToHeadOf(games, agents, test),
  };
}

const agentsOf = (seats: GameResult['seats']): readonly string[] => [...new Set(seats.map(({ agent }) => agent))].toSorted(compareText);

function headToHeadOf(games: readonly GameResult[], [one, other, third]: readonly string[], test: SequentialTest): HeadToHead | undefined {
  if (one === undefined || other === undefined || third !== undefined) return undefined;
  const scores = pairScores(games, one, other);
  const { counts, gamesPerPair } = scores;
  return { one, other, ...scores, test, evidence: gsprt(counts, { ...test, gamesPerPair }), estimate: normalisedElo(counts, gamesPerPair) };
}
