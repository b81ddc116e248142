import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { postgresStore } from '@maw/store/postgres.ts';
import type { Store } from '@maw/store/store.ts';
import type { Findings } from './audit/table-audits.ts';
import { answeredOrLate, noneDiedAlone, onlyPlantedDead, queuesEmpty } from './audit/system-audits.ts';
import { type TableAuditor, tableAuditor } from './audit/table-auditor.ts';
import { type RequestRecorder, requestRecorder as newChronicle } from './audit/request-recorder.ts';
import { deadLetters, plantUnreadable, queueLengths, unrouted } from './audit/evidence.ts';
import { type TableDriver, tableDriver } from './table-driver.ts';
import { slotsLost } from './audit/slot-probe.ts';
import type { Report } from './report.ts';
import { type Fault, type Plan, scheduleOf } from './fault-schedule.ts';
import { type RestartableServer, startBroker, startDatabase } from '../servers/restartable-server.ts';
import { MODELS, startSupervisedSystem, SLOTS, type SupervisedSystem } from './supervised-system.ts';
import { startFaultProxy } from './network/fault-proxy.ts';
import { type FaultLog, faultLog } from './fault-log.ts';

export interface ChaosOptions extends Omit<Plan, 'processes' | 'ways'> {
  readonly seed: string;
  /** How many tables are played at once. */
  readonly tables: number;
  /** Whether a table that is over is replaced by another while the storm lasts. */
  readonly isOngoing: boolean;
  /** How many processes of each service there are. */
  readonly replicas: number;
  /** The environment that all processes start from. */
  readonly base: { readonly [name: string]: string | undefined };
  readonly signal: AbortSignal;
  /** Hears how it goes. */
  say(line: string): void;
  /** Hears what the processes write. */
  log?(process: string, line: string): void;
}

/** How long everybody may take to be ready, in milliseconds. */
const READY_MS = 240_000;
/** How long tables may take to end once nothing goes wrong any more. */
const ENDING_MS = 600_000;
/** How long what is on its way may take to arrive: the longest wait before another try is a minute. */
const QUIET_MS = 150_000;
/** How long a table that is over may take to look as it should. */
const SETTLE_MS = 20_000;
const PROGRESS_MS = 5_000;
/** Between two tables that are opened one after another at the beginning. */
const APART_MS = 150;
/** In a long storm a table is audited, and what is known of it forgotten, so long after it was over. */
const FORGET_MS = 120_000;

interface Stage {
  readonly town: SupervisedSystem;
  readonly broker: RestartableServer;
  readonly store: Store;
  readonly chronicle: RequestRecorder;
  readonly weather: FaultLog;
  readonly hall: TableDriver;
  readonly books: TableAuditor;
}

/**
 * Plays tables while things go wrong, then lets everything come to rest and audits what is left. Starts servers, services and model servers of
 * its own and ends them all, whatever happens.
 * @throws whatever `signal` was aborted with; Error when something that is needed could not be started
 */
export async function runChaosExperiment(options: ChaosOptions): Promise<Report> {
  const began = performance.now();
  const { signal, say, seed } = options;
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const stage = await setUp(options, closing);
    const { town, broker, chronicle, weather, hall, books } = stage;
    const planted = await plantUnreadable(broker.url(), seed);
    await play(options, stage);
    say('waiting until nothing is on its way');
    await quiet(broker.url(), signal);
    say('auditing');
    await books.settle(await books.unsettled(), SETTLE_MS, signal);
    const whole: Record<string, Findings> = {
      'tables could be opened': hall.unopened,
      'requests about no table are answered or late': answeredOrLate(chronicle.of('-'), weather.troubles),
      'nobody died unasked': noneDiedAlone(weather.deaths),
      'no slot is lost': await slotsLost(broker.url(), { servers: MODELS, slots: SLOTS }),
      'the dead letters are those planted': onlyPlantedDead(await deadLetters(broker.url(), planted), planted),
    };
    await town.close(); // what somebody still has in hand goes back to its queue
    whole['queues are empty'] = queuesEmpty([...(await queueLengths(broker.url())), ...(await unrouted(broker.url()))]);
    const found = books.report();
    const ms = performance.now() - began;
    return { ...found, audits: { ...found.audits, ...whole }, seed, letters: chronicle.letters(), faults: weather.counts(), ms };
  } finally {
    for (const close of closing.toReversed()) await close().catch((error: Error) => say(`could not be ended: ${error.message}`));
  }
}

