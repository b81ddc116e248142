import { winnerPhrase } from '@maw/games/match/narration.ts';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readName } from '@maw/games/match/player-name.ts';
import { z } from 'zod';
import type { CliConfig } from '../config.ts';
import { createWebClient as doorAt, type WebClient, ApiError } from '../clients/web-client.ts';
import { connectToWeb, isSystemRunning, writeConnectionFile } from '../connect.ts';
import { type InProcessSystemOptions, startInProcessSystem } from '../in-process-system.ts';
import { chooseModels, type Models } from '../models.ts';
import { createPrompt } from './prompt.ts';
import { playSeat } from './seat.ts';
import { type Paint, createPaint, transcript } from '../transcript.ts';

export interface PlayOptions {
  readonly rules: string;
  readonly players?: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly seed?: string;
  readonly model?: string;
  readonly minds: readonly string[];
  readonly human?: string;
  /** The name of the recording that is made, or played again. */
  readonly record?: string;
  readonly replay?: string;
  readonly option: { readonly [name: string]: string };
  readonly json: boolean;
  readonly data: string;
  readonly at?: string;
  readonly token?: string;
  readonly table?: string;
}

interface Result {
  readonly winner: string;
  readonly winners: readonly string[];
  readonly points: { readonly [name: string]: number };
  readonly table: string;
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Plays one whole game: everything in this process, or at a door somewhere else. Returns the exit code. */
export async function play(options: PlayOptions, config: CliConfig, signal: AbortSignal): Promise<number> {
  if (options.human !== undefined) {
    if (options.json)
      throw new Error('--human and --json do not go together: a person types in a terminal; programs take a seat over HTTP (docs/http.md)');
    readName(options.human);
  }
  const aside = (text: string): void => void (options.json ? process.stderr : process.stdout).write(`${text}\n`);
  if (options.record !== undefined && options.replay !== undefined) throw new Error('--record and --replay do not go together');
  if (options.at !== undefined) {
    if (options.record !== undefined || options.replay !== undefined)
      throw new Error(
        '--record and --replay are for a game in this process; of a running system, the gateway is told by RECORD and RECORDING',
      );
    const { door } = await connectToWeb(
      { at: options.at, data: options.data, ...(options.token === undefined ? {} : { token: options.token }) },
      config,
    );
    return playAt(door, options, config, signal, aside, true);
  }
  const seed = options.seed === undefined ? undefined : hashOf(options.seed);
  const models = options.replay === undefined ? await chooseModels(config.ollamaHost, options.model, seed) : replayed(options.replay);
  aside(models.says);
  aside(
    `Everything runs in this one process: a bus in memory stands in for RabbitMQ, an embedded database (${options.data}) for PostgreSQL.`,
  );
  await mkdir(options.data, { recursive: true });
  const house = await startInProcessSystem({
    folder: join(options.data, 'tables'),
    port: 0,
    models,
    recording: recordingOf(options),
    maxWaitS: Math.min(10, options.seconds / 5),
    ...(options.human === undefined ? {} : { paceS: Math.min(8, options.seconds / 4) }), // people need time to read
    logLevel: 'error',
    otlp: config.otlp,
  });
  const note = { url: house.door.at, token: house.adminToken, gateway: house.gateway };
  let left: Awaited<ReturnType<typeof writeConnectionFile>> | undefined;
  try {
    if (!(await isSystemRunning(options.data))) left = await writeConnectionFile(options.data, note); // services that run here are found by theirs
    return await playAt(house.door, options, config, signal, aside, false);
  } finally {
    await left?.remove();
    await house.close();
  }
}

const replayed = (name: string): Models => ({
  url: undefined,
  model: undefined,
  sim: {},
  says: `No model plays: what models have said is played again from the recording ${name}.`,
});

function recordingOf({ record, replay }: PlayOptions): InProcessSystemOptions['recording'] {
  if (replay !== undefined) return { record: 'replay', recording: replay };
  return record === undefined ? undefined : { record: 'record', recording: record };
}

async function playAt(
  door: WebClient,
  options: PlayOptions,
  config: CliConfig,
  signal: AbortSignal,
  aside: (text: string) => void,
  isRemote: boolean,
): Promise<number> {
  const paint = createPaint(config.isColour && !options.json);
  const table = options.table ?? (await openOrFind(door, options, isRemote));
  aside(`Table ${table}${isRemote ? ` at ${door.at}` : ''}.`);
  if (options.human === undefined)
    await watchAll(door, table, options.json, paint, signal, options.at === undefined ? 'narrator' : undefined);
  else {
    const end = await sitDown(door, table, options.human, options, paint, signal, isRemote, aside);
    if (end === 'interrupted') return 130;
    if (end === 'left' && !signal.aborted) return 0;
  }
  if (signal.aborted) return 130;
  report(await resultOf(door, table), options.json, paint);
  return 0;
}

/** Opens a table; at a door elsewhere, a person first takes a free seat that is there. */
async function openOrFind(door: WebClient, options: PlayOptions, isRemote: boolean): Promise<string> {
  if (isRemote && options.human !== undefined) {
    const free = (await door.tables()).find(({ free: seats, stage }) => stage === 'lobby' && seats > 0);
    if (free) return free.table;
  }
  const rules = await door.rules(options.rules);
  const players = options.players ?? rules.players.usual;
  const times = Object.keys(rules.options).filter((name) => name.endsWith('Ms'));
  const seats = Array.from({ length: players }, (_, seat) => ({
    kind: seat === 0 && options.human !== undefined ? ('person' as const) : ('mind' as const),
    ...(options.minds.length ? { recipe: options.minds[seat % options.minds.length]! } : {}),
    ...(isRemote && options.model !== undefined ? { model: options.model } : {}),
  }));
  const opened = await door.open({
    rules: options.rules,
    players,
    seats,
    rounds: options.rounds,
    options: { ...Object.fromEntries(times.map((name) => [name, Math.round(options.seconds * 1000)])), ...options.option },
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    lobbyMs: 120_000,
    pauseMs: 3_000,
    spectators: 'narrator',
  });
  return opened.table;
}

async function watchAll(
  door: WebClient,
  table: string,
  isJson: boolean,
  paint: Paint,
  signal: AbortSignal,
  as: string | undefined,
): Promise<void> {
  const scribe = transcript(paint);
  for await (const news of door.follow(table, { ...(as === undefined ? {} : { as }), signal })) {
    if (news.kind !== 'seen') continue;
    const line = scribe.line(news.seen);
    if (isJson) say(JSON.stringify({ type: 'event', ...news.seen }));
    else if (line !== undefined) say(line);
  }
}

async function sitDown(
  door: WebClient,
  table: string,
  name: string,
  { data }: PlayOptions,
  paint: Paint,
  signal: AbortSignal,
  isRemote: boolean,
  aside: (text: string) => void,
): Promise<'over' | 'left' | 'interrupted'> {
  const kept = join(data, 'seats.json');
  const tokens = z
    .record(z.string(), z.string())
    .catch({})
    .parse(await readFile(kept, 'utf8').then(JSON.parse, () => ({})));
  const key = `${door.at} ${table} ${name}`;
  let token = tokens[key];
  let seat: number | undefined;
  if (token === undefined) {
    const joined = await door.join(table, name);
    token = joined.token;
    seat = joined.seat;
    await mkdir(data, { recursive: true });
    // At a table of one's own the door is gone with the game, and the token with it.
    if (isRemote) await writeFile(kept, `${JSON.stringify({ ...tokens, [key]: token }, undefined, 2)}\n`, { mode: 0o600 });
  }
  const own = doorAt(door.at, token);
  seat ??= (await own.table(table)).players.find((p) => p.name === name)?.seat ?? 0;
  await own.comeBack(table).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error; // it is ours already
  });
  const line = createPrompt(process.stdin, process.stdout, process.stdin.isTTY && process.stdout.isTTY);
  const stopped = new AbortController();
  line.onInterrupt(() => stopped.abort());
  try {
    line.show('Type /help for what you can do.');
    const end = await playSeat({
      door: own,
      table,
      seat,
      prompt: line,
      paint,
      mayLeave: isRemote,
      signal: AbortSignal.any([signal, stopped.signal]),
    });
    if (end === 'left') aside(`A mind plays your seat. Take it back with: ./maw play --at ${door.at} --table ${table} --human '${name}'`);
    return stopped.signal.aborted ? 'interrupted' : end;
  } finally {
    line.close();
  }
}

