import { meanOf } from './distributions.ts';
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

/** The share of an agent's seats in a game that won, or of the other players that it left behind, equals by half; undefined where it has no seat. */
export function wonShare({ seats }: GameResult, agent: string): number | undefined {
  let [own, won] = [0, 0];
  for (const seat of seats)
    if (seat.agent === agent) {
      own++;
      won += seat.rank === undefined ? Number(seat.won) : sharePassed(seat.rank, seats);
    }
  return own ? won / own : undefined;
}

const sharePassed = (rank: number, seats: GameResult['seats']): number => {
  const [behind, equal] = [seats.filter((other) => other.rank! > rank), seats.filter((other) => other.rank === rank)];
  return seats.length > 1 ? (behind.length + (equal.length - 1) / 2) / (seats.length - 1) : 1;
};

/** What an agent held in a deal, and how it fared there. */
interface Held {
  /** The roles that it was dealt, game by game: equal for agents that held the same places. */
  readonly places: string;
  /** The mean of `wonShare` over the games. */
  readonly rate: number;
}

/**
 * What each agent held in the games of a deal: the one rule by which two agents may be compared. They held the same places where each was dealt the
 * roles of the other, in other games of the deal; so a deal of one game compares nobody.
 */
export function placesIn(deal: readonly GameResult[]): ReadonlyMap<string, Held> {
  if (deal.length < 2) return new Map();
  const played = deal.flatMap((game) =>
    [...Map.groupBy(game.seats, ({ agent }) => agent)].map(([agent, seats]) => ({ agent, seats, game })),
  );
  return new Map(
    [...Map.groupBy(played, ({ agent }) => agent)].map(([agent, games]) => {
      const places = games.map(({ seats }) => seats.map(({ role }) => role).toSorted(compareText).join(',')).toSorted(compareText).join(';'); // prettier-ignore
      return [agent, { places, rate: meanOf(games.map(({ game }) => wonShare(game, agent)!)) }];
    }),
  );
}
