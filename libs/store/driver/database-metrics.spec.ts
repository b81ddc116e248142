import { beforeEach, describe, expect, it } from '@jest/globals';
import { metrics, registry } from '@maw/telemetry/metrics.ts';
import { exposePoolMetrics, timedSql } from './database-metrics.ts';
import { sqlStore } from '../sql/sql-store.ts';
import type { Sql } from './sql.ts';

beforeEach(() => registry.resetMetrics());

const statements = async () =>
  (await metrics.statementSeconds.get()).values.flatMap(({ metricName, labels, value }) =>
    metricName?.endsWith('_count') ? [[labels.service, labels.outcome, value]] : [],
  );
const values = async (metric: 'databaseConnections' | 'databaseConnectionsMost' | 'databaseWaiting') =>
  (await metrics[metric].get()).values
    .filter(({ labels }) => String(labels.service).startsWith('pools'))
    .map(({ labels, value }) => [...Object.values(labels), value]);

describe('statements', () => {
  const failing: Sql = { query: () => Promise.reject(new Error('no')), close: () => Promise.resolve() };
  const answering: Sql = { query: () => Promise.resolve({ rows: [], affected: 7 }), close: () => Promise.resolve() };

  it('are counted by outcome, and return or throw as without metrics', async () => {
    expect(await timedSql(answering, 'one').query('select 1')).toEqual({ rows: [], affected: 7 });
    await expect(timedSql(failing, 'one').query('select 1')).rejects.toThrow('no');
    await expect(timedSql(failing, 'one').query('select 1')).rejects.toThrow('no');
    expect(await statements()).toEqual([
      ['one', 'done', 1],
      ['one', 'failed', 2],
    ]);
  });

  it('of a store are measured after its migration, and its conflicts begin at 0', async () => {
    const store = await sqlStore(answering, 'embedded');
    expect(await statements()).toEqual([]);
    await store.ping();
    await store.ping();
    expect(await statements()).toEqual([['embedded', 'done', 2]]);
    expect((await metrics.conflicts.get()).values).toMatchObject([{ labels: { service: 'embedded' }, value: 0 }]);
    await store.close();
  });
});

describe('the connections of a service', () => {
  it('are summed over its pools at each scrape, until the last is closed', async () => {
    const first = { totalCount: 3, idleCount: 1, waitingCount: 5, options: { max: 10 } };
    const second = { totalCount: 1, idleCount: 1, waitingCount: 0, options: { max: 2 } };
    const forget = [exposePoolMetrics(first, 'pools'), exposePoolMetrics(second, 'pools')];
    const others = exposePoolMetrics(first, 'pools elsewhere');
    const elsewhere = [
      ['pools elsewhere', 'used', 2],
      ['pools elsewhere', 'idle', 1],
    ];
    expect(await values('databaseConnections')).toEqual([['pools', 'used', 2], ['pools', 'idle', 2], ...elsewhere]);
    expect(await values('databaseConnectionsMost')).toEqual([
      ['pools', 12],
      ['pools elsewhere', 10],
    ]);
    second.waitingCount = 4;
    expect(await values('databaseWaiting')).toEqual([
      ['pools', 9],
      ['pools elsewhere', 5],
    ]);
    forget[0]!();
    expect(await values('databaseWaiting')).toEqual([
      ['pools', 4],
      ['pools elsewhere', 5],
    ]);
    forget[1]!();
    expect(await values('databaseConnections')).toEqual(elsewhere);
    expect(await values('databaseWaiting')).toEqual([['pools elsewhere', 5]]);
    others();
    expect(await values('databaseConnectionsMost')).toEqual([]);
  });
});
