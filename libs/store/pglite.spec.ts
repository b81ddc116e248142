import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';
import { GAMES, verifySuite } from '@maw/tests/verify/verify.suite.ts';
import { imageFolder } from './driver/pglite-image.ts';
import type { Sql } from './driver/sql.ts';
import { pgliteSql } from './pglite.ts';
import { timedHeartbeatSuite } from './ports/heartbeat.suite.ts';
import { sqlStore } from './sql/sql-store.ts';
import { storeSuite } from './store.suite.ts';
import { timedHeartbeat, truncateAll } from './test-database.suite.ts';

/** Starting PGlite takes seconds, so all suites share one. */
let sql: Sql;
beforeAll(async () => {
  sql = await pgliteSql();
}, 600_000);
afterAll(() => sql.close());

/** The database for a store whose closing leaves it open. */
function shared(): Sql {
  let isClosed = false;
  return {
    query: (text, params) => (isClosed ? Promise.reject(new Error('closed')) : sql.query(text, params)),
    close: async () => void (isClosed = true),
  };
}
const openStore = () => sqlStore(shared());

storeSuite('the store on PGlite', async () => ({ store: await openStore(), clear: () => truncateAll(sql) }));

describe('the heartbeat on PGlite', () => {
  let timed: Awaited<ReturnType<typeof timedHeartbeat>>;
  beforeAll(async () => {
    timed = await timedHeartbeat(sql);
  });
  timedHeartbeatSuite('with a clock of its own', () => timed);

  it('makes a file of the tapes grow with each probe, and leaves no event', async () => {
    const size = async () => (await sql.query<{ size: number }>(`select pg_total_relation_size('tape') as size`)).rows[0]!.size;
    for (let n = 0; n < 3; n++) {
      const before = await size();
      await timed.heartbeat.beat(5_000, { isProbe: true });
      expect(await size()).toBeGreaterThan(before);
    }
    expect((await sql.query('select from tape')).rows).toEqual([]);
  });

  it('fails its probe when tapes cannot be appended, and records nothing', async () => {
    await timed.clear();
    await timed.set(1_000_000);
    await timed.heartbeat.beat(5_000);
    await sql.query(`create function no_space() returns trigger language plpgsql as $f$
      begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $f$`);
    await sql.query('create trigger no_space before insert on tape for each row execute function no_space()');
    try {
      await timed.set(1_003_000);
      await expect(timed.heartbeat.beat(5_000, { isProbe: true })).rejects.toThrow(/No space left/);
    } finally {
      await sql.query('drop function no_space cascade');
    }
    await timed.set(1_006_000);
    expect((await timed.heartbeat.beat(5_000, { isProbe: true })).outages).toEqual([{ from: 1_000_000, to: 1_006_000 }]);
  });
});

it('new databases start from one image', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'maw-image-'));
  const images = imageFolder() ?? folder;
  try {
    const inMemory = await clusterOf(await pgliteSql(undefined, images));
    expect(await clusterOf(await pgliteSql(folder, images))).toBe(inMemory);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 600_000);

describe('where the image of new databases is damaged, a start makes its own, and the next image is whole:', () => {
  const base = temporaryFolder();
  it.each([
    ['in memory', undefined],
    ['in a folder', join(base, 'data')],
  ])('%s', async (_, folder) => {
    const images = await mkdtemp(join(base, 'images-'));
    const source = imageFolder() ?? images;
    await clusterOf(await pgliteSql(undefined, source));
    for (const file of (await readdir(source)).filter((name) => name.endsWith('.tar'))) {
      const whole = await readFile(join(source, file));
      await writeFile(join(images, file), whole.subarray(0, whole.length / 2));
    }
    const damaged = await clusterOf(await pgliteSql(folder, images));
    expect(await clusterOf(await pgliteSql(undefined, images))).toBe(damaged);
  });
});

it('says of values that it cannot store that trying again is pointless', async () => {
  const { rooms, thoughts } = await openStore();
  const thought = { table: 't', seat: 0, decision: 'd', step: 0, kind: 'k', name: 'n', at: 1, content: { reply: 'x\0' } };
  await expect(thoughts.record(thought)).rejects.toMatchObject({ isPermanent: true });
  for (const line of [
    { line: 2 ** 31, text: 'x', at: 1 },
    { line: 1, text: 'x\0', at: 1 },
    { line: 1, text: 'x', at: 0.5 },
  ])
    await expect(rooms.addLine('t', 'r', line)).rejects.toMatchObject({ isPermanent: true });
});

it('the audit log cannot be changed or deleted by SQL', async () => {
  await truncateAll(sql);
  const { auditLog } = await openStore();
  const entry = { id: 'a', at: 1, who: 'boss', token: 'k', from: '::1', what: 'POST /tables', about: {}, outcome: 'done' };
  await auditLog.write(entry);
  await auditLog.finish({ id: 'a', at: 2, about: {}, outcome: 'done' });
  for (const table of ['audit', 'audit_outcome']) {
    await expect(sql.query(`update ${table} set outcome = 'nothing'`)).rejects.toThrow(/only ever added to/);
    await expect(sql.query(`delete from ${table}`)).rejects.toThrow(/only ever added to/);
  }
  expect(await auditLog.list({ limit: 2 })).toEqual([{ ...entry, n: expect.any(Number) }]);
});

it('keeps what several gateways used of budgets, of the latest day, when the table gets one row for each account', async () => {
  await openStore();
  await sql.query(`do $$ begin
    drop view llm_usage_past, llm_usage_of_seat_past;
    drop table llm_usage, llm_usage_of_seat, llm_usage_writer;
    drop table tally;
    create table tally (
      kind text collate "C", who text collate "C", period int, writer text collate "C",
      used bigint not null, carried bigint not null, most bigint not null, at bigint not null, primary key (kind, who, period, writer)
    );
    create index tally_at on tally (kind, at);
    insert into tally values
      ('tenant', 'x', 20000, 'a', 900, 0, 1000, 1), ('tenant', 'x', 20001, 'a', 70, 50, 1000, 2), ('tenant', 'x', 20001, 'b', 30, 20, 900, 3),
      ('game', 'x', 0, 'a', 5, 0, 1000, 2);
    drop table gateway_key;
    alter table permit drop column digest;
    delete from schema_version where version >= 17;
  end $$`);
  const { budgetUsage } = await openStore();
  const about = { since: 0, limit: 9 };
  expect(await budgetUsage.list('tenant', about)).toEqual([{ kind: 'tenant', who: 'x', period: 20_001, used: 150, most: 1_000 }]);
  expect(await budgetUsage.list('game', about)).toEqual([{ kind: 'game', who: 'x', period: 0, used: 5, most: 1_000 }]);
});

/** The number that a database gets when its files are made. */
async function clusterOf(database: Sql): Promise<string> {
  const { rows } = await database.query<{ id: string }>('select system_identifier::text as id from pg_control_system()');
  await database.close();
  return rows[0]!.id;
}

// One connection does one statement after another; the other games are played on the other stores.
verifySuite(
  'on PGlite',
  () => truncateAll(sql).then(shared),
  GAMES.filter(({ table }) => table === 'maw' || table === 'running'),
);
