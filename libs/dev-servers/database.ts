import { Client } from 'pg';
import { connectionSettings, type Tls } from '@maw/store/driver/database-url.ts';
import { postgresInDocker } from './docker/containers.ts';
import type { ServerKind } from './server-kind.ts';
import { findPostgres } from './local/find-programs.ts';
import { startPostgres } from './local/postgres.ts';
import { pollUntilReady, retryOnPortConflict } from './start-supervised.ts';

/** PostgreSQL. */
export const database: ServerKind = {
  name: 'PostgreSQL',
  variable: 'DATABASE_URL',
  debianPackage: 'postgresql',
  configuredUrl: (config) => config.databaseUrl,
  useUrl: async (url, config) => {
    const serverVersion = await pollUntilReady(() => databaseVersion(url, config.tls.database()), 10_000);
    return { url, describe: `PostgreSQL ${serverVersion} at ${new URL(url).host}, given in DATABASE_URL`, close: async () => undefined };
  },
  startInDocker: (config, dataFolder, say) => postgresInDocker(config, databaseVersion, dataFolder, say),
  startInstalled: async (config, dataFolder, say) => {
    const programs = await findPostgres(config.path);
    return retryOnPortConflict(() => startPostgres(programs, databaseVersion, dataFolder, say));
  },
};

/** The version of the server at this address, and whether it has vectors. @throws Error when it does not answer or rejects the login */
export async function databaseVersion(url: string, tls?: Tls): Promise<string> {
  const { version, vector } = await probeDatabase(url, tls, 5_000);
  return `${version.split(' ')[0]} ${vector === null ? 'without' : 'with'} pgvector`;
}

/** The versions of the server at this address and of its vectors. @throws Error when it does not answer or rejects the login */
export async function probeDatabase(
  url: string,
  tls: Tls | undefined,
  timeoutMs: number,
): Promise<{ readonly version: string; readonly vector: string | null }> {
  const client = new Client({ ...connectionSettings(url, tls), connectionTimeoutMillis: timeoutMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string; vector: string | null }>(
      `select current_setting('server_version') as version, (select default_version from pg_available_extensions where name = 'vector') as vector`,
    );
    return rows[0]!;
  } finally {
    await client.end().catch(() => undefined);
  }
}
