import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { datasetOf, type RecordedGame } from '@maw/lab/training/dataset/recorded-games.ts';
import type { Reward } from '@maw/lab/training/dataset/rewards.ts';
import { playGame } from '@maw/minds/arena/arena.ts';
import type { NarratedEvent } from '@maw/lab/measures/game-record.ts';
import { policyOf } from '@maw/recipes/parameters.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import type { WebClient } from '../clients/web-client.ts';
import type { CliConfig } from '../config.ts';
import { type ConnectOptions, withWeb } from '../connect.ts';
import { readMinds } from '@maw/minds/own-recipes.ts';
import { createProgress } from '../progress.ts';
import { allDecisions } from '../thoughts/read-thoughts.ts';
import { writeDataset } from './dataset.ts';
import { recordedGames, roundOf, type TableThought } from '@maw/lab/training/dataset/games-of-table.ts';

interface BuildOptions extends ConnectOptions {
  readonly reward: Reward;
}

/**
 * `maw dataset build`. Returns the exit code: 130 when it was stopped, and nothing was written.
 * @param tables all that the system lists when empty
 * @throws Error when no finished game has a chosen tactic, or a thought is wrong
 */
export async function buildDataset(
  file: string,
  tables: readonly string[],
  { reward, ...where }: BuildOptions,
  config: CliConfig,
  signal: AbortSignal,
): Promise<number> {
  const games: RecordedGame[] = [];
  await withWeb(where, config, async (web) => {
    const wanted = tables.length ? [...new Set(tables)] : (await web.tables()).map(({ table }) => table);
    const bar = createProgress(process.stderr, wanted.length);
    try {
      for (const [i, table] of wanted.entries()) {
        if (signal.aborted) return;
        games.push(...(await gamesOfTable(web, table)));
        bar.at(i + 1);
      }
    } finally {
      bar.end();
    }
  });
  if (signal.aborted) return 130;
  writeRecorded(file, games, reward, `${games.length} games of recorded tables`);
  return 0;
}

async function gamesOfTable(web: WebClient, table: string): Promise<readonly RecordedGame[]> {
  const tape: NarratedEvent[] = [];
  for await (const { event } of web.tape(table, 'narrator')) tape.push(event);
  const thoughts: TableThought[] = [];
  for await (const { decision, steps } of allDecisions(web, table))
    for await (const { content } of steps) thoughts.push({ seat: decision.seat, round: roundOf(decision.phase), content });
  return recordedGames(table, tape, thoughts);
}

function writeRecorded(file: string, games: readonly RecordedGame[], reward: Reward, source: string): void {
  if (!games.length)
    throw new Error('no finished game has a chosen tactic: let minds of the recipes onuw or tactician play, with a tactic other than none');
  writeDataset(file, datasetOf(games, reward, `${source}, reward ${reward}`));
}

interface RecordOptions {
  readonly games: number;
  readonly rules: string;
  readonly players?: number;
  readonly mind: string;
  readonly option: { readonly [name: string]: string };
  readonly seed: string;
  readonly reward: Reward;
}

/**
 * `maw dataset record`: plays games in this process, without a model. Returns the exit code: 130 when it was stopped, and nothing was written.
 * @throws Error when the mind needs a model, asks a policy or chooses no tactics
 */
export async function recordGames(file: string, options: RecordOptions, signal: AbortSignal): Promise<number> {
  const { games: count, rules, mind, option, seed, reward } = options;
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
  const bar = createProgress(process.stderr, count);
  try {
    for (let game = 0; game < count; game++) {
      if (signal.aborted) return 130;
      const thoughts: TableThought[] = [];
      const { tape } = await playGame({
        rules: set,
        players: options.players ?? set.players.usual,
        options: option,
        seed: `${seed}/${game}`,
        recipeFor: () => recipe,
        record: (by, phase, { content }) => void thoughts.push({ seat: by, round: roundOf(phase), content }),
      });
      games.push(...recordedGames(`${seed}/${game}`, tape, thoughts));
      bar.at(game + 1);
      await new Promise(setImmediate); // an interruption is noticed between games
    }
  } finally {
    bar.end();
  }
  writeRecorded(file, games, reward, `${count} games of ${mind} in ${rules}, seed ${seed}`);
  return 0;
}
