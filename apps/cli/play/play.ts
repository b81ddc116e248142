import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { whenAborted } from '@maw/async/abort.ts';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { readOptions } from '@maw/games/kernel/options.ts';
import { winnerPhrase } from '@maw/games/match/narration.ts';
import { readName } from '@maw/games/match/player-name.ts';
import { pgliteStore } from '@maw/store/pglite.ts';
import { readMinds, splitRecipeFile } from '@maw/minds/own-recipes.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import { isSystemRunning, writeConnectionFile } from '../clients/connection-file.ts';
import type { SeenEvent } from '../clients/table-stream.ts';
import { createWebClient, type WebClient } from '../clients/web-client.ts';
import type { CliConfig } from '../config.ts';
import { connectToWeb } from '../connect.ts';
import { builtConsole, pageAddress } from '../console.ts';
import { type InProcessSystemOptions, startInProcessSystem } from '../in-process-system.ts';
import { chooseModels, type Models, requireModel } from '../models.ts';
import { say } from '../output.ts';
import { decisionMsOf } from '../clients/sample-decisions.ts';
import { joinTable } from './join-table.ts';
import { MACHINE_SECONDS, openTable, warnOfHaste } from './open-table.ts';
import { checkSeats, type Game, type PlayOptions } from './play-options.ts';
import { keepAddress, keptAddress } from './seats/kept-address.ts';
import { printInvitations, readInvitation, stayOpen, throwForGuest } from './seats/invitations.ts';
import { findKeptSeat, keepSeat, type KeptSeat } from './seats/kept-seats.ts';
import { keyOf } from '@maw/contracts/model-name.ts';
import { costOf } from '@maw/lab/contests/cost.ts';
import type { Prices } from '@maw/lab/contests/definition.ts';
import { readPrices } from '@maw/lab/contests/read-file.ts';
import { type SeatThought, usageOf } from '@maw/lab/contests/thought-usage.ts';
import { allDecisions } from '@maw/lab/thoughts/read-thoughts.ts';
import { prepareFolder } from '../prepare-folder.ts';
import { createPaint, type Paint, transcript } from '../transcript.ts';

/** Plays one whole game, in this process or at a running system. Returns the exit code. */
export async function play(given: PlayOptions, config: CliConfig, signal: AbortSignal): Promise<number> {
  checkOptions(given);
  const options = given.human === undefined ? given : { ...given, human: readName(given.human) }; // as the table writes it
  const note = (text: string): void => void (options.json ? process.stderr : process.stdout).write(`${text}\n`);
  warnOfHaste(options, note);
  const prices = options.prices === undefined ? undefined : readPrices(options.prices);
  const game = { options, note, notices: { show: note }, signal, prices, paint: createPaint(config.isColour && !options.json) };
  if (options.transcript !== undefined) await (await openTranscript(options.transcript)).close(); // looked at before anything is opened
  if (options.join !== undefined) return playInvited(game, options.join);
  if (options.at === undefined) return playInProcess(game, config);
  const { web } = await connectToWeb(options, config);
  return (await playAt({ ...game, web, isRemote: true })).code;
}

/** @throws Error for options that exclude each other */
function checkOptions({ human, json, record, replay, at, minds, lan, join: invitation, people, web }: PlayOptions): void {
  if (web && (at ?? invitation) !== undefined)
    throw new Error('--web shows a game in this process; a running system serves its page at its own address: open that in a browser');
  if (web && json) throw new Error('--web and --json exclude each other: --web runs until Ctrl-C');
  if (at !== undefined && minds.some((mind) => splitRecipeFile(mind).file !== undefined))
    throw new Error(
      '--minds with a recipe file needs a game in this process; a running system knows recipes by name, also those in its RECIPES_DIR',
    );
  if (human === undefined && (lan || invitation !== undefined || people !== undefined))
    throw new Error('--lan, --join and --people go with --human NAME: the name under which you play');
  if (at !== undefined && lan)
    throw new Error('--lan opens a table in this process; at a running system, give people the address of its web service');
  if (at !== undefined && invitation !== undefined) throw new Error('--join names the address itself: leave --at out');
  if (human !== undefined) {
    if (json) throw new Error('--human and --json exclude each other: a person needs a terminal; programs use HTTP (docs/http.md)');
  }
  if (record !== undefined && replay !== undefined) throw new Error('--record and --replay exclude each other');
  if (at !== undefined && (record ?? replay) !== undefined)
    throw new Error('--record and --replay need a game in this process; for a running system, set RECORD and RECORDING of its gateway');
}

