import { setTimeout as after } from 'node:timers/promises';
import type { ThoughtDecision, ThoughtStep } from '@maw/lab/thoughts/recorded-thoughts.ts';
import type { SeenEvent } from '@maw/cli/clients/table-stream.ts';
import { startInProcessSystem } from '@maw/cli/in-process-system.ts';
import { allDecisions } from '@maw/lab/thoughts/read-thoughts.ts';
import { serversIn } from '@maw/llm-gateway/discovery/find-models.ts';
import { readMinds } from '@maw/minds/own-recipes.ts';
import { freshSpeed, type RecordedChat, startRecordingProxy } from './recording-proxy.ts';

export interface GameToPlay {
  /** The address of the Ollama server. */
  readonly url: string;
  readonly model: string;
  readonly rules: string;
  /** A recipe as `maw play --minds` takes it, on every seat. */
  readonly mind: string;
  readonly seed: string;
  /** The length of every phase and turn. */
  readonly phaseSeconds: number;
  readonly maxDays: number;
  /** The game is aborted after that many seconds. */
  readonly limitSeconds: number;
  /** No request has a schema: the prompt alone says what is wanted. */
  readonly withoutFormat?: boolean;
}

/** A game as it was played, with everything that was recorded of it. */
export interface PlayedGame {
  readonly isOver: boolean;
  /** From the opening of the table. */
  readonly seconds: number;
  /** The text of the rules. */
  readonly rulesText: string;
  readonly tape: readonly SeenEvent[];
  readonly decisions: readonly { readonly decision: ThoughtDecision; readonly steps: readonly ThoughtStep[] }[];
  /** Since the table was opened. */
  readonly chats: readonly RecordedChat[];
  /** Before the table was opened. */
  readonly earlierChats: number;
  /** Tokens of a prompt that the engine reads in a second when it has kept nothing of it. */
  readonly freshTokensPerSecond: number;
}

/** The longest that the Lobby waits for names. */
const LOBBY_MS = 300_000;

/** Plays one game with a real model, by the product as `maw play` starts it. */
export async function playGame(game: GameToPlay, signal: AbortSignal): Promise<PlayedGame> {
  const { url, model, limitSeconds } = game;
  const { recipes } = readMinds([game.mind]);
  const proxy = await startRecordingProxy(url, game);
  try {
    const models = { servers: serversIn({ OLLAMA_HOST: proxy.url }), model, says: '' };
    const maxWaitMs = Math.min(10_000, game.phaseSeconds * 200);
    const { web, close } = await startInProcessSystem({ port: 0, models, recipes, maxWaitMs, logLevel: 'error' });
    try {
      const openedAt = Date.now();
      const table = await openTable(web, game);
      const isOver = await untilOver(web, table, signal, openedAt + limitSeconds * 1000);
      const seconds = (Date.now() - openedAt) / 1000;
      if (!isOver) await web.abort(table, 'the time of the measurement is over');
      const { text: rulesText = '' } = await web.rulesOf(table);
      const tape = await collect(web.tape(table, 'narrator'));
      const decisions = [];
      for await (const { decision, steps } of allDecisions(web, table)) decisions.push({ decision, steps: await collect(steps) });
      const chats = proxy.chats.filter(({ at }) => at >= openedAt);
      const freshTokensPerSecond = await freshSpeed(url, model, chats.at(-1)?.numCtx);
      const earlierChats = proxy.chats.length - chats.length;
      return { isOver, seconds, rulesText, tape, decisions, chats, earlierChats, freshTokensPerSecond };
    } finally {
      await close();
    }
  } finally {
    await proxy.close();
  }
}

type Web = Awaited<ReturnType<typeof startInProcessSystem>>['web'];

/** As `maw play` opens one for machines. Where a rule set can hurry, it does. */
async function openTable(web: Web, { rules, mind, seed, phaseSeconds, maxDays }: GameToPlay): Promise<string> {
  const set = await web.rules(rules);
  const [seat] = readMinds([mind]).seats;
  const wanted = (name: string): number | boolean | undefined =>
    name.endsWith('Ms') ? phaseSeconds * 1000 : name === 'maxDays' ? maxDays : name === 'hurry' ? true : undefined;
  const options = Object.fromEntries(
    Object.keys(set.options).flatMap((name) => ((value) => (value === undefined ? [] : [[name, value] as const]))(wanted(name))),
  );
  const { usual } = set.players;
  const seats = Array.from({ length: usual }, () => ({ kind: 'mind' as const, ...seat! }));
  const terms = { rules, players: usual, seats, rounds: 1, options, seed, lobbyMs: LOBBY_MS, pauseMs: 1_000 };
  return (await web.open({ ...terms, spectators: 'narrator' })).table;
}

async function untilOver(web: Web, table: string, signal: AbortSignal, until: number): Promise<boolean> {
  while (!signal.aborted && Date.now() < until) {
    if ((await web.table(table)).stage === 'over') return true;
    await after(250);
  }
  return false;
}

async function collect<T>(values: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}
