import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@maw/cli/clients/http-request.ts';
import { createWebClient, type WebClient } from '@maw/cli/clients/web-client.ts';
import type { System } from '@maw/cli/up/system.ts';
import { quantileOf, sumOfHistograms } from '../histogram.ts';
import { type ProcessMetrics, readProcessMetrics } from './process-metrics.ts';
import { type Servers, serversUsed } from './server-usage.ts';

/** Every question of this game is asked once, so that a game is the same work however long it lasts. */
export const RULES = 'werewolf-7';
export const PLAYERS = 7;

export interface Load {
  /** The most tables at once, and the games in all. */
  readonly atOnce: number;
  readonly games: number;
  /** The length of a step of the night: nothing else waits. */
  readonly stepMs: number;
  /** The shortest time between the openings of two tables. */
  readonly apartMs: number;
}

/** The cost of a load. */
export interface Cost {
  readonly tables: readonly string[];
  readonly seconds: number;
  /** The most tables at once. */
  readonly peak: number;
  /** How often the gamemasters had no room for one more. */
  readonly limited: number;
  /** Processor time of all services, in seconds. */
  readonly cpu: number;
  readonly messages: number;
  /** Acts that were accepted, appends to tapes, and those of them that conflicted with another replica's. */
  readonly acted: number;
  readonly appends: number;
  readonly conflicts: number;
  readonly acts: Waits;
  readonly lines: Waits;
  readonly parts: readonly Part[];
  /** Undefined where the processes of the server cannot be seen. */
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
  /** Its share of the work of all replicas: acts of gamemasters, messages of others. NaN: there was none. */
  readonly share: number;
  readonly cpu: number;
  /** Statements of the database. */
  readonly statements: number;
  readonly restMiB: number;
  readonly mostMiB: number;
}

/** Without an ended table for this long, something is wrong: the longest game has thirty nights of six steps. */
const stuckMs = (stepMs: number): number => 300_000 + 200 * stepMs;
const LOOK_MS = 500;
/** Long, because speeches and votes do not wait for their end: nobody misses a turn under load. */
const TURN_MS = 300_000;
const LOBBY_MS = 300_000;
const OPENED_TOGETHER = 20;
const RETRY_MS = 2_000;
const ROOM_MS = RETRY_MS / 100;
const RETRIED: ReadonlySet<string> = new Set(['limited', 'late']);

/** Plays the games of a load and resolves once all are over. @throws Error when none ends for very long */
export async function playLoad(system: System, load: Load, signal: AbortSignal): Promise<Cost> {
  const usage = new UsageWatch(system, await readUsage(system));
  const opener = new TableOpener(system, load, signal);
  const start = performance.now();
  let [peak, endedAt] = [0, start];
  const opening = opener.run();
  opening.catch(() => undefined); // awaited below
  while (!signal.aborted && opener.closed < load.games) {
    await sleep(LOOK_MS);
    await usage.update();
    const closed = usage.grown('closed');
    if (closed > opener.closed) endedAt = performance.now();
    opener.closed = closed;
    peak = Math.max(peak, opener.tables.length - closed);
    if (opener.error !== undefined) throw opener.error as Error;
    if (performance.now() - endedAt > stuckMs(load.stepMs))
      throw new Error(
        `${load.games - closed} of ${load.games} tables have not ended, and none has for ${Math.round(stuckMs(load.stepMs) / 60_000)} minutes`,
      );
  }
  await opening;
  return { tables: opener.tables, seconds: (performance.now() - start) / 1000, peak, limited: opener.limited, ...usage.cost() };
}

/** Opens tables one after another, each as soon as there is room and its time has come. */
class TableOpener {
  readonly tables: string[] = [];
  /** Games that are over; set from outside. */
  closed = 0;
  /** How often the gamemasters had no room. */
  limited = 0;
  error: unknown;
  readonly #system: System;
  readonly #load: Load;
  readonly #signal: AbortSignal;