/** Plays at a table to which somebody has invited. */
async function playInvited({ options, ...game }: Omit<Game, 'web' | 'isRemote'>, text: string): Promise<number> {
  const { at, table, token, seat } = await readInvitation(text);
  const web = createWebClient(at, token);
  const invited = { ...game, options: { ...options, at, table }, web, isRemote: true };
  if (seat !== undefined) await keepSeat(invited, options.human!, { table, seat, token });
  return (await playAt(invited).catch(throwForGuest)).code;
}

async function playInProcess(game: Omit<Game, 'web' | 'isRemote'>, config: CliConfig): Promise<number> {
  const { options, note, notices } = game;
  if (options.table === undefined) checkTable(options);
  if (options.replay !== undefined) await requireRecording(options.replay, join(options.data, 'tables'));
  const { recipes, seats } = readMinds(options.minds);
  const others = [...new Set(seats.flatMap(({ model }) => model ?? []))];
  const models = await withOwnModels(await modelsFor(options, config), others, options, config);
  const needing = seats.find(({ recipe }) => findRecipe(recipe, recipes).usesModel);
  if (needing) requireModel(models, `the recipe ${needing.recipe}`);
  await prepareFolder(options.data, '--data');
  note(models.says);
  const consoleDir = options.web ? await builtConsole(note) : undefined;
  note(`Everything runs in this process: the message bus is in memory, and the database is in the folder ${options.data}.`);
  const kept = await keptAddress(game);
  const system = await startInProcessSystem({
    folder: join(options.data, 'tables'),
    ...kept,
    isOnNetwork: options.lan ?? false,
    consoleDir,
    contests: options.web ? 'played' : undefined, // its page has them
    models,
    recording: recordingOf(options),
    recipes,
    maxWaitMs: Math.min(10_000, (options.seconds ?? MACHINE_SECONDS) * 200),
    tell: (text) => notices.show(text),
    logLevel: 'error',
    otlp: config.otlp,
  });
  await keepAddress(game, { ...kept, port: Number(new URL(system.web.at).port) });
  const connection = { url: system.web.at, token: system.adminToken, gateway: system.gateway };
  let file: Awaited<ReturnType<typeof writeConnectionFile>> | undefined;
  try {
    // The file of a system that runs from the same folder stays.
    if (!(await isSystemRunning(options.data))) file = await writeConnectionFile(options.data, connection);
    const asks = seats.length ? needing : { recipe: 'algorithm-1', parameters: {} };
    const decisionMs =
      asks && models.model !== undefined
        ? () => decisionMsOf(models, findRecipe(asks.recipe, recipes, asks.parameters), game.signal)
        : undefined;
    const about = { isRemote: false, adminToken: system.adminToken, ...(decisionMs ? { decisionMs } : {}) };
    const { code, isOver } = await playAt({ ...game, web: system.web, ...about });
    if (options.web && isOver) return await showUntilStopped(game);
    if (options.lan && code === 0) await stayOpen(game);
    if (isOver) await waitForLearners(system.learners, game);
    return code;
  } finally {
    await file?.remove();
    await system.close();
  }
}

/** Serves the page of a game that is over until Ctrl-C. */
async function showUntilStopped({ note, signal }: Pick<Game, 'note' | 'signal'>): Promise<number> {
  note('The page stays until you press Ctrl-C here.');
  await whenAborted(signal);
  return 0;
}

async function modelsFor({ replay, model, server, keyFile, seed }: PlayOptions, config: CliConfig): Promise<Models> {
  if (replay === undefined)
    return chooseModels(config.all, { model, server, keyFile }, seed === undefined ? undefined : diceOf(seed, 'simulator').below(2 ** 31));
  return { servers: [], model: undefined, says: `No model plays: the answers of the recording ${replay} are replayed.` };
}

/** The same with the servers of the models that single seats have. @throws Error when one of them is not available */
async function withOwnModels(
  models: Models,
  others: readonly string[],
  { replay, server, keyFile }: PlayOptions,
  config: CliConfig,
): Promise<Models> {
  if (!others.length || replay !== undefined || models.sim) return models;
  const found = await Promise.all(others.map((model) => chooseModels(config.all, { model, server, keyFile }, undefined)));
  const servers = new Map([models, ...found].flatMap((each) => each.servers).map((each) => [each.url, each]));
  return { ...models, servers: [...servers.values()], says: `${models.says} Seats with a model of their own: ${others.join(', ')}.` };
}

function recordingOf({ record, replay }: PlayOptions): InProcessSystemOptions['recording'] {
  if (replay !== undefined) return { record: 'replay', recording: replay };
  return record === undefined ? undefined : { record: 'record', recording: record };
}

/** @throws Error when nothing was recorded under the name: nothing has to be opened to know that */
async function requireRecording(name: string, folder: string): Promise<void> {
  const store = existsSync(folder) ? await pgliteStore({ folder, service: 'maw' }) : undefined;
  const found = await store?.recordings.list(name, { limit: 1 });
  await store?.close();
  if (!found?.length) throw new Error(`--replay: there is no recording ${name} in ${folder}; maw play --record ${name} makes it`);
}

