import { setTimeout as sleep } from 'node:timers/promises';
import { pollUntil } from '@maw/async/poll-until.ts';
import type { System } from '@maw/cli/up/system.ts';
import { quantileOf, sumOfHistograms } from '../histogram.ts';
import { type ProcessMetrics, readProcessMetrics } from './process-metrics.ts';
import { type Servers, serversUsed } from './server-usage.ts';
import { type Load, TableOpener } from './table-opener.ts';

/** The cost of a load. */
export interface Cost {
  readonly tables: readonly string[];
  /** Why it ended before all its games were over: an answer came too late, or its time was up. Undefined: all are over. */
  readonly ended: 'late' | 'time' | undefined;
  /** Games that are over. */
  readonly over: number;
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
/** Seldom, because each look renders all metrics of every process; Prometheus looks every 15 s. */
const LOOK_MS = 2_000;
const SAY_MS = 15_000;
const ABORTED_MS = 300_000;

/** When a load is ended before its games are over, and who is told how far it is. */
export interface LoadOptions {
  /** Undefined: it has as long as it needs. */
  readonly limitMs?: number | undefined;
  /** End it as soon as an answer was refused because it came too late. */
  readonly stopsWhenLate?: boolean;
  say?(line: string): void;
}

/** Plays the games of a load and resolves once all are over, or it is ended early: then the others are aborted. @throws Error when none ends for very long */
export async function playLoad(system: System, load: Load, signal: AbortSignal, options: LoadOptions = {}): Promise<Cost> {
  const usage = new UsageWatch(system, await readUsage(system));
  const opener = new TableOpener(system, load, signal);
  const clock = new LoadClock(load, options);
  let peak = 0;
  const opening = opener.run();
  opening.catch(() => undefined); // awaited below
  while (!signal.aborted && opener.closed < load.games && clock.ended === undefined) {
    await sleep(LOOK_MS);
    await usage.update();
    opener.closed = usage.grown('closed');
    peak = Math.max(peak, opener.tables.length - opener.closed);
    if (opener.error !== undefined) throw opener.error as Error;
    clock.look(opener.closed, { open: opener.tables.length - opener.closed, late: usage.grown('late') });
  }
  const cost = { ended: clock.ended, over: opener.closed, seconds: clock.seconds(), peak, ...usage.cost() };
  opener.stop();
  await opening;
  if (cost.ended !== undefined && !signal.aborted) await abortRest(opener, usage);
  return { tables: opener.tables, limited: opener.limited, ...cost };
}

/** So that they do not disturb what is measured next. */
async function abortRest(opener: TableOpener, usage: UsageWatch): Promise<void> {
  await opener.abortTables('the level of the benchmark has ended');
  await pollUntil('all tables are over', async () => (await usage.update(), usage.grown('closed') >= opener.tables.length), {
    everyMs: LOOK_MS,
    timeoutMs: ABORTED_MS,
  });
}

/** Says how far a load is, and when it has to end. */
class LoadClock {
  ended: Cost['ended'];
  readonly #load: Load;
  readonly #options: LoadOptions;
  readonly #start = performance.now();
  #closed = 0;
  #closedAt = this.#start;
  #saidAt = this.#start;

  constructor(load: Load, options: LoadOptions) {
    this.#load = load;
    this.#options = options;
  }

  seconds(): number {
    return (performance.now() - this.#start) / 1_000;
  }

  /** @throws Error when no game has ended for very long */
  look(closed: number, { open, late }: { readonly open: number; readonly late: number }): void {
    const { games, stepMs } = this.#load;
    const { say, limitMs = Infinity, stopsWhenLate = false } = this.#options;
    const now = performance.now();
    if (closed > this.#closed) [this.#closed, this.#closedAt] = [closed, now];
    if (say && now - this.#saidAt >= SAY_MS) {
      this.#saidAt = now;
      say(`${this.seconds().toFixed(0)} s: ${closed} of ${games} games are over, ${open} are played`);
    }
    if (closed >= games) return;
    if (stopsWhenLate && late > 0) this.ended = 'late';
    else if (now - this.#start > limitMs) this.ended = 'time';
    else if (now - this.#closedAt > stuckMs(stepMs))
      throw new Error(
        `${games - closed} of ${games} tables have not ended, and none has for ${Math.round(stuckMs(stepMs) / 60_000)} minutes`,
      );
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

  grown(what: 'closed' | 'cpu' | 'sent' | 'acts' | 'appends' | 'conflicts' | 'late'): number {
    const before = this.#before.processes;
    return this.#now.processes.reduce((sum, one) => sum + one[what] - metricsOf(before, one)[what], 0);
  }

  cost(): Omit<Cost, 'tables' | 'ended' | 'over' | 'seconds' | 'peak' | 'limited'> {
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
