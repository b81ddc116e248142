import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pollUntil } from '@maw/async/poll-until.ts';
import { postgresStore } from '@maw/store/postgres.ts';
import type { Store } from '@maw/store/store.ts';
import { type RequestRecorder, requestRecorder } from './audit/request-recorder.ts';
import { type TableDriver, tableDriver } from './table-driver.ts';
import { type RestartableServer, startBroker, startDatabase } from '../servers/restartable-server.ts';
import { startSupervisedSystem, type SupervisedSystem } from './supervised-system.ts';
import { startFaultProxy } from './network/fault-proxy.ts';
import { type FaultLog, createFaultLog } from './fault-log.ts';

export interface StageOptions {
  readonly seed: string;
  /** Processes of each service. */
  readonly replicas: number;
  /** The environment of all processes. */
  readonly base: { readonly [name: string]: string | undefined };
  readonly signal: AbortSignal;
  /** Reports progress. */
  say(line: string): void;
  /** Called for each line that a process writes. */
  log?(process: string, line: string): void;
}

/** The longest start of all processes. */
const READY_MS = 600_000;
const LOOK_MS = 250;

/** A running system with private servers, and what observes it. */
export interface Stage {
  readonly system: SupervisedSystem;
  readonly broker: RestartableServer;
  readonly database: RestartableServer;
  readonly store: Store;
  readonly recorder: RequestRecorder;
  readonly faultLog: FaultLog;
  readonly driver: TableDriver;
}

/**
 * Starts private servers, services and model servers, and waits until all are ready. What has started is in `closing` at once, so that a
 * failure closes it.
 * @throws the reason of the abort; Error when something could not be started
 */
export async function setStage(options: StageOptions, closing: (() => Promise<unknown>)[]): Promise<Stage> {
  const { seed, replicas, base, signal, say, log } = options;
  const closed = <T extends { close(): Promise<void> }>(part: T): T => {
    closing.push(() => part.close());
    return part;
  };
  const folder = await mkdtemp(join(tmpdir(), 'maw-chaos-'));
  closing.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  await chmod(folder, 0o755); // the servers run as other users
  say('starting a broker and a database');
  const starting = [startBroker(folder).then(closed), startDatabase(folder).then(closed)] as const;
  await Promise.allSettled(starting);
  const [broker, database] = await Promise.all(starting);
  signal.throwIfAborted();

  const recorder = requestRecorder(Date.now);
  const known: { faultLog?: FaultLog } = {};
  const onLine = (process: string, line: string): void => {
    known.faultLog?.onLine(process, line);
    log?.(process, line);
  };
  const storeProxy = closed(await startFaultProxy(database.url()));
  const system = closed(await startSupervisedSystem({ broker, database, replicas, recorder, base, storeProxy, say: onLine }));
  const faultLog = createFaultLog({ system, broker, database }, say);
  known.faultLog = faultLog;
  const at = new URL(database.url());
  at.port = `${storeProxy.port}`;
  const store = closed(await postgresStore({ url: at.href, poolSize: 4, service: 'chaos' }));
  await pollUntil('the services are ready (otherwise see their log)', () => system.isReady(), {
    timeoutMs: READY_MS,
    everyMs: LOOK_MS,
    signal,
  });
  say(`${system.processes.size} processes are ready`);
  const driver = tableDriver({ system, store, seed, signal });
  return { system, broker, database, store, recorder, faultLog, driver };
}
