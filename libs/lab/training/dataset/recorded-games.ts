import type { TacticThought } from '@maw/learning/observation/tactic-thought.ts';
import type { Choice, Dataset } from './dataset.ts';
import { type Reward, rewarded, type SeatResult } from './rewards.ts';
import { TACTICS_004 } from '@maw/learning/policy/tactics.ts';

/** A finished game of this platform, as far as tactics are learnt from it. */
export interface RecordedGame {
  readonly game: string;
  /** What was dealt. */
  readonly deal: string;
  readonly seats: readonly RecordedSeat[];
}

export interface RecordedSeat extends SeatResult {
  /** How often it spoke. */
  readonly speeches: number;
  /** What its mind chose, in the order of its thoughts. */
  readonly choices: readonly RecordedChoice[];
}

export interface RecordedChoice extends TacticThought {
  /** The recipe of the mind. */
  readonly recipe: string;
}

/**
 * The choices that were carried out: of a seat that thought several times before it spoke the last one, and none after its last speech.
 * @param source where the games are from, in words
 * @throws Error when nothing was chosen, or by different recipes, whose states would differ by who chose
 */
export function datasetOf(games: readonly RecordedGame[], reward: Reward, source: string): Dataset {
  const recipes = new Map(
    games.flatMap(({ game, seats }) =>
      seats.flatMap(({ choices }, seat) => choices.map(({ recipe }) => [recipe, `seat ${seat} of ${game}`] as const)),
    ),
  );
  if (recipes.size > 1)
    throw new Error(
      `tactics were chosen by different recipes, ${[...recipes].map(([recipe, where]) => `${recipe} (${where})`).join(' and ')}; what they know is not told alike, so name tables of one recipe`,
    );
  const choices = games.flatMap(({ game, deal, seats }) =>
    seats.flatMap(({ choices: all, speeches, points, votes }, seat) => {
      const carriedOut = [...new Map(all.map((choice) => [choice.observation.turn, choice])).values()]
        .filter(({ observation }) => observation.turn < speeches)
        .toSorted((a, b) => a.observation.turn - b.observation.turn);
      const own = carriedOut.map(({ tactic, observation }): Omit<Choice, 'reward' | 'isLast'> => ({
        ...observation,
        deal,
        game,
        seat,
        tactic,
      }));
      return rewarded(own, { points, votes }, reward);
    }),
  );
  return { format: 'maw-tactics-1', tactics: [...TACTICS_004], source, choices };
}
