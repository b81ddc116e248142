import type { GameResult } from './result.ts';

/** Compares texts by code units: the same everywhere, whatever the language of the system. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The games by deal, deals and games in the order of their names. Whatever is computed in this order does not depend on the order in which
 * games were played, to the last bit. Deals of different rule sets are different deals, even with the same name.
 */
export function dealsOf(games: readonly GameResult[]): readonly (readonly GameResult[])[] {
  const deals: GameResult[][] = [];
  let last: GameResult | undefined;
  for (const game of games.toSorted((a, b) => compareText(a.rules, b.rules) || compareText(a.deal, b.deal) || compareText(a.id, b.id))) {
    if (last?.rules === game.rules && last.deal === game.deal) deals.at(-1)!.push(game);
    else deals.push([game]);
    last = game;
  }
  return deals;
}

/** The share of an agent's seats in a game that won; undefined where it has no seat. */
export function wonShare({ seats }: GameResult, agent: string): number | undefined {
  let [own, won] = [0, 0];
  for (const seat of seats)
    if (seat.agent === agent) {
      own++;
      if (seat.won) won++;
    }
  return own ? won / own : undefined;
}
