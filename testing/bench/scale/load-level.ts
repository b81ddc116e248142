import { randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { createWebClient, ApiError } from '@maw/cli/clients/web-client.ts';
import type { System } from '@maw/cli/up/system.ts';
import { quantileOf, sumOfHistograms } from '../histogram.ts';
import { type ProcessMetrics, readProcessMetrics } from './process-metrics.ts';
import { type Servers, serversUsed } from './server-usage.ts';

/** The seven-player game that the benches of many games play: every question is asked once, so that a game is as much work however long it lasts. */
export const RULES = 'werewolf-7';
export const PLAYERS = 7;

export interface Load {
  /** How many tables run at once, and how many are played in all. */
  readonly atOnce: number;
  readonly games: number;
  /** How long a step of the night lasts: nothing else takes time that is not work. */
  readonly stepMs: number;
  /** Tables are opened so far apart at least. */
  readonly apartMs: number;
}

/** What a load has cost. */
export interface Cost {
  readonly tables: readonly string[];
  readonly seconds: number;
  /** How many ran at once at the most. */
  readonly peak: number;
  /** How often the gamemasters said that there was too much for one more. */
  readonly limited: number;
  /** Processor time of all services, in seconds. */
  readonly cpu: number;
  readonly messages: number;
  readonly acts: Waits;
  readonly lines: Waits;
  readonly parts: readonly Part[];
  /** As those of a service, for the broker and the database; undefined where they cannot be seen. */
  readonly broker: Pick<Part, 'cpu' | 'restMiB' | 'mostMiB'> | undefined;
  readonly database: Pick<Part, 'cpu' | 'restMiB' | 'mostMiB'> | undefined;
}

/** In seconds; NaN when nothing was answered. */
export interface Waits {
  readonly p50: number;
  readonly p99: number;
}

export interface Part {
  readonly name: string;
  /** Its share of what all replicas of the service have done: acts of gamemasters, messages of others; NaN when they have done nothing. */
  readonly share: number;
  readonly cpu: number;
  readonly restMiB: number;
  readonly mostMiB: number;
}

/** How long no table may end before something is wrong: the longest game has thirty nights of six steps. */
const stuckMs = (stepMs: number): number => 300_000 + 200 * stepMs;
const LOOK_MS = 500;
/** Speeches and votes do not wait for their time to be over, so it may be long: whoever has much to do misses none. */
const TURN_MS = 300_000;
const LOBBY_MS = 300_000;

/** Plays so many games, never more at once than is said, and returns when all are over. @throws Error when none ends for very long */
export async function play(system: System, load: Load, signal: AbortSignal): Promise<Cost> {
  const { atOnce, games, stepMs, apartMs } = load;
  const [before, serversBefore] = await Promise.all([readProcessMetrics(system), serversUsed()]);
  const start = performance.now();
  const most = new Map(before.map(({ name, memory }) => [name, memory]));
  const mostOf = { broker: serversBefore.broker?.memory ?? 0, database: serversBefore.database?.memory ?? 0 };
  const tables: string[] = [];
  let [limited, asked, peak, closed, closedAt] = [0, 0, 0, 0, start];
  const opening = openWhenRoom();
  let failed: unknown;
  opening.catch((error: unknown) => (failed = error)); // it is awaited below, and thrown before
  let [now, servers]: [readonly ProcessMetrics[], Servers] = [before, serversBefore];
  while (!signal.aborted && closed < games) {
    await after(LOOK_MS);
    [now, servers] = await Promise.all([readProcessMetrics(system), serversUsed()]);
    for (const { name, memory } of now) most.set(name, Math.max(most.get(name)!, memory));
    for (const name of ['broker', 'database'] as const) mostOf[name] = Math.max(mostOf[name], servers[name]?.memory ?? 0);
    const ended = grown(before, now, 'closed');
    if (ended > closed) closedAt = performance.now();
    closed = ended;
    peak = Math.max(peak, tables.length - closed);
    if (performance.now() - closedAt > stuckMs(stepMs))
      throw new Error(
        `${games - closed} of ${games} tables have not ended, and none has for ${Math.round(stuckMs(stepMs) / 60_000)} minutes`,
      );
    if (failed !== undefined) throw failed as Error;
  }
  await opening;
  const server = (name: 'broker' | 'database') => {
    const [was, is] = [serversBefore[name], servers[name]];
    return was && is && { cpu: is.cpu - was.cpu, restMiB: was.memory, mostMiB: mostOf[name] };
  };
  return {
    tables,
    seconds: (performance.now() - start) / 1000,
    peak,
    limited,
    cpu: grown(before, now, 'cpu'),
    messages: grown(before, now, 'sent'),
    acts: waits(before, now, 'acted'),
    lines: waits(before, now, 'spoken'),
    parts: partsOf(before, now, most),
    broker: server('broker'),
    database: server('database'),
  };

  /** One after another, each as soon as there is room and its time has come. */
  async function openWhenRoom(): Promise<void> {
    const at = createWebClient(system.url, system.adminToken);
    const under = new Set<Promise<void>>();
    let refused: unknown;
    while (asked < games && !signal.aborted && refused === undefined) {
      if (asked - closed >= atOnce || under.size >= AT_ONCE) {
        await after(AGAIN_MS / 100);
        continue;
      }
      const one: Promise<void> = openOne(at, asked++)
        .catch((error: unknown) => void (refused ??= error))
        .finally(() => under.delete(one));
      under.add(one);
      await after(apartMs);
    }
    await Promise.all(under);
    if (refused !== undefined) throw refused as Error;
  }

  async function openOne(at: ReturnType<typeof createWebClient>, n: number): Promise<void> {
    let key = randomUUID();
    while (!signal.aborted) {
      try {
        const terms = {
          rules: RULES,
          players: PLAYERS,
          seats: Array.from({ length: PLAYERS }, () => ({ kind: 'mind' as const, recipe: 'rules' })),
          rounds: 1,
          options: { nightMs: stepMs, turnMs: TURN_MS, voteMs: TURN_MS },
          seed: `scale ${n}`, // at every level the same games
          lobbyMs: LOBBY_MS,
        };
        return void tables.push((await at.open(terms, key)).table);
      } catch (error) {
        if (!(error instanceof ApiError) || !AGAIN.has(error.reason)) throw error;
        if (error.reason === 'limited') {
          limited++;
          key = randomUUID(); // after `late` it may be that there is a table already: the same key asks for that one
        }
        await after(AGAIN_MS);
      }
    }
  }
}

/** How many are opened at once, and how long one waits when there is no room. */
const AT_ONCE = 20;
const AGAIN_MS = 2_000;
const AGAIN: ReadonlySet<string> = new Set(['limited', 'late']);

function partsOf(before: readonly ProcessMetrics[], now: readonly ProcessMetrics[], most: ReadonlyMap<string, number>): readonly Part[] {
  return now.map((one) => {
    const service = one.name.replace(/-\d+$/, '');
    const what = service === 'gamemaster' ? 'acts' : 'taken';
    const done = (each: ProcessMetrics): number => each[what] - reading(before, each)[what];
    const all = now.filter((each) => isOf(each, service)).reduce((sum, each) => sum + done(each), 0);
    return {
      name: one.name,
      share: all ? done(one) / all : Number.NaN,
      cpu: one.cpu - reading(before, one).cpu,
      restMiB: reading(before, one).memory,
      mostMiB: most.get(one.name)!,
    };
  });
}

function waits(before: readonly ProcessMetrics[], now: readonly ProcessMetrics[], what: 'acted' | 'spoken'): Waits {
  const between = sumOfHistograms([...now.map((one) => [one[what], 1] as const), ...before.map((one) => [one[what], -1] as const)]);
  return { p50: quantileOf(between, 0.5), p99: quantileOf(between, 0.99) };
}

const isOf = ({ name }: ProcessMetrics, service: string): boolean => name === service || new RegExp(`^${service}-\\d+$`).test(name);
const reading = (all: readonly ProcessMetrics[], { name }: ProcessMetrics): ProcessMetrics => all.find((one) => one.name === name)!;
const grown = (before: readonly ProcessMetrics[], now: readonly ProcessMetrics[], what: 'closed' | 'cpu' | 'sent'): number =>
  now.reduce((sum, one) => sum + one[what] - reading(before, one)[what], 0);
