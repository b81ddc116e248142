import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FolderInUse } from '@maw/store/driver/folder-lock.ts';
import { isSystemRunning, readConnectionFile } from './clients/connection-file.ts';
import { createWebClient, type WebClient } from './clients/web-client.ts';
import type { CliConfig } from './config.ts';
import { startInProcessSystem } from './in-process-system.ts';

export interface ConnectOptions {
  readonly at?: string;
  readonly token?: string;
  readonly data: string;
  /** Whether contests are asked for. */
  readonly contests?: boolean;
}

interface Connected {
  readonly web: WebClient;
  /** Whether it was started only to read what is in the folder: nothing is played. */
  readonly isReader: boolean;
  close(): Promise<void>;
}

/** How long a process that has the folder may take to start or to end, in milliseconds. */
const STARTING_MS = 15_000;
const RETRY_MS = 250;

/**
 * Connects to a web service: the one that is named, the one that runs from this folder, or one started in this process to read the tables in the
 * folder.
 * @throws Error when there is none, and no table either
 */
export async function connectToWeb(options: ConnectOptions, config: CliConfig): Promise<Connected> {
  const giveUpAt = Date.now() + STARTING_MS;
  for (;;) {
    try {
      return await connectOnce(options, config);
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error;
      if (Date.now() > giveUpAt)
        throw new Error(
          `process ${error.pid ?? '?'} uses ${options.data} and does not answer: it is starting, stopping or stuck; try again later`,
          {
            cause: error,
          },
        );
      await sleep(RETRY_MS);
    }
  }
}

/** @throws FolderInUse while another process starts or ends in the folder */
async function connectOnce(options: ConnectOptions, config: CliConfig): Promise<Connected> {
  const remote = { isReader: false, close: async () => {} };
  const at = options.at ?? config.at;
  const running = await readConnectionFile(options.data);
  const ownToken = at === undefined || at.replace(/\/+$/, '') === running?.url ? running?.token : undefined;
  const token = options.token ?? config.token ?? ownToken;
  if (at !== undefined) return { web: createWebClient(at, token), ...remote };
  if (running && (await isSystemRunning(options.data))) return { web: createWebClient(running.url, token), ...remote };
  const folder = join(options.data, 'tables');
  if (!existsSync(folder))
    throw new Error(
      `no system runs from ${options.data}, and it has no tables; play with ./maw play, start services with ./maw up, or name a system with --at URL`,
    );
  const system = await startInProcessSystem({
    folder,
    port: 0,
    models: undefined,
    contests: options.contests ? 'read' : undefined,
    maxWaitMs: 10_000,
    logLevel: 'error',
  });
  return { ...system, isReader: true };
}

/** Connects, and closes the connection once the work is done. Returns its result. @param work gets `isReader` of `Connected`, too */
export async function withWeb<T>(
  options: ConnectOptions,
  config: CliConfig,
  work: (web: WebClient, isReader: boolean) => Promise<T>,
): Promise<T> {
  const { web, isReader, close } = await connectToWeb(options, config);
  try {
    return await work(web, isReader);
  } finally {
    await close();
  }
}
