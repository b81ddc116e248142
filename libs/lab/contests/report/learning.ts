import { winRates } from '../../ratings/rates/win-rates.ts';
import type { GameResult } from '../result.ts';
import type { Rate } from './win-rates.ts';

/** Points of a learning curve at most: with more, each is of too few games to say anything. */
const MAX_BLOCKS = 10;

/** How often an agent won in some consecutive games of its sets. */
export interface LearningPoint extends Rate {
  readonly agent: string;
  /** Numbers of games within a set, from 1; both belong to it. */
  readonly from: number;
  readonly to: number;
}

/** Win rates by the number of the game within its set, in blocks. Empty where tables have one game each. */
export function learning(tables: readonly { readonly games: readonly GameResult[] }[]): readonly LearningPoint[] {
  const rounds = tables.reduce((most, { games }) => Math.max(most, games.length), 0);
  if (rounds < 2) return [];
  const size = Math.ceil(rounds / MAX_BLOCKS);
  const starts = Array.from({ length: Math.ceil(rounds / size) }, (_, i) => i * size);
  return starts.flatMap((from) =>
    winRates(tables.flatMap(({ games }) => games.slice(from, from + size))).map(({ of: _, ...rate }) => ({
      ...rate,
      from: from + 1,
      to: Math.min(rounds, from + size),
    })),
  );
}
