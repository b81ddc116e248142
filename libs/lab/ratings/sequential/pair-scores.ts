import { dealsOf, placesIn, wonShare } from '../deals.ts';
import type { GameResult } from '../result.ts';
import type { ScoreCount } from './gsprt.ts';

/** What two agents scored against each other, deal by deal. */
export interface PairScores {
  /** By score of the first agent, from the lowest. */
  readonly counts: readonly ScoreCount[];
  /** Deals in which both sat at the same tables, and held the same places. */
  readonly pairs: number;
  /** The mean number of their games; 2 where sides are exchanged. */
  readonly gamesPerPair: number;
}

/**
 * The scores of one agent against another, for `gsprt`. A pair is a deal, usually of two games with sides exchanged. A game scores 1 where the
 * seats of `one` won and those of `other` lost, 0 the other way round, .5 where both won or both lost; a deal scores the mean of its games. Deals in
 * which the two did not hold the same places do not count.
 */
export function pairScores(games: readonly GameResult[], one: string, other: string): PairScores {
  const counts = new Map<number, number>();
  let [pairs, played] = [0, 0];
  for (const deal of dealsOf(games)) {
    const held = placesIn(deal);
    if (!held.has(one) || held.get(one)?.places !== held.get(other)?.places) continue;
    const scores = deal.flatMap((game) => {
      const [mine, theirs] = [wonShare(game, one), wonShare(game, other)];
      return mine === undefined || theirs === undefined ? [] : [(1 + mine - theirs) / 2];
    });
    if (!scores.length) continue;
    const score = rounded(scores.reduce((sum, each) => sum + each, 0) / scores.length);
    counts.set(score, (counts.get(score) ?? 0) + 1);
    pairs++;
    played += scores.length;
  }
  return {
    counts: [...counts].map(([score, count]) => ({ score, count })).toSorted((a, b) => a.score - b.score),
    pairs,
    gamesPerPair: pairs ? played / pairs : 2,
  };
}

/** Sums of thirds may differ in their last bits; they are one score. */
const rounded = (score: number): number => Math.round(score * 1e9) / 1e9;
