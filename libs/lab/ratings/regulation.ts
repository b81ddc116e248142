import { compareText } from './deals.ts';
import type { GameResult } from './result.ts';

/** A place in the table of a contest. */
export interface Place {
  readonly agent: string;
  readonly games: number;
  readonly wins: number;
  readonly rate: number;
  /** 1 is the best. Agents with exactly the same win rate share a rank, and the ranks after them are skipped. */
  readonly rank: number;
}

/**
 * The ranking rule of the 3rd International AIWolf Competition (regulation 1.2.3 of 2021, sections 2.3 and 2.4): the win rate over all games of
 * all sets, whatever their size and the roles dealt. Each seat counts. The regulation says nothing of ties: they share a rank here.
 */
export function rankByWinRate(games: readonly GameResult[]): readonly Place[] {
  const counts = new Map<string, { games: number; wins: number }>();
  for (const { seats } of games)
    for (const { agent, won } of seats) {
      const count = counts.get(agent) ?? { games: 0, wins: 0 };
      count.games++;
      if (won) count.wins++;
      counts.set(agent, count);
    }
  const rows = [...counts].map(([agent, count]) => ({ agent, ...count, rate: count.wins / count.games }));
  return rows
    .map((row) => ({ ...row, rank: 1 + rows.filter((other) => isBetter(other, row)).length }))
    .toSorted((a, b) => a.rank - b.rank || compareText(a.agent, b.agent));
}

type Row = Omit<Place, 'rank'>;

/** By whole numbers: 1 of 3 and 2 of 6 are the same rate. */
const isBetter = (one: Row, other: Row): boolean => one.wins * other.games > other.wins * one.games;
