import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { postgresSql, postgresStore } from './postgres.ts';
import { sqlStore } from './sql/sql-store.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { pollUntil } from '@maw/async/poll-until.ts';
import { Conflict } from './ports/tapes.ts';
import type { Store } from './store.ts';
import { type Timed, timedHeartbeatSuite } from './ports/heartbeat.suite.ts';
import { storeSuite } from './store.suite.ts';
import { about } from './ports/tapes.suite.ts';
import { databaseUrl, truncateAll, onServer, testDatabase, timedHeartbeat, waitForLocks } from './test-database.suite.ts';

const opened = [{ type: 'opened' }];

// oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
if (!databaseUrl) it.skip('the store on PostgreSQL: skipped, because DATABASE_URL is not set', () => undefined);
else {
  const databases: Awaited<ReturnType<typeof testDatabase>>[] = [];
  const fresh = async () => {
    const database = await testDatabase();
    databases.push(database);
    return database.url;
  };
  afterAll(() => Promise.all(databases.map((each) => each.close())));

  storeSuite('the store on PostgreSQL', async () => {
    const sql = postgresSql({ url: await fresh() });
    return { store: await sqlStore(sql), clear: () => truncateAll(sql) };
  });

  describe('the heartbeat on PostgreSQL', () => {
    let timed: Timed;
    let sql: ReturnType<typeof postgresSql>;
    beforeAll(async () => {
      sql = postgresSql({ url: await fresh() });
      timed = await timedHeartbeat(sql);
    }, 600_000);
    afterAll(() => sql.close());
    timedHeartbeatSuite('by a clock of its own', () => timed);
  });

  describe('a pool of connections', () => {
    it('reports used and idle connections and waiting statements, until closed', async () => {
      const url = await fresh();
      const holder = new Client({ connectionString: url });
      await holder.connect();
      const sql = postgresSql({ url, poolSize: 1, service: 'watched', connectMs: 600_000, statementMs: 600_000 });
      const now = async () =>
        (await Promise.all([metrics.databaseConnections.get(), metrics.databaseConnectionsMost.get(), metrics.databaseWaiting.get()]))
          .flatMap(({ values }) => values)
          .flatMap(({ labels, value }) => (labels.service === 'watched' ? [value] : []));
      try {
        expect(await now()).toEqual([0, 0, 1, 0]);
        await holder.query('select pg_advisory_lock(7)');
        const held = Promise.all([sql.query('select pg_advisory_lock(7)'), sql.query('select 1')]);
        held.catch(() => undefined); // it is waited for below
        // Used, idle, most, waiting.
        await pollUntil('a connection in use', async () => (await now())[0] === 1, { timeoutMs: 600_000 });
        expect(await now()).toEqual([1, 0, 1, 1]);
        await holder.query('select pg_advisory_unlock(7)');
        await held;
        expect(await now()).toEqual([0, 1, 1, 0]);
      } finally {
        await Promise.all([holder.end(), sql.close()]);
      }
      expect(await now()).toEqual([]);
    });
  });

  describe('a statement that finds no free connection', () => {
    it('fails with the size of the pool and the variable that raises it', async () => {
      const url = await fresh();
      const holder = new Client({ connectionString: url });
      await holder.connect();
      const [busy, free] = [1, 2].map((poolSize) => postgresSql({ url, poolSize, connectMs: 500, statementMs: 600_000 }));
      try {
        await holder.query('select pg_advisory_lock(8)');
        const held = [busy!, free!].map((sql) => sql.query('select pg_advisory_lock(8)'));
        for (const each of held) each.catch(() => undefined);
        await expect(busy!.query('select 1')).rejects.toThrow(
          'all 1 connections to the database were in use for 500 ms (timeout exceeded when trying to connect): if it is not the database that is slow, raise DATABASE_POOL',
        );
        expect((await free!.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
        await holder.query('select pg_advisory_unlock_all()');
        await Promise.race(held);
      } finally {
        await holder.end();
        await Promise.all([busy!.close(), free!.close()]);
      }
    });
  });

  describe('several stores on one PostgreSQL', () => {
    it('can start concurrently on an empty database', async () => {
      const url = await fresh();
      const stores = await Promise.all(Array.from({ length: 8 }, () => postgresStore({ url, poolSize: 1 })));
      await stores[0]!.tapes.append('t', 0, opened, about());
      expect(await stores[7]!.tapes.read('t')).toHaveLength(1);
      await Promise.all(stores.map((store) => store.close()));
    });

    it('agree on the winner of every table in overlapping batches, without deadlock', async () => {
      const url = await fresh();
      const stores = await Promise.all([1, 2, 3, 4].map(() => postgresStore({ url, poolSize: 2 })));
      const tables = Array.from({ length: 40 }, (_, i) => `t${i}`);
      const errors: unknown[] = [];
      // Begins some tables and moves others in the same batch, each store in an order of its own.
      const write = async (store: Store, who: number) => {
        for (let sequence = 0; sequence < 12; sequence++) {
          const mine = who % 2 ? tables : tables.toReversed();
          const writing = (i: number) => about({ wake: 100 * (sequence + 1) + who, cause: `${who}/${i}` });
          const appends = mine.map((table, i) =>
            store.tapes.append(table, Math.max(0, sequence - (Number(table.slice(1)) % 3)), [{ type: 'x', who, sequence }], writing(i)),
          );
          const settled = await Promise.allSettled(appends);
          errors.push(
            ...settled.flatMap((each) => (each.status === 'rejected' && !(each.reason instanceof Conflict) ? [each.reason] : [])),
          );
        }
      };
      await Promise.all(stores.map(write));
      expect(errors).toEqual([]);
      const alarms = new Map((await stores[0]!.tapes.due(10_000, 100)).map(({ table, alarm }) => [table, alarm]));
      for (const table of tables) {
        const tape = await stores[0]!.tapes.read(table);
        expect(tape.length).toBeGreaterThan(1);
        expect(tape.map(({ sequence }) => sequence)).toEqual(tape.map((_, i) => i + 1));
        // The alarm was written by whoever wrote the last event.
        const { who, sequence } = tape.at(-1)!.event;
        expect(alarms.get(table)).toBe(100 * (Number(sequence) + 1) + Number(who));
      }
      await Promise.all(stores.map((store) => store.close()));
      expect(await onServer(`select deadlocks::int from pg_stat_database where datname = '${new URL(url).pathname.slice(1)}'`)).toEqual([
        { deadlocks: 0 },
      ]);
    });

    it('lock rows in one order: new tables first, then by id', async () => {
      const url = await fresh();
      const store = await postgresStore({ url });
      for (const table of ['m2', 'm1', 'm3']) await store.tapes.append(table, 0, opened, about());
      const other = new Client({ connectionString: url });
      await other.connect();
      const isHeld = (table: string) =>
        other
          .query('savepoint s')
          .then(() => other.query(`select from game where id = '${table}' for update nowait`))
          .then(
            () => false,
            () => other.query('rollback to s').then(() => true),
          );
      const begin = (table: string) => `insert into game values ('${table}', 1, null, 1, '{}', false)`;

      await other.query('begin');
      await other.query(`select from game where id = 'm2' for update`);
      const moves = ['m3', 'm2', 'm1'].map((table) => store.tapes.append(table, 1, [{ type: 'x' }], about()));
      await waitForLocks(other, 1);
      expect(await isHeld('m1')).toBe(true);
      expect(await isHeld('m3')).toBe(false);
      await other.query('rollback');
      await Promise.all(moves);

      await other.query('begin');
      await other.query(begin('b2'));
      const begins = ['b3', 'b2', 'b1'].map((table) => store.tapes.append(table, 0, opened, about()));
      const move = store.tapes.append('m1', 2, [{ type: 'y' }], about());
      await waitForLocks(other, 1);
      expect(await isHeld('m1')).toBe(false);
      await other.query(begin('b3'));
      await other.query('savepoint s');
      await other.query(`set local lock_timeout = 200`);
      await expect(other.query(begin('b1'))).rejects.toThrow(/lock timeout/);
      await other.query('rollback to s');
      await other.query('commit');
      expect((await Promise.allSettled([...begins, move])).map(({ status }) => status)).toEqual([
        'rejected',
        'rejected',
        'fulfilled',
        'fulfilled',
      ]);
      await other.end();
      await store.close();
    });

    it.each(['purge', 'archive'] as const)('store no line twice that is added during a %s', async (move) => {
      const url = await fresh();
      const store = await postgresStore({ url });
      await store.rooms.open({
        table: 't',
        room: 'r',
        question: 'q',
        name: 'n',
        members: [],
        speakers: [],
        maxChars: 1,
        until: 1,
        opened: 1,
      });
      await store.rooms.close('t', 'r', { closed: 2, lines: 3 });
      for (const line of [1, 2, 3]) await store.rooms.addLine('t', 'r', { line, text: 'x', at: 1 });
      const other = new Client({ connectionString: url });
      await other.connect();
      await other.query('begin');
      await other.query('select from line where line = 3 for update');
      const moving = move === 'purge' ? store.rooms.purge('t', 'r', 3) : store.rooms.archive('t', 'r');
      await waitForLocks(other, 1);
      const again = store.rooms.addLine('t', 'r', { line: 1, text: 'x', at: 1 });
      await waitForLocks(other, 2);
      await other.query('commit');
      expect(await moving).toBe(move === 'purge' ? 3 : true);
      expect((await again).isNew).toBe(false);
      expect((await other.query('select line from line')).rows).toEqual([]);
      expect((await store.rooms.archived('t', 'r')).map(({ line }) => line)).toEqual([1, 2, 3]);
      await other.end();
      await store.close();
    });

    it('let a closing wait for a line that is being added to the open room', async () => {
      const url = await fresh();
      const store = await postgresStore({ url });
      await store.rooms.open({
        table: 't',
        room: 'r',
        question: 'q',
        name: 'n',
        members: [],
        speakers: [],
        maxChars: 1,
        until: 1,
        opened: 1,
      });
      const other = new Client({ connectionString: url });
      await other.connect();
      await other.query('begin');
      await other.query(`insert into line (game, room, line, text, at) values ('t', 'r', 1, 'x', 1)`);
      const adding = store.rooms.addLine('t', 'r', { line: 1, text: 'x', at: 1 });
      await waitForLocks(other, 1);
      const closing = store.rooms.close('t', 'r', { closed: 2, lines: 1 }).then(() => store.rooms.archive('t', 'r'));
      await waitForLocks(other, 2);
      await other.query('rollback');
      expect(await adding).toEqual({ isNew: true, isOpen: true });
      expect(await closing).toBe(true);
      await other.end();
      await store.close();
    });

    it('neither duplicate nor lose lines while another purges and archives', async () => {
      const url = await fresh();
      const [a, b] = await Promise.all([postgresStore({ url }), postgresStore({ url })]);
      for (let round = 0; round < 15; round++) {
        const room = `r${round}`;
        await a.rooms.open({ table: 't', room, question: 'q', name: 'n', members: [], speakers: [], maxChars: 1, until: 1, opened: 1 });
        await a.rooms.close('t', room, { closed: 2, lines: 12 });
        const lines = Array.from({ length: 12 }, (_, i) => ({ line: i + 1, text: `${i + 1}`, at: 1 }));
        const both = async (line: (typeof lines)[number], one: Store, two: Store) => {
          const { isNew } = await one.rooms.addLine('t', room, line);
          await two.rooms.purge('t', room, line.line);
          return isNew;
        };
        const kept = [...lines.map((line) => both(line, a, b)), ...lines.map((line) => both(line, b, a))];
        const archived = [a, b, a, b].map((store) => store.rooms.archive('t', room));
        expect((await Promise.all(kept)).filter(Boolean).length).toBe(12);
        await Promise.all(archived);
        expect(await b.rooms.archive('t', room)).toBe(true);
        expect(await b.rooms.archived('t', room)).toEqual(lines);
      }
      const left = postgresSql({ url });
      expect((await left.query('select count(*) as count from line')).rows).toEqual([{ count: 0 }]);
      await Promise.all([a, b, left].map((each) => each.close()));
    });
  });
}
