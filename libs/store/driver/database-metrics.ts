import { metrics, onCollect } from '@maw/telemetry/metrics.ts';
import type { Sql } from './sql.ts';

/** Measures the duration of statements, the wait for a connection included, by outcome. */
export const timedSql = (sql: Sql, service: string): Sql => ({
  async query(text, params) {
    const stop = metrics.statementSeconds.startTimer({ service });
    try {
      const answered = await sql.query<never>(text, params);
      stop({ outcome: 'done' });
      return answered;
    } catch (error) {
      stop({ outcome: 'failed' });
      throw error;
    }
  },
  close: () => sql.close(),
});

/** What a connection pool says of itself. */
interface PoolStats {
  /** Connections, including those being opened. */
  readonly totalCount: number;
  readonly idleCount: number;
  /** Statements waiting for a free connection. */
  readonly waitingCount: number;
  readonly options: { readonly max: number };
}

const pools = new Map<string, Set<PoolStats>>();

/** Exposes the connections of a service, summed over its pools. Returns a function that stops exposing this pool. */
export function exposePoolMetrics(pool: PoolStats, service: string): () => void {
  const mine = pools.get(service) ?? new Set();
  pools.set(service, mine.add(pool));
  const sum = (of: (each: PoolStats) => number): number => [...mine].reduce((all, each) => all + of(each), 0);
  const { databaseConnections, databaseConnectionsMost, databaseWaiting } = metrics;
  const stop = [
    onCollect(databaseConnections, () => {
      const [total, idle] = [sum(({ totalCount }) => totalCount), sum(({ idleCount }) => idleCount)];
      databaseConnections.set({ service, state: 'used' }, total - idle);
      databaseConnections.set({ service, state: 'idle' }, idle);
    }),
    onCollect(databaseConnectionsMost, () =>
      databaseConnectionsMost.set(
        { service },
        sum(({ options }) => options.max),
      ),
    ),
    onCollect(databaseWaiting, () =>
      databaseWaiting.set(
        { service },
        sum(({ waitingCount }) => waitingCount),
      ),
    ),
  ];
  return () => {
    for (const each of stop) each();
    if (!mine.delete(pool) || mine.size > 0) return;
    for (const state of ['used', 'idle']) databaseConnections.remove({ service, state });
    databaseConnectionsMost.remove({ service });
    databaseWaiting.remove({ service });
  };
}
