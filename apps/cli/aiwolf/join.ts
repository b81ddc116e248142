import type { AgentReport } from '@maw/aiwolf/client/agent.ts';
import type { Division } from '@maw/aiwolf/client/answer-text.ts';
import { serverAddress } from '@maw/aiwolf/client/connection.ts';
import type { SeatModels } from '@maw/aiwolf/client/minds/seat-models.ts';
import { type Joining, playSeat } from '@maw/aiwolf/client/play-seat.ts';
import { createScore } from '@maw/aiwolf/server/scores.ts';
import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { winnerPhrase } from '@maw/games/match/narration.ts';
import { playGame } from '@maw/minds/arena/arena.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import { readMinds } from '@maw/minds/own-recipes.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import type { CliConfig } from '../config.ts';
import { ollamaUrl } from '@maw/llm-gateway/discovery/find-models.ts';
import { chooseModels, requireModel } from '../models.ts';
import { aside, say, sayColumns } from '../output.ts';

interface JoinOptions {
  readonly mind: string;
  readonly ollama?: string;
  readonly model?: string;
  readonly standIn?: string;
  readonly seats: number;
  readonly team: string;
  readonly games?: number;
  readonly json: boolean;
}

/**
 * `maw aiwolf join`: our minds in a published AIWolf server. In the protocol division until the server has played its set, in the
 * natural-language division game after game, until --games or an interrupt.
 * @returns the exit code: 130 when it was interrupted
 * @throws Error for an address, a recipe or an option that does not do, a packet that cannot be read, or a set that is cut off
 */
export async function joinServer(address: string, options: JoinOptions, config: CliConfig, signal: AbortSignal): Promise<number> {
  const url = serverAddress(address);
  const division = url.protocol === 'tcp:' ? 'protocol' : 'natural';
  checkOptions(options, division);
  const { recipe, standIn } = recipesOf(options);
  const models = await modelsFor(recipe, options, config);
  await warmUp();
  const score = createSeatReport(options.json);
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  const joining: Joining = { url, division, recipe, standIn, models, games: options.games, signal: both, report: score.take, note: aside };
  const names = Array.from({ length: options.seats }, (_, seat) =>
    division === 'natural' || options.seats > 1 ? `${options.team}${seat + 1}` : options.team,
  );
  try {
    await Promise.all(names.map((name) => playSeat(joining, name)));
  } finally {
    stop.abort(); // one seat that fails ends the others
    score.print();
    await models?.close();
  }
  return signal.aborted ? 130 : 0;
}

/** @throws Error for options that this division does not have */
function checkOptions({ team, games }: JoinOptions, division: Division): void {
  if (/[\r\n]/.test(team) || !team.trim()) throw new Error('--team is a name in one line, and not empty: servers know the seats by it');
  if (division === 'natural' && /\d$/.test(team))
    throw new Error(`--team ${team}: a team of the natural-language division ends in no digit, since each seat adds its number`);
  if (division === 'protocol' && games !== undefined)
    throw new Error(
      '--games is for the natural-language division: in the protocol division the server ends the set, and who leaves before ends it for all',
    );
}

/** @throws Error for a recipe that does not exist, and a stand-in that needs a model itself or stands in for nobody */
function recipesOf({ mind, standIn: other }: JoinOptions): { readonly recipe: Recipe; readonly standIn: Recipe } {
  const { recipes, seats } = readMinds([mind, other ?? 'rules']);
  const [recipe, standIn] = seats.map((each) => findRecipe(each.recipe, recipes, each.parameters)) as [Recipe, Recipe];
  if (standIn.usesModel) throw new Error(`--stand-in ${standIn.name} needs a model itself; name a mind without one, such as rules`);
  if (other !== undefined && !recipe.usesModel) throw new Error(inVain('--stand-in', recipe));
  return { recipe, standIn };
}

const inVain = (option: string, { name }: Recipe): string =>
  `${option} is for minds with a model, and ${name} has none; name one with --mind, such as algorithm-1`;

/**
 * Starts the models of a recipe that needs them, and says which.
 * @throws Error when those that are named are not available, or are named in vain
 */
async function modelsFor(recipe: Recipe, { ollama, model }: JoinOptions, { all }: CliConfig): Promise<SeatModels | undefined> {
  if (!recipe.usesModel) {
    const option = model === undefined ? '--ollama' : '--model';
    if (model !== undefined || ollama !== undefined) throw new Error(inVain(option, recipe));
    return undefined;
  }
  if (ollama !== undefined) ollamaUrl(ollama, '--ollama'); // checked under its own name
  const models = await chooseModels(
    ollama === undefined ? all : { ...all, OLLAMA_URLS: undefined, OLLAMA_HOST: ollama },
    { model },
    undefined,
  );
  requireModel(models, `--mind ${recipe.name}`);
  aside(models.says);
  const { startSeatModels } = await import('../clients/seat-models.ts');
  return startSeatModels(models);
}

/** Plays a small game: what is loaded and compiled for the first time would take longer than some servers wait. */
const warmUp = (): Promise<unknown> => playGame({ rules: aiwolf, players: 5, seed: 'warm-up', recipeFor: () => findRecipe('rules') });

/** Prints what happens to the seats, and at the end how often each has won. */
function createSeatReport(isJson: boolean) {
  const score = createScore();
  /** How many answers of a mind with a model were the model's, by seat. */
  const credits = new Map<string, { model: number; standIn: number }>();
  return {
    take(name: string, report: AgentReport): void {
      if (isJson) say(JSON.stringify({ name, ...report }));
      if (report.type === 'answered') {
        const credit = credits.get(name) ?? { model: 0, standIn: 0 };
        credits.set(name, credit);
        credit[report.by === 'model' ? 'model' : 'standIn']++;
        return;
      }
      (isJson || report.type !== 'ended' ? aside : say)(lineOf(name, report));
      if (report.type === 'ended') score.ended({ agents: [name], roles: [report.role], winners: report.hasWon ? [0] : [] });
    },
    print(): void {
      const rows = score.scores().flatMap(({ agent, roles }) => {
        const byRole = Object.entries(roles).toSorted(([a], [b]) => (a < b ? -1 : 1));
        return byRole.map(([role, { games, won }]) => [agent, role, String(games), String(won)]);
      });
      if (isJson || !rows.length) return;
      say('');
      sayColumns([['seat', 'role', 'games', 'won'], ...rows]);
      if (!credits.size) return;
      say('');
      const counts = [...credits].toSorted(([a], [b]) => (a < b ? -1 : 1));
      sayColumns([
        ['seat', 'answers by the model', 'in its stead'],
        ...counts.map(([name, { model, standIn }]) => [name, String(model), String(standIn)]),
      ]);
    },
  };
}

function lineOf(name: string, report: Exclude<AgentReport, { readonly type: 'answered' }>): string {
  switch (report.type) {
    case 'began':
      return `${name}: a game of ${report.players} begins; ${report.as} is ${report.role}, with ${report.limitMs} ms for an answer`;
    case 'ended':
      return `${name}: ${winnerPhrase(report.winner)}; ${report.hasWon ? 'won' : 'lost'} as ${report.role}, ${report.isAlive ? 'alive' : 'dead'} on day ${report.day}`;
    case 'late':
      return `${name}: ${report.isSent ? 'late' : 'no'} answer to ${report.request}: it took ${report.ms} ms`;
    case 'failed':
      return `${name}: ${report.error}; a legal answer is given instead`;
  }
}