/** Plays or watches a table to its end and prints the result. Returns the exit code, and whether the game is over. */
async function playAt(game: Game): Promise<{ readonly code: number; readonly isOver: boolean }> {
  const { web, options, isRemote, paint, note, signal } = game;
  const { human } = options;
  const file = options.transcript === undefined ? undefined : await openTranscript(options.transcript);
  try {
    const seat = human === undefined ? undefined : await takeSeat(game, human);
    const table = seat?.table ?? options.table ?? (await openTable(game));
    if (options.lan) await printInvitations({ web, note, isOnNetwork: true, isForPage: options.web ?? false, host: human }, table);
    note(`Table ${table}${isRemote ? ` at ${web.at}` : ''}.`);
    const onSeen = (seen: SeenEvent): void => file?.write(seen);
    if (options.agents.length)
      note(
        `Programs connect to ${web.at}: ${options.agents.join(', ')}. A key for one: ./maw tokens make --role agent --name ${options.agents[0]}`,
      );
    if (options.web) noteAddresses(game, table, seat?.token);
    if (options.web && !seat) note(`A finished game, as its story and to play:\n  ${web.at}/console/demo#token=${game.adminToken}\n`);
    const isPlaying = seat && !options.web;
    const end = isPlaying ? await joinTable(game, seat, human!, onSeen) : await watchTable(game, table, seat?.token, onSeen);
    const isOver = end === 'over' && !signal.aborted;
    if (isOver) {
      const own = seat ? web.as(seat.token) : web;
      printResult(await readResult(own, table), options.json, paint);
      // Nobody has to be shown what minds thought.
      for (const line of await spendingOf(own, table, game.prices).catch(() => [])) note(line);
      for (const sum of await own.decisionSums(table).catch(() => [])) note(sum);
    } else if (seat) note(howToComeBack(options, end === 'left'));
    return { code: end === 'interrupted' || signal.aborted ? 130 : 0, isOver };
  } finally {
    await file?.close();
  }
}

/** Says where the page is. The right of an administrator stands in an address of its own, so that the other can be shown to anybody at the screen. */
function noteAddresses({ web, note, adminToken }: Game, table: string, seatToken: string | undefined): void {
  note(`\nOpen this address in a browser:\n  ${pageAddress(web.at, table, seatToken ?? adminToken)}\n`);
  if (seatToken === undefined || adminToken === undefined) return;
  note('This one opens your seat too, and lets you open tables, invite people and see all lists. Keep it to yourself:');
  note(`  ${pageAddress(web.at, table, seatToken, adminToken)}\n`);
}

/** The seat that is kept for a person, or else one at a table that is joined now. */
async function takeSeat(game: Game, name: string): Promise<KeptSeat> {
  const { web, options, note } = game;
  const kept = options.new ? undefined : await findKeptSeat(game, name, options.table);
  if (kept) {
    note(`Your seat is kept at table ${kept.table}: you go on there. (--new opens another table.)`);
    return kept;
  }
  const table = options.table ?? (await openTable(game));
  const { token, seat } = await web.join(table, name);
  await keepSeat(game, name, { table, seat, token });
  return { table, token };
}

