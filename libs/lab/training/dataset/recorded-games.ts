import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { stepOf } from '@maw/games/kernel/question.ts';
import { type TacticThought, tacticThoughtOf } from '@maw/learning/observation/tactic-thought.ts';
import { TACTICS_004 } from '@maw/learning/policy/tactics.ts';
import { playGame } from '@maw/minds/arena/arena.ts';
import { readMinds } from '@maw/minds/own-recipes.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import { policyOf } from '@maw/recipes/parameters.ts';
import { type GameRecord, gamesOf, type NarratedEvent } from '../../measures/game-record.ts';
import { type MeasuredThought, roundOf } from '../../measures/measured.ts';
import type { Choice, Dataset } from './dataset.ts';
import { type Reward, rewarded, type SeatResult } from './rewards.ts';

/** A step that a mind thought in a round of a table. */
export type TableThought = Pick<MeasuredThought, 'seat' | 'round' | 'content'>;

/**
 * The finished games of a table with the tactics that its minds chose; those without any are left out.
 * @param tape as the narrator sees it
 * @throws Error naming the table, the seat and the field of a thought that is wrong
 */
export function recordedGames(table: string, tape: readonly NarratedEvent[], thoughts: readonly TableThought[]): readonly RecordedGame[] {
  const chosen = thoughts.flatMap(({ seat, round, content }) => {
    try {
      const choice = tacticThoughtOf(content);
      return choice ? [{ seat, round, choice: { ...choice, recipe: content['recipe'] as string } }] : [];
    } catch (error) {
      throw new Error(`table ${table}, round ${round}, seat ${seat}: ${(error as Error).message}`, { cause: error });
    }
  });
  const speeches = speechesOf(tape);
  return gamesOf(table, tape)
    .filter(({ round }) => chosen.some((each) => each.round === round))
    .map((game) => ({
      game: `${table}/${game.round}`,
      deal: `${game.rules}: ${game.roles.join(' ')}`,
      seats: game.roles.map((_, seat) => ({
        points: pointsOf(game, seat),
        votes: game.votes[seat]! / game.roles.length,
        speeches: speeches.get(`${game.round}/${seat}`) ?? 0,
        choices: chosen.flatMap((each) => (each.round === game.round && each.seat === seat ? [each.choice] : [])),
      })),
    }));
}

const pointsOf = ({ winner, winners }: GameRecord, seat: number): number => (winner === 'draw' ? 0 : winners.includes(seat) ? 1 : -1);

/** By round and seat: how often it spoke. */
function speechesOf(tape: readonly NarratedEvent[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { type, question, answer } of tape) {
    if (type !== 'answered' || stepOf(String(question)) !== 'talk') continue;
    const { by, says } = answer as { readonly by: number; readonly says: readonly string[] };
    const key = `${roundOf(String(question))}/${by}`;
    if (says[0]) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** A finished game of this platform, as far as tactics are learnt from it. */
export interface RecordedGame {
  readonly game: string;
  /** What was dealt. */
  readonly deal: string;
  readonly seats: readonly RecordedSeat[];
}

interface RecordedSeat extends SeatResult {
  /** How often it spoke. */
  readonly speeches: number;
  /** What its mind chose, in the order of its thoughts. */
  readonly choices: readonly RecordedChoice[];
}

interface RecordedChoice extends TacticThought {
  /** The recipe of the mind. */
  readonly recipe: string;
}

/**
 * The choices that were carried out: of a seat that thought several times before it spoke the last one, and none after its last speech.
 * @param source where the games are from, in words
 * @throws Error when nothing was chosen, or by different recipes, whose states would differ by who chose
 */
export function datasetOf(games: readonly RecordedGame[], reward: Reward, source: string): Dataset {
  if (!games.length)
    throw new Error('no finished game has a chosen tactic: let minds of the recipes onuw or tactician play, with a tactic other than none');
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

export interface GamesToRecord {
  readonly games: number;
  readonly rules: string;
  readonly players?: number;
  /** The recipe of all seats, with its parameters. */
  readonly mind: string;
  readonly option: { readonly [name: string]: string };
  readonly seed: string;
}

/**
 * Plays games without a model, one after another.
 * @param onProgress told how many are played
 * @returns those with chosen tactics; fewer when the signal aborts
 * @throws Error when the mind needs a model, or asks a policy
 */
export async function recordGames(
  { games: count, rules, players, mind, option, seed }: GamesToRecord,
  signal: AbortSignal,
  onProgress: (played: number) => void,
): Promise<readonly RecordedGame[]> {
  const set = ruleSetNamed(rules);
  const { recipes, seats: [seat] } = readMinds([mind]); // prettier-ignore
  const recipe = findRecipe(seat!.recipe, recipes, seat!.parameters);
  if (recipe.usesModel)
    throw new Error(
      `${mind} needs a model: let it play at tables (maw contest run, maw play), and make a dataset of them with maw dataset build`,
    );
  if (policyOf(recipe.values) !== undefined)
    throw new Error(`${mind} asks a policy, which always chooses the same in the same place; record tactics by the dice: tactic=random`);
  const games: RecordedGame[] = [];
  for (let game = 0; game < count && !signal.aborted; game++) {
    const name = `${seed}/${game}`;
    const thoughts: TableThought[] = [];
    const { tape } = await playGame({
      rules: set,
      players: players ?? set.players.usual,
      options: option,
      seed: name,
      recipeFor: () => recipe,
      record: (by, phase, { content }) => void thoughts.push({ seat: by, round: roundOf(phase), content }),
    });
    games.push(...recordedGames(name, tape, thoughts));
    onProgress(game + 1);
    await new Promise(setImmediate); // an interruption is noticed between games
  }
  return games;
}
