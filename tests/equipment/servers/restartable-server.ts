import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { broker } from '@maw/dev-servers/broker.ts';
import { readDevServersConfig } from '@maw/dev-servers/config.ts';
import { database } from '@maw/dev-servers/database.ts';
import type { ServerKind } from '@maw/dev-servers/server-kind.ts';
import { findPostgres, findRabbitmq } from '@maw/dev-servers/local/find-programs.ts';
import { type DevServer, errorMessage } from '@maw/dev-servers/strategy.ts';

/** A server of the storm's own, on data of its own, which it may end and start again. */
export interface RestartableServer {
  /** Where it listens, or did last; another port after each start. */
  url(): string;
  /** Ends it: asked to, or with SIGKILL. What it has written stays. */
  end(how: 'asked' | 'killed'): Promise<void>;
  /** Starts it again on what it had. */
  start(): Promise<void>;
  /** Ends it. Twice does no harm. */
  close(): Promise<void>;
}

/** Where the servers write the number of their process, under the folder of their data. */
const PID_FILES: Readonly<Record<string, string>> = { RabbitMQ: 'rabbitmq/pid', PostgreSQL: 'postgres-*/data/postmaster.pid' };

/** Why these servers cannot be started here; undefined when they can. Only what is installed here can be ended and started at will. */
export async function whyNoServers(): Promise<string | undefined> {
  const { path } = readDevServersConfig();
  try {
    await findRabbitmq(path);
    await findPostgres(path);
    return undefined;
  } catch (error) {
    return `the storm ends and starts a RabbitMQ and a PostgreSQL of its own: ${errorMessage(error)} on this machine; install both`;
  }
}

export const startBroker = (folder: string): Promise<RestartableServer> => startServer(broker, folder);
export const startDatabase = (folder: string): Promise<RestartableServer> => startServer(database, folder);

async function startServer(kind: ServerKind, folder: string): Promise<RestartableServer> {
  const config = readDevServersConfig();
  /** Where very much else starts and ends, a port may be taken, or a part of a server come too late for another: then once more. */
  async function open(tries = 3): Promise<DevServer> {
    try {
      return await kind.startInstalled(config, folder, () => undefined);
    } catch (error) {
      if (tries <= 1) throw error;
      return open(tries - 1);
    }
  }
  let found: DevServer | undefined = await open();
  let { url } = found;
  let starting: Promise<void> | undefined;

  async function close(): Promise<void> {
    await starting?.catch(() => undefined); // what is only coming must not be left behind
    const last = found;
    found = undefined;
    await last?.close();
  }
  async function start(): Promise<void> {
    found ??= await open();
    ({ url } = found);
  }
  return {
    url: () => url,
    async end(how) {
      if (how === 'killed') process.kill(await processOf(kind.name, folder), 'SIGKILL');
      await close();
    },
    start: () => (starting = start()),
    close,
  };
}

async function processOf(name: string, folder: string): Promise<number> {
  const [file] = globSync(join(folder, PID_FILES[name]!));
  const pid = file === undefined ? Number.NaN : Number((await readFile(file, 'utf8')).split('\n')[0]);
  if (!Number.isSafeInteger(pid) || pid < 2) throw new Error(`${name} has written no number of its process under ${folder}`);
  return pid;
}