/** What to type to play on. */
function howToComeBack({ at, data, rules, human, lan, join: invitation }: PlayOptions, isMindPlaying: boolean): string {
  const quoted = (word: string): string => (/^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
  const given = [
    ...(invitation === undefined ? (at === undefined ? [] : ['--at', at]) : ['--join', invitation]),
    ...(lan ? ['--lan'] : []),
    ...(data === '.maw' ? [] : ['--data', data]),
    ...(rules === 'maw' ? [] : ['--rules', rules]),
  ];
  const command = ['./maw play', ...[...given, '--human', human!].map(quoted)].join(' ');
  return `${isMindPlaying ? 'A mind plays your seat. Take it back' : 'Your seat is kept. Come back'} with: ${command}`;
}

/** Prints what a seat sees, or everything where this process may show it. */
async function watchTable(
  { web, options, paint, signal }: Game,
  table: string,
  seatToken: string | undefined,
  onSeen: (seen: SeenEvent) => void,
): Promise<'over'> {
  const script = transcript(paint);
  const as = options.at === undefined && seatToken === undefined ? { as: 'narrator' } : {};
  const watching = seatToken === undefined ? web : web.as(seatToken);
  for await (const update of watching.follow(table, { ...as, signal })) {
    if (update.kind !== 'seen') continue;
    onSeen(update.seen);
    const line = script.line(update.seen);
    if (options.json) say(JSON.stringify({ type: 'event', ...update.seen }));
    else if (line !== undefined) say(line);
  }
  return 'over';
}

/** How a table ended. */
interface Result {
  readonly winner: string;
  readonly winners: readonly string[];
  readonly points: { readonly [name: string]: number };
  readonly table: string;
}

async function readResult(web: WebClient, table: string): Promise<Result> {
  const { players, winners = [] } = await web.table(table);
  const names = players.map(({ name }, seat) => name ?? `Seat ${seat}`);
  let winner = 'draw';
  for await (const { event } of web.tape(table)) {
    if (event.type === 'scored') winner = (event['outcome'] as { winner: string }).winner;
    if (event.type === 'aborted') winner = 'aborted';
  }
  return {
    winner,
    winners: winners.map((seat) => names[seat]!),
    points: Object.fromEntries(players.map(({ points }, seat) => [names[seat]!, points])),
    table,
  };
}

/** Prints the winner and the points, highest first; or one JSON line. */
function printResult(result: Result, isJson: boolean, paint: Paint): void {
  if (isJson) return say(JSON.stringify({ type: 'result', ...result }));
  const board = Object.entries(result.points).toSorted(([, a], [, b]) => b - a);
  say(`\n${paint('bold', `${winnerPhrase(result.winner).replace(/^./, (letter) => letter.toUpperCase())}.`)}`);
  for (const [name, points] of board)
    say(`  ${String(points).padStart(3)}  ${name}${result.winners.includes(name) ? paint('yellow', '  *') : ''}`);
}

/** Checks what a table is opened with, before anything is started for it. @throws Error or Refusal that says what is wrong */
export function checkTable(
  options: Pick<PlayOptions, 'rules' | 'players' | 'minds' | 'option' | 'human' | 'people' | 'lan'> & Pick<Partial<PlayOptions>, 'agents'>,
): void {
  const { rules, minds, option } = options;
  const set = ruleSetNamed(rules);
  const { players = set.players.usual } = options;
  set.rules(players, readOptions(set.options, option));
  checkSeats(options, players);
  const { recipes, seats } = readMinds(minds);
  for (const { recipe, parameters, model } of seats)
    if (!findRecipe(recipe, recipes, parameters).usesModel && model !== undefined)
      throw new Error(`--minds ${recipe}:model=${model}: ${recipe} asks no model; leave it out`);
}

/** A file that holds the lines of a game from its beginning, without colours; what was there before is replaced. @throws Error when it cannot be written */
async function openTranscript(file: string) {
  const stream = createWriteStream(file);
  await once(stream, 'open').catch((cause: unknown) => {
    throw new Error(`--transcript: ${file} cannot be written: ${(cause as NodeJS.ErrnoException).code}`, { cause });
  });
  const script = transcript(createPaint(false));
  return {
    write(seen: SeenEvent): void {
      const line = script.line(seen);
      if (line !== undefined) stream.write(`${line}\n`);
    },
    async close(): Promise<void> {
      stream.end();
      await once(stream, 'close');
    },
  };
}

/** How often it is looked whether minds still learn, and how long at most, in milliseconds. */
const TIMES = { everyMs: 100, mostMs: 300_000 };

/** Minds whose lessons last beyond the table may take a while after its end. */
export async function waitForLearners(
  learners: () => number,
  { note, signal }: Pick<Game, 'note' | 'signal'>,
  { everyMs, mostMs } = TIMES,
): Promise<void> {
  const until = Date.now() + mostMs;
  for (let last = 0, left = learners(); left && !signal.aborted; left = learners()) {
    const learn = `${left} ${left === 1 ? 'mind learns' : 'minds learn'}`;
    if (Date.now() >= until) return note(`${learn} still; that is not awaited any longer, and what is not learned yet is lost.`);
    if (left !== last) note(last ? `${learn} still.` : `${learn} from the game. Ctrl+C ends that.`);
    last = left;
    await delay(everyMs, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * What the models of a table have used, a line for each: calls, tokens and, where there are prices, money. A cost that nobody knows is said to be
 * unknown, never nothing.
 */
async function spendingOf(web: WebClient, table: string, prices: Prices | undefined): Promise<readonly string[]> {
  const thoughts: SeatThought[] = [];
  for await (const { steps } of allDecisions(web, table)) for await (const { content } of steps) thoughts.push({ seat: 0, content });
  const priced = new Set(Object.keys(prices ?? {}).map(keyOf));
  return usageOf(thoughts, ['']).map((usage) => {
    const { model, calls, prompt, completion } = usage;
    const known = prices && (priced.has(keyOf(model)) ? costOf({ prices }, [usage]).toFixed(4) : 'not known');
    return `${model}: ${calls} calls, ${prompt} tokens read, ${completion} written${known ? `, cost ${known}` : ''}.`;
  });
}
