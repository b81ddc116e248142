import { expect, it } from '@jest/globals';
import { pgliteSql } from '../pglite.ts';
import { sqlStore } from './sql-store.ts';

it('the database lets nobody change or remove an entry of the audit log', async () => {
  const sql = await pgliteSql();
  const store = await sqlStore(sql);
  const act = { id: 'a', at: 1, who: 'boss', token: 'k', from: '::1', what: 'POST /tables', about: {}, outcome: 'done' };
  await store.auditLog.write(act);
  await expect(sql.query(`update audit set who = 'nobody'`)).rejects.toThrow(/only ever added to/);
  await expect(sql.query('delete from audit')).rejects.toThrow(/only ever added to/);
  await store.auditLog.finish({ id: 'a', at: 2, about: {}, outcome: 'done' });
  await expect(sql.query(`update audit_outcome set outcome = 'nothing'`)).rejects.toThrow(/only ever added to/);
  await expect(sql.query('delete from audit_outcome')).rejects.toThrow(/only ever added to/);
  expect(await store.auditLog.list({ limit: 2 })).toEqual([{ ...act, n: 1 }]);
  await store.close();
}, 600_000);
