import { constants, globSync } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Unavailable } from '../strategy.ts';

/** The programs a private RabbitMQ is made of. */
export interface RabbitmqPrograms {
  readonly server: string;
  readonly epmd: string;
  /** Where `erl` is, which the server's script looks for on its PATH. */
  readonly erlang: string;
}

/** Finds RabbitMQ: on the path, or where Debian, Fedora and Homebrew put it. Throws `Unavailable`. */
export async function findRabbitmq(path: readonly string[]): Promise<RabbitmqPrograms> {
  const erl = await find('erl', [...path, '/usr/lib/erlang/bin', '/opt/homebrew/bin', '/usr/local/bin']);
  // Debian's wrapper on the path insists on being root or rabbitmq; the script behind it does not.
  const server = await find('rabbitmq-server', ['/usr/lib/rabbitmq/bin', ...path, '/opt/homebrew/sbin', '/usr/local/sbin']);
  if (!server || !erl) throw new Unavailable(`there is no ${server ? 'erl' : 'rabbitmq-server'}`);
  const behind = await realpath(server);
  const epmd = await find('epmd', [dirname(erl), dirname(await realpath(erl)), ...path]);
  if (!epmd) throw new Unavailable('there is no epmd beside erl');
  return { server: basename(behind) === 'rabbitmq-server' ? behind : server, epmd, erlang: dirname(erl) };
}

/** The programs a private PostgreSQL is made of. */
export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
}

/** Finds PostgreSQL: on the path, or where Debian, Fedora and Homebrew put it, the newest first. Throws `Unavailable`. */
export async function findPostgres(path: readonly string[]): Promise<PostgresPrograms> {
  const versioned = globSync(['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin', '/opt/homebrew/opt/postgresql*/bin']);
  for (const folder of [...path, ...versioned.toSorted(newestFirst)]) {
    const named = await find('postgres', [folder]);
    const initdb = named && (await find('initdb', [dirname(await realpath(named))]));
    if (initdb) return { initdb, postgres: join(dirname(initdb), 'postgres') };
  }
  throw new Unavailable('there is no postgres with its initdb');
}

/** By the numbers in them, so that 9 comes after 15. */
export function newestFirst(one: string, other: string): number {
  return other.localeCompare(one, 'en', { numeric: true });
}

async function find(program: string, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const file = join(folder, program);
    const runs = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runs) return file;
  }
  return undefined;
}
