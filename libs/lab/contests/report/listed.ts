import type { Contest } from '../definition.ts';
import type { GameResult } from '../result.ts';
import { countedLineUp, type LineUp } from './cells.ts';
import { type Counted, isForfeit } from './counted.ts';

/** A game that counts, forfeited ones with the seats of their culprit only, with all by which a number of the report tells it from others. */
export interface ListedGame extends GameResult {
  readonly cell?: string;
  /** As “who against whom” counts it; absent where it does not. */
  readonly lineUp?: LineUp;
  /** The table of its record; empty in the arena, absent where no record was kept. */
  readonly table?: string;
}

/** With more games a page with all of them would be too large. */
export const MAX_LISTED = 1_000;

/** The games that count, in their order; undefined where there are too many. */
export function listedGames(contest: Contest, counted: readonly Counted[]): readonly ListedGame[] | undefined {
  if (counted.reduce((sum, { games }) => sum + games.length, 0) > MAX_LISTED) return undefined;
  return counted.flatMap(({ pairing, result, games }) =>
    games.map((game, i): ListedGame => {
      const lineUp = countedLineUp(contest, pairing, game, i + 1);
      const name = isForfeit(game) ? undefined : result.records?.[i]?.table;
      const table = name === String(pairing.number) ? '' : name; // the arena names records so
      const { cell } = pairing;
      return { ...game, ...(cell === undefined ? {} : { cell }), ...(lineUp ? { lineUp } : {}), ...(table === undefined ? {} : { table }) };
    }),
  );
}
