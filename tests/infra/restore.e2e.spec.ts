import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { RESTORE_TEST } from '@maw/store/ports/audit-log.ts';
import { postgresSql, postgresStore } from '@maw/store/postgres.ts';
import { migrateAsOwner, roleNames, rolesSql } from '@maw/store/sql/roles.ts';
import { Client } from 'pg';
import { runMaw } from '@maw/cli/command.suite.ts';
import { databaseVersion } from '@maw/dev-servers/database.ts';
import { findPostgres } from '@maw/dev-servers/local/find-programs.ts';
import { startPostgres } from '@maw/dev-servers/local/postgres.ts';
import type { DevServer } from '@maw/dev-servers/strategy.ts';
import { sectionOf } from '../k8s/page-commands.ts';
import { composeFile } from '../equipment/containers/compose-file.ts';
import { root } from '../equipment/source/repository.ts';
import { hasPostgres } from '../equipment/servers/private-servers.ts';
import { gamemasterAndChatroom } from '../verify/played-tables.ts';

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

  describe('is tested by a restore', () => {
    let live: DevServer;
    /** All that the live database has, without the outcomes of tests. */
    const games = async () => (await contents(live)).replaceAll(/^COPY public\.audit [^]*?^\\\.$|^.*audit_n_seq.*$/gm, '');
    const outcomes = async () => {
      const store = await postgresStore({ url: urlOf(live, 'maw_keeper'), ...patient });
      const entries = await store.auditLog.list({ limit: 100 });
      await store.close();
      return entries.filter(({ what }) => what === RESTORE_TEST).map(({ about, outcome }) => [about['dump'], outcome]);
    };
    const temporary = () => join(folder, 'temporary');
    /** As the command line: what it says, and its exit code. */
    const started = async (command: string, args: readonly string[], env: Record<string, string>) =>
      run(command, args, { cwd: folder, env: { PATH: process.env['PATH']!, TMPDIR: temporary(), ...env } }).then(
        ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
        ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, out: stdout, err: stderr }),
      );
    const maw = (...args: readonly string[]) =>
      started(process.execPath, ['--no-warnings', join(root, 'apps/cli/main.ts'), 'restore-test', ...args], {
        DATABASE_URL: urlOf(live, 'maw_keeper'),
      });
    const change = (text: string) => sql(urlOf(live, 'postgres'), text);
    const GOOD = /^This backup can be restored: 2 tables, \d+ events, the last of 2026-01-01T\S+Z\.\n$/;
    const SHORT = /^maw: running: events \d+ to \d+: sequence: expected on the tape, found missing\n/m;

    beforeAll(async () => {
      live = await opened();
      await roles(live);
      await migrate(live);
      await mkdir(temporary());
      for (const each of [folder, temporary()]) await chmod(each, 0o777); // a server of another user keeps its files there
      const store = await postgresStore({ url: urlOf(live, 'postgres'), ...patient });
      const played = await gamemasterAndChatroom(store);
      await played.play({ table: 'over', rules: 'aiwolf', players: 5 });
      await played.play({ table: 'running', rules: 'maw', players: 5, rounds: 9, acts: 40 });
      await played.heard();
      await played.close();
      await store.close();
      const noted = await runMaw(['verify', '--all'], { cwd: folder, env: { DATABASE_URL: urlOf(live, 'maw_reader') } });
      await writeFile(join(folder, 'heads.txt'), noted.out);
      await type(live, 'pg_dump -U postgres -Fc maw > good.dump');
      await type(live, 'head -c 20000 good.dump > cut.dump');
      const end = `where game = 'running' and sequence > (select last - 3 from game where id = 'running')`;
      await change(`create table aside as select * from tape ${end}; delete from tape ${end}`);
      await type(live, 'pg_dump -U postgres -Fc -T aside maw > short.dump');
      await change('insert into tape select * from aside; drop table aside');
    });

    it('in a server of its own, of which nothing stays', async () => {
      const before = await games();
      const good = await maw('good.dump', '--heads', 'heads.txt', '--live');
      expect(good).toEqual({
        code: 0,
        out: expect.stringMatching(GOOD),
        err: expect.stringMatching(/^2 tables, \d+ events, nothing is wrong\n$/),
      });
      const short = await maw('short.dump', '--live');
      expect([short.code, short.out, short.err]).toEqual([1, '', expect.stringMatching(SHORT)]);
      expect(short.err).toMatch(/\nmaw: this backup is not good: \d faults? in 1 of 2 tables\n$/);
      const cut = await maw('cut.dump', '--live');
      expect([cut.code, cut.err]).toEqual([1, expect.stringMatching(/^maw: cut\.dump cannot be restored: pg_restore: .*\n$/)]);
      expect(await outcomes()).toEqual([
        ['cut.dump', expect.stringContaining('cut.dump cannot be restored')],
        ['short.dump', expect.stringContaining('in 1 of 2 tables')],
        ['good.dump', 'done'],
      ]);
      expect([await readdir(temporary()), (await games()) === before]).toEqual([[], true]);
    });

    it('which finds that it is empty, or much older than the live database', async () => {
      await change('create database empty');
      await change('create database again template maw');
      const verified = (database: string, ...args: readonly string[]) =>
        runMaw(['restore-test', ...args], {
          cwd: folder,
          env: { DATABASE_URL: urlOf(live, 'maw_keeper'), RESTORED_URL: urlOf(live, 'postgres', database) },
        });
      expect((await verified('empty')).err).toMatch(/\nmaw: this backup is not good: there is no table in it\n$/);
      await change(`update tape set at = at + 2 * 86400000 where game = 'over' and sequence = (select last from game where id = 'over')`);
      const [old, late] = [await verified('again', '--live'), await verified('again', '--live', '--behind', '3d')];
      await change(`update tape set at = at - 2 * 86400000 where game = 'over' and sequence = (select last from game where id = 'over')`);
      for (const database of ['empty', 'again']) await change(`drop database ${database}`);
      expect([old.code, old.err]).toEqual([
        1,
        expect.stringMatching(/not good: its last event is of 2026-01-01\S+, and the live database has one of 2026-01-03\S+\n$/),
      ]);
      expect([late.code, late.out]).toEqual([0, expect.stringMatching(GOOD)]);
      const asked = async (...args: readonly string[]) =>
        (await runMaw(['restore-test', ...args], { cwd: folder, env: { RESTORED_URL: '' } })).err;
      expect(await asked('none.dump')).toBe('maw: none.dump: cannot be read (ENOENT); it is what pg_dump -Fc has written\n');
      expect(await asked()).toMatch(/^maw: which backup\? Name what pg_dump -Fc has written, or set RESTORED_URL/);
    });

    it('beside the live database in containers, by the script, of which nothing stays', async () => {
      const { entrypoint } = composeFile.services['restore-test'] as unknown as { entrypoint: readonly string[] };
      // What docker would do in the containers of these services.
      const docker = `#!/bin/sh
case "$1 $2" in
  "compose exec")
    shift 3; if [ "$1" = -e ]; then export "$2"; shift 2; fi; shift
    if [ "$1" = "$BROKEN" ]; then echo "$1: error: it is broken" >&2; exit 1; fi
    exec "$@" ;;
  "compose run")
    shift 4; if [ "$1" = -v ]; then heads=\${2%%:*}; shift 2; fi; shift
    if [ "$1" = --heads ]; then shift 2; set -- --heads "$heads" "$@"; fi
    exec ${entrypoint.join(' ')} "$@" ;;
esac
`;
      await writeFile(join(temporary(), 'docker'), docker, { mode: 0o755 });
      const { port } = new URL(live.url);
      const scriptWith = (broken: string, ...args: readonly string[]) =>
        started(join(root, 'infra/docker/restore-test.sh'), args, {
          PATH: `${temporary()}:${bin}:${dirname(process.execPath)}:/usr/bin:/bin`,
          PGHOST: '127.0.0.1',
          PGPORT: port,
          PGPASSWORD: 'secret',
          DATABASE_URL: urlOf(live, 'maw_keeper'),
          RESTORED_URL: urlOf(live, 'maw_reader', 'maw_restore_test'),
          BROKEN: broken,
        });
      const script = (...args: readonly string[]) => scriptWith('', ...args);
      const databases = async () =>
        (await type(live, "psql -U postgres -Atc 'select datname from pg_database order by 1' maw")).trim().split('\n');
      const [before, known, there] = [await games(), await databases(), await outcomes()];
      await type(live, 'createdb -U postgres maw_restore_test'); // a run that was killed
      expect(await script('good.dump', 'heads.txt')).toMatchObject({ code: 0, out: expect.stringMatching(GOOD) });
      expect(await databases()).toEqual(known);
      expect(await script('short.dump')).toMatchObject({ code: 1, out: '', err: expect.stringMatching(SHORT) });
      const cut = await script('cut.dump');
      expect(cut).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^pg_restore: .*\n(.*\n)*maw: .*: pg_restore: .*\n$/) });
      expect(cut.err).not.toMatch(/^\s+at |maw migrate|no table/m);
      for (const broken of ['dropdb', 'createdb'])
        expect(await scriptWith(broken, 'good.dump')).toMatchObject({
          code: 1,
          out: '',
          err: expect.stringContaining(`maw: this backup is not good: it was not restored: ${broken}: error: it is broken\n`),
        });
      expect(await databases()).toEqual(known);
      expect((await outcomes()).slice(0, -there.length).map(([, outcome]) => outcome)).toEqual([
        'it was not restored: createdb: error: it is broken',
        'it was not restored: dropdb: error: it is broken',
        expect.stringMatching(/^it was not restored: pg_restore: error: \S/),
        expect.stringContaining('in 1 of 2 tables'),
        'done',
      ]);
      expect((await games()) === before).toBe(true);
      for (const args of [[], ['none.dump'], ['good.dump', 'none.txt']])
        expect(await script(...args)).toMatchObject({
          code: 1,
          err: expect.stringMatching(/^restore-test: "(|none\.\w+)" cannot be read; usage: /),
        });
    });
  });
});
