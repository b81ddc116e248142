import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { serverEnvironment } from './config.ts';
import { databaseVersion } from './database.ts';
import { retryOnPortConflict } from './start-supervised.ts';
import { errorMessage, Unavailable } from './strategy.ts';
import { findPostgres, type PostgresPrograms } from './local/find-programs.ts';
import { startPostgres } from './local/postgres.ts';

/**
 * Restores a dump into a PostgreSQL of its own, from the programs on this machine, and hands its address to `use`. The server and its folder are
 * removed afterwards, also when this process is killed.
 * @param path the folders in which programs are looked for
 * @throws Error when there is no PostgreSQL here, or the dump cannot be read or restored
 */
export async function withRestoredDump<T>(
  dump: string,
  { path, signal }: { readonly path: readonly string[]; readonly signal: AbortSignal },
  use: (url: string) => Promise<T>,
): Promise<T> {
  await access(dump, constants.R_OK).catch((cause: NodeJS.ErrnoException) => {
    throw new Error(`${dump}: cannot be read (${cause.code}); it is what pg_dump -Fc has written`, { cause });
  });
  const programs = await findPostgres(path).catch((cause: unknown) => {
    if (!(cause instanceof Unavailable)) throw cause;
    const remedy = 'install it (Debian: apt-get install postgresql), or with containers use infra/docker/restore-test.sh';
    throw new Error(`${cause.message}, into which a dump could be restored: ${remedy}`, { cause });
  });
  const server = await retryOnPortConflict(() => startPostgres(programs, databaseVersion, undefined, () => undefined));
  try {
    await restore(programs, dump, server.url, signal);
    return await use(server.url);
  } finally {
    await server.close();
  }
}

async function restore({ postgres }: PostgresPrograms, dump: string, url: string, signal: AbortSignal): Promise<void> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const env = serverEnvironment({ PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: password });
  // Whoever restores for good has the roles; here nobody needs their rights.
  const how = ['--no-owner', '--no-privileges', '--single-transaction', '--exit-on-error', '-d', pathname.slice(1), dump];
  await promisify(execFile)(join(dirname(postgres), 'pg_restore'), how, { env, signal }).catch((cause: Error & { stderr?: string }) => {
    if (signal.aborted) return; // the caller sees to it
    const said = (cause.stderr ?? '').trim() || errorMessage(cause);
    const hint = /unsupported version/.test(said) ? '; install the PostgreSQL whose pg_dump made it, or a newer one' : '';
    throw new Error(`${dump} cannot be restored: ${said.replaceAll(/\s*\n\s*/g, '; ')}${hint}`, { cause });
  });
}
