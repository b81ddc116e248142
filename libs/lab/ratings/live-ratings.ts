import { compareText } from './deals.ts';
import { NEWCOMER, type Rating, rateTeams } from './plackett-luce.ts';
import type { GameResult, SeatResult } from './result.ts';

/** The rating of an agent so far. */
export interface LiveRating {
  readonly agent: string;
  readonly mu: number;
  readonly sigma: number;
  /** What the agent is at least, nearly surely: mu - 3 sigma. Sorts a live table. */
  readonly ordinal: number;
}

/** A table that is rated game by game. */
export interface LiveTable {
  add(game: GameResult): void;
  /** The highest ordinal first. */
  ratings(): readonly LiveRating[];
  /** A table of its own that goes on from here. */
  copy(): LiveTable;
}

/**
 * Ratings that move with each game, for a live table: those of OpenSkill (Joshy, 2024, arXiv:2401.05451), by its Plackett–Luce model. Sides are teams; the winner is first, the others are equal. An agent with several seats
 * takes the mean of what each seat would give it.
 * They depend on the order of games, and know no sides or rule sets: final tables are made by `rankAgents`.
 */
export const liveTable = (): LiveTable => tableOf(new Map());

function tableOf(table: Map<string, Rating>): LiveTable {
  return {
    add: (game) => addGame(table, game),
    ratings: () =>
      [...table]
        .map(([agent, { mu, sigma }]) => ({ agent, mu, sigma, ordinal: mu - 3 * sigma }))
        .toSorted((a, b) => b.ordinal - a.ordinal || compareText(a.agent, b.agent)),
    copy: () => tableOf(new Map(table)),
  };
}

function addGame(ratings: Map<string, Rating>, { seats, winner }: GameResult): void {
  const sides = [...Map.groupBy(seats, ({ side }) => side)];
  if (sides.length < 2) return;
  const ratingOf = ({ agent }: SeatResult): Rating => ratings.get(agent) ?? NEWCOMER;
  const isDraw = sides.every(([side]) => side !== winner);
  const rated = rateTeams(
    sides.map(([, team]) => team.map(ratingOf)),
    sides.map(([side]) => (isDraw || side === winner ? 1 : 2)),
  );
  const results = sides.flatMap(([, team], t) => team.map(({ agent }, i) => ({ agent, ...rated[t]![i]! })));
  for (const [agent, own] of Map.groupBy(results, (result) => result.agent))
    ratings.set(agent, {
      mu: own.reduce((sum, { mu }) => sum + mu, 0) / own.length,
      sigma: own.reduce((sum, { sigma }) => sum + sigma, 0) / own.length,
    });
}