/** Starts everything. What is started is put into `closing` at once, so that it is ended also when the rest fails. */
async function setUp({ seed, replicas, base, signal, say, log }: ChaosOptions, closing: (() => Promise<unknown>)[]): Promise<Stage> {
  const closed = <T extends { close(): Promise<void> }>(part: T): T => {
    closing.push(() => part.close());
    return part;
  };
  const folder = await mkdtemp(join(tmpdir(), 'maw-storm-'));
  closing.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  await chmod(folder, 0o755); // the servers run as users of their own
  say('starting a broker and a database');
  const starting = [startBroker(folder).then(closed), startDatabase(folder).then(closed)] as const;
  await Promise.allSettled(starting);
  const [broker, database] = await Promise.all(starting);
  signal.throwIfAborted();

  const chronicle = newChronicle(Date.now);
  const hear: { weather?: FaultLog } = {};
  const heard = (process: string, line: string): void => {
    hear.weather?.heard(process, line);
    log?.(process, line);
  };
  const ears = closed(await startFaultProxy(database.url())); // our own way to the database
  const town = closed(await startSupervisedSystem({ broker, database, replicas, chronicle, base, ours: ears, say: heard }));
  const weather = faultLog({ town, broker, database }, say);
  hear.weather = weather;
  const at = new URL(database.url());
  at.port = `${ears.port}`;
  const store = closed(await postgresStore({ url: at.href, poolSize: 4, service: 'storm' }));
  await until(() => town.isReady(), READY_MS, signal, 'the services did not become ready; their log says why');
  say(`${town.processes.size} processes are ready`);
  const hall = tableDriver({ town, store, seed, signal });
  return { town, broker, store, chronicle, weather, hall, books: tableAuditor({ store, chronicle, hall, weather }) };
}

/** Plays and blows until the time is over, then plays on until all tables are over. */
async function play(options: ChaosOptions, { town, chronicle, weather, hall, books }: Stage): Promise<void> {
  const { signal, say, seed, tables, isOngoing, ms } = options;
  const plan = { ...options, processes: named(town.processes), ways: named(town.ways) };
  const faults: readonly Fault[] = scheduleOf(seed, plan);
  const began = Date.now();
  let next = 0;
  const seconds = (): string => `${((Date.now() - began) / 1_000).toFixed(0)} s`;
  const over: { readonly table: string; readonly at: number }[] = [];

  async function seat(first: number): Promise<void> {
    await after(first * APART_MS, undefined, { signal });
    do {
      const table = await hall.play(next++);
      if (table !== undefined) over.push({ table, at: Date.now() });
    } while (isOngoing && Date.now() - began < ms && !signal.aborted);
  }

  /** A long storm cannot keep everything in mind. */
  async function forget(): Promise<void> {
    while (over[0] && over[0].at < Date.now() - FORGET_MS)
      await books.settle([over.shift()!.table], SETTLE_MS, signal).catch(() => undefined);
  }

  let forgetting = Promise.resolve();
  const progress = setInterval(() => {
    say(
      `${seconds()}: ${hall.playing()} tables are played, ${over.length + books.report().tables} are over; ${chronicle.letters()} messages`,
    );
    forgetting = forgetting.then(forget);
  }, PROGRESS_MS);
  try {
    const playing = Promise.all(Array.from({ length: tables }, (_, i) => seat(i)));
    playing.catch(() => undefined); // it is waited for below
    await weather.blow(faults, signal);
    say(`${seconds()}: nothing goes wrong any more`);
    const late = setTimeout(() => hall.empty(), ENDING_MS);
    await playing.finally(() => clearTimeout(late));
  } finally {
    clearInterval(progress);
    hall.empty();
    await forgetting;
  }
  signal.throwIfAborted();
}

/** Waits until no queue has anything, or for so long that it will always have. */
async function quiet(url: string, signal: AbortSignal): Promise<void> {
  const isEmpty = async () => !queuesEmpty(await queueLengths(url)).length;
  await until(isEmpty, QUIET_MS, signal, 'it is not empty').catch(() => signal.throwIfAborted());
}

async function until(fact: () => Promise<boolean>, ms: number, signal: AbortSignal, otherwise: string): Promise<void> {
  for (const deadline = Date.now() + ms; !(await fact()); await after(250, undefined, { signal }))
    if (Date.now() > deadline) throw new Error(otherwise);
}

const named = (some: ReadonlyMap<string, unknown>): readonly [string, ...string[]] => [...some.keys()] as [string, ...string[]];