  constructor(system: System, load: Load, signal: AbortSignal) {
    this.#system = system;
    this.#load = load;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    const { games, atOnce, apartMs } = this.#load;
    const client = createWebClient(this.#system.url, this.#system.adminToken);
    const opening = new Set<Promise<void>>();
    for (let asked = 0; asked < games && !this.#signal.aborted && this.error === undefined;) {
      if (asked - this.closed >= atOnce || opening.size >= OPENED_TOGETHER) {
        await sleep(ROOM_MS);
        continue;
      }
      const one: Promise<void> = this.#open(client, asked++)
        .catch((error: unknown) => void (this.error ??= error))
        .finally(() => opening.delete(one));
      opening.add(one);
      await sleep(apartMs);
    }
    await Promise.all(opening);
    if (this.error !== undefined) throw this.error as Error;
  }

  async #open(client: WebClient, n: number): Promise<void> {
    const terms = {
      rules: RULES,
      players: PLAYERS,
      seats: Array.from({ length: PLAYERS }, () => ({ kind: 'mind' as const, recipe: 'rules' })),
      rounds: 1,
      options: { nightMs: this.#load.stepMs, turnMs: TURN_MS, voteMs: TURN_MS },
      seed: `scale ${n}`, // the same games at every level
      lobbyMs: LOBBY_MS,
    };
    let key = randomUUID();
    while (!this.#signal.aborted)
      try {
        return void this.tables.push((await client.open(terms, key)).table);
      } catch (error) {
        if (!(error instanceof ApiError) || !RETRIED.has(error.reason)) throw error;
        if (error.reason === 'limited') {
          this.limited++;
          key = randomUUID(); // after `late` the table may exist: the same key asks for it again
        }
        await sleep(RETRY_MS);
      }
  }
}

interface Usage {
  readonly processes: readonly ProcessMetrics[];
  readonly servers: Servers;
}

async function readUsage(system: System): Promise<Usage> {
  const [processes, servers] = await Promise.all([readProcessMetrics(system), serversUsed()]);
  return { processes, servers };
}

/** What processes and servers have used since the start, and their largest memory. */
class UsageWatch {
  readonly #system: System;
  readonly #before: Usage;
  #now: Usage;
  readonly #most: Map<string, number>;

  constructor(system: System, before: Usage) {
    this.#system = system;
    this.#before = before;
    this.#now = before;
    this.#most = new Map();
    this.#noteMemory();
  }

  async update(): Promise<void> {
    this.#now = await readUsage(this.#system);
    this.#noteMemory();
  }

  grown(what: 'closed' | 'cpu' | 'sent' | 'acts' | 'appends' | 'conflicts'): number {
    const before = this.#before.processes;
    return this.#now.processes.reduce((sum, one) => sum + one[what] - metricsOf(before, one)[what], 0);
  }

  cost(): Omit<Cost, 'tables' | 'seconds' | 'peak' | 'limited'> {
    const [before, now] = [this.#before.processes, this.#now.processes];
    return {
      cpu: this.grown('cpu'),
      messages: this.grown('sent'),
      acted: this.grown('acts'),
      appends: this.grown('appends'),
      conflicts: this.grown('conflicts'),
      acts: waits(before, now, 'acted'),
      lines: waits(before, now, 'spoken'),
      parts: partsOf(before, now, this.#most),
      broker: this.#server('broker'),
      database: this.#server('database'),
    };
  }

  #noteMemory(): void {
    const { processes, servers } = this.#now;
    for (const { name, memory } of processes) this.#note(name, memory);
    for (const name of ['broker', 'database'] as const) this.#note(name, servers[name]?.memory ?? 0);
  }

  #note(name: string, memory: number): void {
    this.#most.set(name, Math.max(this.#most.get(name) ?? 0, memory));
  }

  #server(name: 'broker' | 'database'): Cost['broker'] {
    const [before, now] = [this.#before.servers[name], this.#now.servers[name]];
    return before && now && { cpu: now.cpu - before.cpu, restMiB: before.memory, mostMiB: this.#most.get(name)! };
  }
}

function partsOf(before: readonly ProcessMetrics[], now: readonly ProcessMetrics[], most: ReadonlyMap<string, number>): readonly Part[] {
  return now.map((one) => {
    const service = serviceOf(one.name);
    const what = service === 'gamemaster' ? 'acts' : 'taken';
    const done = (each: ProcessMetrics): number => each[what] - metricsOf(before, each)[what];
    const all = now.filter((each) => isOf(each, service)).reduce((sum, each) => sum + done(each), 0);
    return {
      name: one.name,
      share: all ? done(one) / all : Number.NaN,
      cpu: one.cpu - metricsOf(before, one).cpu,
      statements: one.statements - metricsOf(before, one).statements,
      restMiB: metricsOf(before, one).memory,
      mostMiB: most.get(one.name)!,
    };
  });
}

function waits(before: readonly ProcessMetrics[], now: readonly ProcessMetrics[], what: 'acted' | 'spoken'): Waits {
  const between = sumOfHistograms([...now.map((one) => [one[what], 1] as const), ...before.map((one) => [one[what], -1] as const)]);
  return { p50: quantileOf(between, 0.5), p99: quantileOf(between, 0.99) };
}

/** The service of a replica: `gamemaster-2` is one of `gamemaster`. */
export const serviceOf = (name: string): string => name.replace(/-\d+$/, '');

const isOf = ({ name }: ProcessMetrics, service: string): boolean => name === service || new RegExp(`^${service}-\\d+$`).test(name);
const metricsOf = (all: readonly ProcessMetrics[], { name }: ProcessMetrics): ProcessMetrics => all.find((one) => one.name === name)!;
