import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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

/** A store whose closing leaves the database open. */
const openStore = () => sqlStore({ ...sql, close: () => Promise.resolve() });

storeSuite('the store on PGlite', async () => ({ store: await openStore(), clear: () => truncateAll(sql) }));

describe('the heartbeat on PGlite', () => {
  let timed: Awaited<ReturnType<typeof timedHeartbeat>>;
  beforeAll(async () => {
    timed = await timedHeartbeat(sql);
  });
  timedHeartbeatSuite('with a clock of its own', () => timed);
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
