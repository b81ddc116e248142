import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { whenAborted } from '@maw/async/abort.ts';
import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { playGame } from '@maw/minds/arena/arena.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import type { CliConfig } from '../config.ts';
import { readMinds } from '@maw/minds/own-recipes.ts';
import { ollamaUrl } from '@maw/llm-gateway/discovery/find-models.ts';
import { chooseModels, requireModel } from '../models.ts';
import { type AgentReport, createAgent } from '@maw/aiwolf/client/agent.ts';
import type { Division } from '@maw/aiwolf/client/answer-text.ts';
import { type Connection, type Goodbye, openConnection, serverAddress } from '@maw/aiwolf/client/connection.ts';
import { createScore } from './score.ts';
import type { SeatModels } from '@maw/aiwolf/client/minds/seat-models.ts';

export interface JoinOptions {
  readonly mind: string;
  readonly ollama?: string;
  readonly model?: string;
  readonly standIn?: string;
  readonly seats: number;
  readonly team: string;
  readonly games?: number;
  readonly json: boolean;
}

/** What the seats of one command share. */
interface Joining {
  readonly url: URL;
  readonly division: Division;
  readonly recipe: Recipe;
  readonly standIn: Recipe;
  readonly models: SeatModels | undefined;
  readonly options: JoinOptions;
  readonly signal: AbortSignal;
  readonly report: (name: string, report: AgentReport) => void;
}

const NOTHING: Goodbye = { reason: '', isFinal: false };
/** Between two attempts to connect: longer with each that fails, up to the second. */
const RETRY_MS = [200, 3000] as const;

const aside = (text: string): void => void process.stderr.write(`${text}\n`);

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
  const score = createScore(options.json);
  const stop = new AbortController();
  const joining: Joining = {
    url,
    division,
    recipe,
    standIn,
    models,
    options,
    signal: AbortSignal.any([signal, stop.signal]),
    report: score.take,
  };
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
function recipesOf({ mind, standIn: other }: JoinOptions): Pick<Joining, 'recipe' | 'standIn'> {
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
  const { startSeatModels } = await import('./seat-models.ts');
  return startSeatModels(models);
}

/** Plays a small game: what is loaded and compiled for the first time would take longer than some servers wait. */
const warmUp = (): Promise<unknown> => playGame({ rules: aiwolf, players: 5, seed: 'warm-up', recipeFor: () => findRecipe('rules') });

/** Plays one seat, over as many connections as it takes. */
async function playSeat(joining: Joining, name: string): Promise<void> {
  const { division, options, signal } = joining;
  for (let games = 0, failures = 0; !signal.aborted;) {
    const { played, isCut, goodbye } = await playConnection(joining, name);
    games += played;
    if (signal.aborted) return;
    if (goodbye.isFinal && !isCut && !played)
      throw new Error(`seat ${name}: the server sent it away: ${goodbye.reason || 'it does not say why'}`);
    if (division === 'protocol' && isCut) throw new Error(`seat ${name}: the server hung up in the middle of game ${games + 1}`);
    if (division === 'protocol' && !played) throw new Error(`seat ${name}: the server hung up before a game began${why(goodbye)}`);
    if (division === 'protocol' || (options.games !== undefined && games >= options.games)) return;
    failures = played ? 0 : failures + 1;
    if (played) continue;
    if (isCut) aside(`${name}: the server hung up in the middle of a game; connecting again`);
    else if (failures === 1) aside(`${name}: the server hung up before a game began${why(goodbye)}; trying again`);
    await pause(failures, signal);
  }
}

const why = ({ reason }: Goodbye): string => (reason ? `: ${reason}` : '; it may be full or restarting, or not take the name or the token');

/** Plays until the server closes the connection. @returns how many games ended, and whether one was cut off */
async function playConnection({ url, division, recipe, standIn, models, signal, report }: Joining, name: string) {
  const { promise: closed, resolve: close } = Promise.withResolvers<Goodbye>();
  let games = 0;
  let received = 0;
  let failure: Error | undefined;
  const agent = createAgent({
    division,
    name,
    recipe,
    standIn,
    models,
    seed: randomUUID(),
    send: (text) => connection?.send(text),
    report(what) {
      if (what.type === 'ended') games++;
      report(name, what);
    },
  });
  let connection: Connection | undefined;
  const early: string[] = [];
  async function take(packet: string): Promise<void> {
    const number = ++received;
    try {
      const answer = await agent.take(packet);
      if (answer !== undefined) connection!.send(answer);
      else if (division === 'natural' && games) connection!.close(); // the server drops it too, one game to a connection
    } catch (error) {
      failure ??= new Error(`seat ${name}: packet ${number} cannot be played: ${(error as Error).message}`, { cause: error });
      connection!.close();
    }
  }
  const packet = (text: string): void => void (connection ? void take(text) : early.push(text));
  connection = await connected(() => openConnection(url, { packet, closed: close }), { url, name, signal });
  if (!connection) return { played: 0, isCut: false, goodbye: NOTHING };
  for (const text of early) void take(text);
  const goodbye = (await Promise.race([closed, whenAborted(signal)])) ?? NOTHING;
  connection.close();
  agent.close();
  if (failure) throw failure;
  return { played: games, isCut: agent.isPlaying(), goodbye };
}

/** Connects as soon as the server is there; undefined when it is interrupted. */
async function connected(
  open: () => Promise<Connection>,
  { url, name, signal }: { readonly url: URL; readonly name: string; readonly signal: AbortSignal },
): Promise<Connection | undefined> {
  for (let failures = 1; !signal.aborted; failures++) {
    try {
      return await open();
    } catch (error) {
      const { code, message, isFinal } = error as Error & { readonly code?: string; readonly isFinal?: boolean };
      if (isFinal) throw error;
      if (failures === 1) aside(`${name}: ${url.host} cannot be reached (${code ?? message}); trying again until it is, Ctrl-C stops`);
    }
    await pause(failures, signal);
  }
  return undefined;
}

/** Ends early when it is interrupted. */
const pause = (failures: number, signal: AbortSignal): Promise<void> =>
  sleep(Math.min(RETRY_MS[0] * 2 ** (failures - 1), RETRY_MS[1]), undefined, { signal }).catch(() => undefined);
