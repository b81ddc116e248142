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
    const is = await pollUntilReady(() => databaseVersion(url, config.tls.database()), 10_000);
    return { url, describe: `PostgreSQL ${is} at ${new URL(url).host}, given in DATABASE_URL`, close: async () => undefined };
  },
  startInDocker: (config, dataFolder, say) => postgresInDocker(config, databaseVersion, dataFolder, say),
  startInstalled: async (config, dataFolder, say) => {
    const programs = await findPostgres(config.path);
    return retryOnPortConflict(() => startPostgres(programs, databaseVersion, dataFolder, say));
  },
};

/** The version of the server at this address, as it says itself, and whether it has vectors. Throws when it does not answer or does not let us in. */
export async function databaseVersion(url: string, tls?: Tls): Promise<string> {
  const client = new Client({ ...connectionSettings(url, tls), connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string; vectors: boolean }>(
      `select split_part(current_setting('server_version'), ' ', 1) as version,
              exists (select from pg_available_extensions where name = 'vector') as vectors`,
    );
    return `${rows[0]?.version} ${rows[0]?.vectors ? 'with' : 'without'} pgvector`;
  } finally {
    await client.end().catch(() => undefined);
  }
}
