import type { Contest } from '../definition.ts';
import { winRates } from '../../ratings/rates/win-rates.ts';
import type { GameResult } from '../result.ts';
import type { Counted } from './counted.ts';
import type { Rate } from './win-rates.ts';

/** Points of a learning curve at most: with more, each is of too few games to say anything. */
const MAX_BLOCKS = 10;

/** How often an agent won in some consecutive games of its sets, or of its cells. */
export interface LearningPoint extends Rate {
  readonly agent: string;
  /** Numbers of games within a set or cell, from 1; both belong to it. */
  readonly from: number;
  readonly to: number;
}

/** Games in their order; one that does not count keeps its place. */
interface Succession {
  readonly games: readonly (GameResult | undefined)[];
}

/** The games of each set; where agents learn from game to game, those of each cell. */
export function successions({ agents }: Contest, perRound: number, counted: readonly Counted[]): readonly Succession[] {
  if (!agents.some(({ learns }) => learns)) return counted;
  const rows = Map.groupBy(counted, ({ pairing }) => pairing.number % perRound);
  return [...rows.values()].map((row) => ({
    games: row.flatMap(({ games, pairing: { rounds } }) => Array.from({ length: rounds }, (_, i) => games[i])),
  }));
}

/** Win rates by the number of the game within its set or cell, in blocks. Empty where each has one game. */
export function learning(tables: readonly Succession[]): readonly LearningPoint[] {
  const rounds = tables.reduce((most, { games }) => Math.max(most, games.length), 0);
  if (rounds < 2) return [];
  const size = Math.ceil(rounds / MAX_BLOCKS);
  const starts = Array.from({ length: Math.ceil(rounds / size) }, (_, i) => i * size);
  return starts.flatMap((from) =>
    winRates(tables.flatMap(({ games }) => games.slice(from, from + size).filter((game) => game !== undefined))).map(
      ({ of: _, ...rate }) => ({
        ...rate,
        from: from + 1,
        to: Math.min(rounds, from + size),
      }),
    ),
  );
}
