import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { lockFolder } from './driver/folder-lock.ts';
import { FolderInUse, pgliteSql, pgliteStore } from './pglite.ts';
import { sqlStore } from './sql/sql-store.ts';
import { type Timed, timedHeartbeatSuite } from './ports/heartbeat.suite.ts';
import { storeSuite } from './store.suite.ts';
import { about } from './ports/tapes.suite.ts';
import { truncateAll, timedHeartbeat } from './test-database.suite.ts';

storeSuite('the store on PGlite', async () => {
  const sql = await pgliteSql();
  return { store: await sqlStore(sql), clear: () => truncateAll(sql) };
});

describe('the pulse on PGlite', () => {
  let timed: Timed;
  let sql: Awaited<ReturnType<typeof pgliteSql>>;
  beforeAll(async () => {
    sql = await pgliteSql();
    timed = await timedHeartbeat(sql);
  }, 600_000);
  afterAll(() => sql.close());
  timedHeartbeatSuite('by a clock of its own', () => timed);
});

describe('a store on PGlite in a folder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'maw-pglite-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is there again when it is opened again, and cannot be opened twice at once', async () => {
    const store = await pgliteStore({ folder });
    await store.tapes.append('t', 0, [{ type: 'opened', at: 'dawn' }], about({ wake: 7 }));
    const second = await pgliteStore({ folder }).catch((error: unknown) => error);
    expect(second).toBeInstanceOf(FolderInUse);
    expect(second).toMatchObject({ folder, pid: process.pid });
    await store.close();

    const again = await pgliteStore({ folder });
    expect((await again.tapes.read('t')).map(({ event }) => event)).toEqual([{ type: 'opened', at: 'dawn' }]);
    expect(await again.tapes.due(7, 1)).toEqual([{ table: 't', alarm: 7 }]);
    await again.close();
  }, 600_000);

  it('lets go of the folder when its tables are newer than the program', async () => {
    const sql = await pgliteSql(folder);
    const store = await sqlStore(sql);
    await sql.query('insert into schema_version values (99, now())');
    await store.close();
    await expect(pgliteStore({ folder })).rejects.toThrow(/version 99.*start a newer program/);
    await (await lockFolder(folder)).release();
  }, 600_000);
});