async function resultOf(door: WebClient, table: string): Promise<Result> {
  const { players, winners = [] } = await door.table(table);
  const names = players.map(({ name }, seat) => name ?? `Seat ${seat}`);
  let winner = 'draw';
  for await (const { event } of door.tape(table)) if (event.type === 'scored') winner = (event['outcome'] as { winner: string }).winner;
  return {
    winner,
    winners: winners.map((seat) => names[seat]!),
    points: Object.fromEntries(players.map(({ points }, seat) => [names[seat]!, points])),
    table,
  };
}

function report(result: Result, isJson: boolean, paint: Paint): void {
  if (isJson) return say(JSON.stringify({ type: 'result', ...result }));
  const board = Object.entries(result.points).toSorted(([, a], [, b]) => b - a);
  say(`\n${paint('bold', `${winnerPhrase(result.winner).replace(/^./, (letter) => letter.toUpperCase())}.`)}`);
  for (const [name, points] of board)
    say(`  ${String(points).padStart(3)}  ${name}${result.winners.includes(name) ? paint('yellow', '  *') : ''}`);
}

/** A number for seeds that want one, from a text. */
function hashOf(text: string): number {
  let h = 0x811c9dc5;
  for (const c of text) h = Math.imul(h ^ c.codePointAt(0)!, 0x01000193) >>> 0;
  return h;
}
