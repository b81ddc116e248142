import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { postgresSql, postgresStore } from '@maw/store/postgres.ts';
import { migrateAsOwner, roleNames, rolesSql } from '@maw/store/sql/roles.ts';
import { Client } from 'pg';
import { databaseVersion } from '@maw/cli/dev-servers/database.ts';
import { findPostgres } from '@maw/cli/dev-servers/local/find-programs.ts';
import { startPostgres } from '@maw/cli/dev-servers/local/postgres.ts';
import type { DevServer } from '@maw/cli/dev-servers/strategy.ts';
import { sectionOf } from '../k8s/page-commands.ts';
import { hasPostgres } from '@maw/testing/servers/private-servers.ts';

// What docs/operations.md tells to type for a backup and a restore, as it stands there, on two servers: without the containers around it.
// oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
const here = hasPostgres ? describe : describe.skip;
const run = promisify(execFile);
const path = (process.env['PATH'] ?? '').split(':').filter(Boolean);
const quiet = () => undefined;
/** A busy machine is slow, not wrong. */
const patient = { connectMs: 600_000, statementMs: 600_000 };

jest.setTimeout(600_000);

/** The commands that go to the database of the containers, in the order of the page. */
const commands = [...sectionOf('docs/operations.md', '## Containers').matchAll(/^docker compose exec -T postgres (.*?)(?:\s+#.*)?$/gm)].map(
  ([, command]) => command!,
);
const saving = commands.filter((command) => command.startsWith('pg_dump'));
const restoring = commands.filter((command) => /^(dropdb|createdb|pg_restore)/.test(command));

here(`a backup of the database${hasPostgres ? '' : ' (skipped: there is no postgres here)'}`, () => {
  let folder: string;
  let bin: string;
  const servers: DevServer[] = [];
  const urlOf = (server: DevServer, user: string, database = 'maw'): string => {
    const url = new URL(server.url);
    url.username = user;
    url.password = 'secret';
    url.pathname = `/${database}`;
    return url.href;
  };
  const sql = async (url: string, text: string): Promise<void> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(text);
    } finally {
      await client.end();
    }
  };
  /** A server as the container has it at first: the user postgres, and an empty database. */
  const opened = async (): Promise<DevServer> => {
    const server = await startPostgres(await findPostgres(path), databaseVersion, undefined, quiet);
    servers.push(server);
    await sql(server.url, `create role postgres superuser login password 'secret'`);
    await sql(server.url, 'create database maw owner postgres');
    return server;
  };
  /** As the container `roles`. */
  const roles = async (server: DevServer): Promise<void> => {
    await sql(urlOf(server, 'postgres'), rolesSql());
    for (const role of roleNames()) await sql(urlOf(server, 'postgres'), `alter role ${role} password 'secret'`);
  };
  /** As the container `migrate`. */
  const migrate = async (server: DevServer): Promise<void> => {
    const owner = postgresSql({ url: urlOf(server, 'maw_owner'), ...patient });
    try {
      await migrateAsOwner(owner);
    } finally {
      await owner.close();
    }
  };
  const type = async (server: DevServer, command: string): Promise<string> => {
    const { port } = new URL(server.url);
    const env = { PATH: `${bin}:/usr/bin:/bin`, PGHOST: '127.0.0.1', PGPORT: port, PGPASSWORD: 'secret' };
    return (await run('/bin/sh', ['-c', command], { cwd: folder, env, maxBuffer: 64e6 })).stdout;
  };
  /** Everything that is in it, with owners and rights; without the word that newer ones make up for each dump. */
  const contents = async (server: DevServer): Promise<string> =>
    (await type(server, 'pg_dump -U postgres maw')).replaceAll(/^\\(?:un)?restrict .*$/gm, '');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'maw-restore-'));
    bin = dirname((await findPostgres(path)).postgres);
  });
  afterAll(async () => {
    for (const server of servers) await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is complete on a new and on a changed server, where services then work', async () => {
    expect([saving.length, restoring.map((command) => command.split(' ')[0])]).toEqual([1, ['dropdb', 'createdb', 'pg_restore']]);
    const first = await opened();
    await roles(first);
    await migrate(first);
    const player = await postgresStore({ url: urlOf(first, 'maw_player'), ...patient });
    await player.thoughts.remember('t1', 3, 7, { said: 'it’s "me"\n' });
    await type(first, saving[0]!);
    const then = await contents(first);
    await player.thoughts.remember('t2', 1, 1, 'later');
    await player.close();
    expect(await contents(first)).not.toBe(then);

    for (const server of [first, await opened()]) {
      for (const command of restoring) {
        if (command.startsWith('pg_restore')) await roles(server);
        await type(server, command);
      }
      expect(await contents(server)).toBe(then);
      await migrate(server);
      const again = await postgresStore({ url: urlOf(server, 'maw_player'), ...patient });
      expect(await again.thoughts.recall('t1', 3)).toEqual({ said: 'it’s "me"\n' });
      expect(await again.thoughts.recall('t2', 1)).toBeUndefined();
      expect(await again.thoughts.remember('t1', 3, 8, 'on')).toBe(true);
      await again.close();
    }
  });
});
