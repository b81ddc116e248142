import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { postgresSql, postgresStore } from './postgres.ts';
import { Conflict } from './ports/tapes.ts';
import { about } from './ports/tapes.suite.ts';
import { databaseUrl, testDatabase, waitForLocks } from './test-database.suite.ts';

const opened = [{ type: 'opened' }];

// oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
if (!databaseUrl) it.skip('a store on PostgreSQL that is in trouble: skipped, because DATABASE_URL is not set', () => undefined);
else {
  describe('a store on PostgreSQL that is in trouble', () => {
    let database: Awaited<ReturnType<typeof testDatabase>>;
    let url: string;
    let other: Client;
    beforeAll(async () => {
      database = await testDatabase();
      url = database.url;
      other = new Client({ connectionString: url });
      await other.connect();
    });
    afterAll(async () => {
      await other.end();
      await database.close();
    });
    const hangUp = () =>
      other.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()');

    it('survives the loss of its idle connections', async () => {
      const store = await postgresStore({ url, service: 'survivor' });
      await Promise.all(Array.from({ length: 5 }, () => store.ping()));
      await hangUp();
      // A connection whose end has not been noticed yet may still be handed out; that is an ordinary error, and the next call gets another.
      for (let isBack = false; !isBack;)
        isBack = await store.ping().then(
          () => true,
          () => false,
        );
      await store.tapes.append('survivor', 0, opened, about());
      expect(await store.tapes.read('survivor')).toHaveLength(1);
      await store.close();
    });

    it('fails an append whose connection is lost; reading again shows the outcome', async () => {
      const store = await postgresStore({ url });
      await store.tapes.append('lost', 0, opened, about());
      await other.query(`begin`);
      await other.query(`select from game where id = 'lost' for update`);
      const append = store.tapes.append('lost', 1, [{ type: 'x' }], about({ cause: 'm2' })).catch((error: unknown) => error);
      await waitForLocks(other, 1);
      await hangUp();
      const error = await append;
      await other.query('commit');
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(Conflict);
      expect((await store.tapes.read('lost', 1)).some(({ cause }) => cause === 'm2')).toBe(false);
      await store.tapes.append('lost', 1, [{ type: 'x' }], about({ cause: 'm2' }));
      await store.close();
    });

    it('times out a slow statement, without reporting a conflict', async () => {
      const store = await postgresStore({ url, statementMs: 3_000 });
      await store.tapes.append('slow', 0, opened, about());
      await other.query(`begin`);
      await other.query(`select from game where id = 'slow' for update`);
      const neighbour = store.tapes.append('neighbour', 0, opened, about());
      const error = await store.tapes.append('slow', 1, [{ type: 'x' }], about()).catch((thrown: unknown) => thrown);
      await other.query('rollback');
      expect(String(error)).toMatch(/statement timeout/);
      await neighbour;
      expect(await store.tapes.read('slow')).toHaveLength(1);
      await store.close();
    });

    it('reports an unreachable server without the password', async () => {
      const error = await postgresStore({ url: 'postgres://maw:secret@127.0.0.1:1/maw' }).catch((thrown: unknown) => thrown);
      expect(String(error)).toMatch(
        /^DatabaseUnavailable: PostgreSQL at 127\.0\.0\.1:1 does not answer \(.*ECONNREFUSED.*\): is it running/,
      );
      expect(String(error)).not.toMatch(/secret/);
    });

    it('waits while the server has no free connection', async () => {
      const role = `maw_crowded_${process.pid}`;
      await other.query(`create role ${role} login password 'secret' connection limit 0`);
      const full = new URL(url);
      Object.assign(full, { username: role, password: 'secret' });
      const error = await postgresStore({ url: full.href }).catch((thrown: unknown) => thrown);
      await other.query(`drop role ${role}`);
      expect(error).toMatchObject({ name: 'DatabaseUnavailable', isTemporary: true });
      expect(String(error)).toMatch(
        /cannot be used \(too many connections for role .*\): it has no connection left; raise max_connections/,
      );
    });

    it('rejects a schema newer than the program', async () => {
      const sql = postgresSql({ url });
      await sql.query('insert into schema_version values (99, now())');
      await expect(postgresStore({ url })).rejects.toThrow(
        /tables in this database are of version 99, this program knows versions up to \d+: start a newer program/,
      );
      await sql.query('delete from schema_version where version = 99');
      await sql.close();
    });
  });
}
