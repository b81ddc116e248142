import { writeFileSync } from 'node:fs';
import { usageOf } from '@maw/lab/contests/thought-usage.ts';
import { gamesOf } from '@maw/lab/measures/game-record.ts';
import { type Dataset, readDataset, writeDataset } from '@maw/lab/training/dataset/dataset.ts';
import { fetchEmbeddings } from '@maw/lab/training/dataset/embeddings.ts';
import { readPublishedGames } from '@maw/lab/training/dataset/published-games.ts';
import { datasetOf, type GamesToRecord, type RecordedGame, recordedGames, recordGames } from '@maw/lab/training/dataset/recorded-games.ts';
import type { Reward } from '@maw/lab/training/dataset/rewards.ts';
import { summaryOf } from '@maw/lab/training/dataset/summary.ts';
import { embedAt } from '@maw/lab/training/experience/embed.ts';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import type { CliConfig } from '../config.ts';
import { type ConnectOptions, withWeb } from '../connect.ts';
import { ollamaUrl } from '@maw/llm-gateway/discovery/find-models.ts';
import { aside, numberColumns, say } from '../output.ts';
import { withProgress } from '../progress.ts';
import { readTable } from '@maw/lab/thoughts/read-thoughts.ts';

interface DatasetOptions {
  readonly reward: Reward;
  /** What others may do with it. */
  readonly licence?: string | undefined;
}

/** What a card tells besides what is in the dataset itself. */
interface About extends DatasetOptions {
  /** How it came to be. */
  readonly recorded: string;
  /** The recipes that chose, with their parameters, and the models that they asked; empty where that is not known. */
  readonly minds: readonly string[];
  readonly models: readonly string[];
}

const cardOf = (file: string): string => `${file}.card.json`;

/** Writes a dataset, and beside it its card. */
function write(file: string, dataset: Dataset, { licence = 'not stated', ...about }: About): void {
  writeDataset(file, dataset);
  const { sha256, ...read } = readDataset(file);
  const card = { format: 'maw-dataset-card-1', licence, ...about, ...summaryOf(read).about, tactics: read.tactics, sha256 };
  writeFileSync(cardOf(file), `${JSON.stringify(card, undefined, 2)}\n`);
  say(`${file}: ${dataset.source}; ${dataset.choices.length} choices. Its card is ${cardOf(file)}`);
}

/** `maw dataset import`. @param paths of published games, or of folders with them @throws Error that says which file is wrong, and where */
export const importDataset = (file: string, paths: readonly string[], options: DatasetOptions): void =>
  write(file, readPublishedGames(paths, options.reward), {
    ...options,
    recorded: 'imported: the games published with document 004 (KylJin/Werewolf, dataset_process/gpt4_dataset)',
    minds: [],
    models: ['gpt-4'],
  });

/**
 * `maw dataset build`. Returns the exit code: 130 when it was stopped, and nothing was written.
 * @param tables all that the system lists when empty
 * @throws Error when no finished game has a chosen tactic, or a thought is wrong
 */
export async function buildDataset(
  file: string,
  tables: readonly string[],
  { reward, licence, ...where }: ConnectOptions & DatasetOptions,
  config: CliConfig,
  signal: AbortSignal,
): Promise<number> {
  const games: RecordedGame[] = [];
  const [minds, models] = [new Set<string>(), new Set<string>()];
  await withWeb(where, config, async (web) => {
    const wanted = tables.length ? [...new Set(tables)] : (await web.tables()).map(({ table }) => table);
    await withProgress(wanted.length, async (at) => {
      for (const [i, table] of wanted.entries()) {
        if (signal.aborted) return;
        const { tape, thoughts } = await readTable(web, table);
        games.push(...recordedGames(table, tape, thoughts));
        for (const { recipes } of gamesOf(table, tape)) for (const recipe of recipes) if (recipe !== undefined) minds.add(recipe);
        for (const { model } of usageOf(thoughts, [])) models.add(model);
        at(i + 1);
      }
    });
  });
  if (signal.aborted) return 130;
  write(file, datasetOf(games, reward, `${games.length} games of recorded tables, reward ${reward}`), {
    reward,
    licence,
    recorded: 'built from the thoughts of minds at recorded tables',
    minds: [...minds].toSorted(),
    models: [...models].toSorted(),
  });
  return 0;
}

/**
 * `maw dataset record`: plays games in this process, without a model. Returns the exit code: 130 when it was stopped, and nothing was written.
 * @throws Error when the mind needs a model, asks a policy or chooses no tactics
 */
export async function recordDataset(file: string, options: GamesToRecord & DatasetOptions, signal: AbortSignal): Promise<number> {
  const { games: count, mind, rules, seed, reward, licence } = options;
  const games = await withProgress(count, (at) => recordGames(options, signal, at));
  if (signal.aborted) return 130;
  write(file, datasetOf(games, reward, `${count} games of ${mind} in ${rules}, seed ${seed}, reward ${reward}`), {
    reward,
    licence,
    recorded: 'played in one process, without a model',
    minds: [mind],
    models: [],
  });
  return 0;
}

/** `maw dataset show`. @throws Error that says where the file is wrong */
export function showDataset(file: string, { json }: { readonly json: boolean }): void {
  const { sha256, ...dataset } = readDataset(file);
  const { tactics } = dataset;
  const { about, roles } = summaryOf(dataset);
  if (json) return say(JSON.stringify({ ...about, sha256, tactics, roles }));
  say(`${about.source}\n${about.choices} choices in ${about.games} games of ${about.deals} deals; ${about.heldOut} choices are held out`);
  say(`mean points of a seat in a game ${about.meanReturn.toFixed(3)}; SHA-256 ${sha256}\n`);
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  say(numberColumns([['  role', ...tactics], ...roles.map(({ role, shares }) => [`  ${role}`, ...shares.map(percent)])]));
}

interface EmbedOptions {
  readonly model: string;
  readonly at?: string;
  readonly key?: string;
}

/** The model of the simulator that embeds. */
const SIMULATED = 'simulated-embed';

/**
 * `maw dataset embed`. Returns the exit code: 130 when it was stopped; run again, it goes on.
 * @throws Error when the dataset or what has been fetched is wrong, or the model does not answer
 */
export async function embedDataset(
  file: string,
  { model: wanted, ...given }: EmbedOptions,
  { ollamaHost, gatewayAt, gatewayKey }: Pick<CliConfig, 'ollamaHost' | 'gatewayAt' | 'gatewayKey'>,
  signal: AbortSignal,
): Promise<number> {
  const { at = gatewayAt, key = gatewayKey } = given;
  const dataset = readDataset(file);
  const simulator = wanted === 'sim' ? await startSimulator() : undefined;
  const model = simulator ? SIMULATED : wanted;
  try {
    const server = simulator?.url ?? at;
    // The key is a gateway's: neither the simulator nor the Ollama of OLLAMA_HOST shall get it.
    const embed = embedAt(server ?? ollamaUrl(ollamaHost), model, simulator || at === undefined ? undefined : key, '--at');
    const { texts, known, dimension, isDone } = await withProgress(dataset.choices.length, (onProgress) =>
      fetchEmbeddings({ file, dataset, model, embed, signal, onProgress }),
    );
    if (isDone)
      say(
        `${file}: ${texts} texts have an embedding by ${model}, ${known} had one before. Train with --encoder embed:${model}:${dimension}`,
      );
    else aside('interrupted; run the same command again to go on');
    return isDone ? 0 : 130;
  } finally {
    await simulator?.close();
  }
}
