import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { whenAborted } from '@maw/async/abort.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import { readMinds } from '../minds/own-recipes.ts';
import { say, sayColumns } from '../output.ts';
import { type AgentReport, createAgent } from './agent.ts';
import type { Division } from './answer-text.ts';
import { type Connection, openConnection, serverAddress } from './connection.ts';

interface JoinOptions {
  readonly mind: string;
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
  readonly options: JoinOptions;
  readonly signal: AbortSignal;
  readonly report: (name: string, report: AgentReport) => void;
}

/** Between two attempts to connect. */
const RETRY_MS = 3000;

const aside = (text: string): void => void process.stderr.write(`${text}\n`);

/**
 * `maw aiwolf join`: our minds in a published AIWolf server. In the protocol division until the server has played its set, in the
 * natural-language division game after game, until --games or an interrupt.
 * @returns the exit code: 130 when it was interrupted
 * @throws Error for an address or a recipe that does not do, a packet that cannot be read, or a server that hangs up in mid-game
 */
export async function joinServer(address: string, options: JoinOptions, signal: AbortSignal): Promise<number> {
  const url = serverAddress(address);
  const division = url.protocol === 'tcp:' ? 'protocol' : 'natural';
  if (division === 'natural' && /\d$/.test(options.team))
    throw new Error(`--team ${options.team}: a team of the natural-language division ends in no digit, since each seat adds its number`);
  if (division === 'protocol' && options.games !== undefined)
    throw new Error(
      '--games is for the natural-language division: in the protocol division the server ends the set, and who leaves before ends it for all',
    );
  const score = createScore(options.json);
  const stop = new AbortController();
  const joining: Joining = {
    url,
    division,
    recipe: recipeOf(options.mind),
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
  }
  return signal.aborted ? 130 : 0;
}

/** @throws Error for a recipe that does not exist, or needs a model */
function recipeOf(mind: string): Recipe {
  const { recipes, seats } = readMinds([mind]);
  const [{ recipe: name, parameters }] = seats as [(typeof seats)[number]];
  const recipe = findRecipe(name, recipes, parameters);
  if (!recipe.usesModel) return recipe;
  const others = recipes.flatMap((each) => (each.usesModel ? [] : [each.name]));
  throw new Error(`${name} needs a model, which may think longer than a published server waits; without a model play ${others.join(', ')}`);
}

/** Plays one seat, over as many connections as it takes. */
async function playSeat(joining: Joining, name: string): Promise<void> {
  const { division, options, signal } = joining;
  for (let games = 0; !signal.aborted;) {
    const played = await playConnection(joining, name);
    games += played;
    if (division === 'protocol' || (options.games !== undefined && games >= options.games)) return;
    if (played || signal.aborted) continue;
    aside(`${name}: the server hung up before a game began; trying again every ${RETRY_MS / 1000} s, Ctrl-C stops`);
    await pause(signal);
  }
}

/** Plays until the server closes the connection. @returns how many games ended */
async function playConnection({ url, division, recipe, signal, report }: Joining, name: string): Promise<number> {
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  let games = 0;
  let received = 0;
  let failure: Error | undefined;
  const agent = createAgent({
    division,
    name,
    recipe,
    seed: randomUUID(),
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
  if (!connection) return 0;
  for (const text of early) void take(text);
  await Promise.race([closed, whenAborted(signal)]);
  connection.close();
  if (failure) throw failure;
  if (!signal.aborted && agent.isPlaying()) throw new Error(`seat ${name}: the server hung up in the middle of game ${games + 1}`);
  return games;
}

/** Connects as soon as the server is there; undefined when it is interrupted. */
async function connected(
  open: () => Promise<Connection>,
  { url, name, signal }: { readonly url: URL; readonly name: string; readonly signal: AbortSignal },
): Promise<Connection | undefined> {
  for (let isTold = false; !signal.aborted; isTold = true) {
    try {
      return await open();
    } catch (error) {
      const { code, message } = error as Error & { readonly code?: string };
      if (!isTold)
        aside(`${name}: ${url.host} cannot be reached (${code ?? message}); trying again every ${RETRY_MS / 1000} s, Ctrl-C stops`);
    }
    await pause(signal);
  }
  return undefined;
}

/** Ends early when it is interrupted. */
const pause = (signal: AbortSignal): Promise<void> => sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);

/** Prints what happens to the seats, and at the end how often each has won. */
function createScore(isJson: boolean) {
  const wins = new Map<string, { readonly name: string; readonly role: string; games: number; won: number }>();
  const line = (name: string, report: AgentReport): string => {
    switch (report.type) {
      case 'began':
        return `${name}: a game of ${report.players} begins; ${report.as} is ${report.role}, with ${report.limitMs} ms for an answer`;
      case 'ended': {
        const winner = report.winner === 'draw' ? 'nobody wins' : `the ${report.winner === 'village' ? 'village wins' : 'werewolves win'}`;
        return `${name}: ${winner}; ${report.hasWon ? 'won' : 'lost'} as ${report.role}, ${report.isAlive ? 'alive' : 'dead'} on day ${report.day}`;
      }
      case 'late':
        return `${name}: no answer to ${report.request}: it took ${report.ms} ms`;
      case 'failed':
        return `${name}: ${report.error}; a legal answer is given instead`;
    }
  };
  return {
    take(name: string, report: AgentReport): void {
      (isJson || report.type !== 'ended' ? aside : say)(line(name, report));
      if (isJson) say(JSON.stringify({ name, ...report }));
      if (report.type !== 'ended') return;
      const key = `${name} ${report.role}`;
      const row = wins.get(key) ?? { name, role: report.role, games: 0, won: 0 };
      wins.set(key, row);
      row.games++;
      if (report.hasWon) row.won++;
    },
    print(): void {
      if (isJson || !wins.size) return;
      say('');
      const rows = [...wins.values()].toSorted((a, b) => (a.name + a.role < b.name + b.role ? -1 : 1));
      sayColumns([['seat', 'role', 'games', 'won'], ...rows.map(({ name, role, games, won }) => [name, role, String(games), String(won)])]);
    },
  };
}
