import { pollUntil } from '@maw/async/poll-until.ts';
import type { WebClient } from '@maw/cli/clients/web-client.ts';
import { readCliConfig } from '@maw/cli/config.ts';
import { type DevServersOptions, startDevServers } from '@maw/dev-servers/dev-servers.ts';
import { startSystem, type System, type SystemOptions } from '@maw/cli/up/system.ts';

export const SERVICES = ['gamemaster', 'chatroom', 'player', 'llm-gateway', 'web'] as const;

export interface ServerUrls {
  readonly amqpUrl: string;
  readonly databaseUrl: string;
}

/** Runs `use` with a broker and a database, and closes what was started. @throws Error that says which server is missing */
export async function withServers<T>(use: (urls: ServerUrls) => Promise<T>, options: DevServersOptions = {}): Promise<T> {
  const servers = await startDevServers(options);
  try {
    if (servers.missing.length) throw new Error(servers.missing.join('\n'));
    return await use({ amqpUrl: servers.amqpUrl ?? '', databaseUrl: servers.databaseUrl ?? '' });
  } finally {
    await servers.close();
  }
}

const MANY = '100000';

/** The environment of a system for as many readers, requests and speeches as a benchmark makes. */
export const WITHOUT_LIMITS = {
  web: {
    STREAMS_MOST: MANY,
    STREAMS_PER_ADDRESS: MANY,
    STREAMS_PER_TOKEN: MANY,
    CONNECTIONS_MOST: MANY,
    CONNECTIONS_PER_ADDRESS: MANY,
    RATE_PER_TOKEN: MANY,
    RATE_PER_TOKEN_BURST: MANY,
  },
  chatroom: { SPEECHES_PER_SECOND: MANY, SPEECH_BURST: MANY },
};

type Given = Pick<SystemOptions, 'ollamaUrl' | 'consoleDir' | 'replicas' | 'env'>;

/** Runs `use` with one process of each service, or with replicas, and ends them. @throws Error when they do not start within two minutes */
export async function withSystem<T>(urls: ServerUrls, given: Given, signal: AbortSignal, use: (system: System) => Promise<T>): Promise<T> {
  const env = { ...given.env, all: { LOG_LEVEL: 'error', ...given.env?.['all'] } };
  const system = await startSystem({ ...urls, ...given, env, port: 0, base: readCliConfig().all, graceMs: 5_000, say: () => {} });
  try {
    if (!(await system.isOpen(120_000, signal))) {
      signal.throwIfAborted();
      throw new Error('the services did not start');
    }
    return await use(system);
  } finally {
    await system.close();
  }
}

/** Resolves once the table is over, or the signal is aborted. */
export const untilOver = (client: WebClient, table: string, signal: AbortSignal): Promise<true> =>
  pollUntil(`table ${table} is over`, async () => signal.aborted || (await client.table(table)).stage === 'over', {
    everyMs: 500,
    timeoutMs: 3_600_000,
  });
