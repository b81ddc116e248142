import { compareText, dealsOf } from '../deals.ts';
import { meanOf } from '../distributions.ts';
import type { GameResult } from '../result.ts';

/** How agents fare against each other. */
export interface CrossMatrix {
  readonly agents: readonly string[];
  /** The share of wins of the agent of the row against that of the column; NaN where they never sat on different sides, .5 on the diagonal. */
  readonly shares: readonly (readonly number[])[];
  /** Games in which they did. */
  readonly games: readonly (readonly number[])[];
}

/**
 * The cross matrix: how often one agent wins where another sits on another side. It is the mean of the shares by side of the first agent, so
 * that an agent that was dealt the stronger side more often gains nothing by it. A game counts once for each pair and side.
 */
export function crossMatrix(games: readonly GameResult[]): CrossMatrix {
  const agents = [...new Set(games.flatMap(({ seats }) => seats.map(({ agent }) => agent)))].toSorted(compareText);
  const at = new Map(agents.map((agent, i) => [agent, i]));
  const cells = agents.map(() => agents.map(() => ({ games: 0, sides: new Map<string, { won: number; of: number }>() })));
  for (const { rules, winner, seats } of dealsOf(games).flat()) {
    const sides = [...Map.groupBy(seats, ({ side }) => side)].map(([side, members]) => ({
      side,
      won: Number(side === winner),
      agents: new Set(members.map(({ agent }) => at.get(agent)!)),
    }));
    const isDraw = sides.every(({ won }) => won === 0);
    for (const one of sides)
      for (const other of sides)
        if (one !== other)
          for (const row of one.agents)
            for (const column of other.agents) {
              const cell = cells[row]![column]!;
              const key = JSON.stringify([rules, one.side]);
              const { won, of } = cell.sides.get(key) ?? { won: 0, of: 0 };
              cell.sides.set(key, { won: won + (isDraw ? 1 / sides.length : one.won), of: of + 1 });
              cell.games++;
            }
  }
  const shareOf = (row: number, column: number): number => {
    const sides = [...cells[row]![column]!.sides].toSorted(([a], [b]) => compareText(a, b));
    if (row === column) return 0.5;
    return sides.length ? meanOf(sides.map(([, { won, of }]) => won / of)) : Number.NaN;
  };
  return {
    agents,
    games: cells.map((row) => row.map((cell) => cell.games)),
    shares: agents.map((_, row) => agents.map((__, column) => shareOf(row, column))),
  };
}
