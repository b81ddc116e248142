import { metrics, onCollect } from '@maw/telemetry/metrics.ts';
import type { Sql } from './sql.ts';

/** Statements that are timed, the wait for a connection included, by whether they were done. What they say is nowhere in the measures. */
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

/** What a pool of connections says of itself. */
export interface PoolStats {
  /** Connections, those that are being made included. */
  readonly totalCount: number;
  readonly idleCount: number;
  /** Statements that no connection was free for. */
  readonly waitingCount: number;
  readonly options: { readonly max: number };
}

const pools = new Map<string, Set<PoolStats>>();

/** Shows the connections of a service: of all its pools together, for it may have several. Returns how this one is shown no more. */
export function exposePoolMetrics(pool: PoolStats, service: string): () => void {
  const mine = pools.get(service) ?? new Set();
  pools.set(service, mine.add(pool));
  const all = (of: (each: PoolStats) => number): number => [...mine].reduce((sum, each) => sum + of(each), 0);
  const { databaseConnections, databaseConnectionsMost, databaseWaiting } = metrics;
  const forget = [
    onCollect(databaseConnections, () => {
      databaseConnections.set(
        { service, state: 'used' },
        all((each) => each.totalCount - each.idleCount),
      );
      databaseConnections.set(
        { service, state: 'idle' },
        all((each) => each.idleCount),
      );
    }),
    onCollect(databaseConnectionsMost, () =>
      databaseConnectionsMost.set(
        { service },
        all((each) => each.options.max),
      ),
    ),
    onCollect(databaseWaiting, () =>
      databaseWaiting.set(
        { service },
        all((each) => each.waitingCount),
      ),
    ),
  ];
  return () => {
    for (const each of forget) each();
    if (!mine.delete(pool) || mine.size > 0) return;
    for (const state of ['used', 'idle']) databaseConnections.remove({ service, state });
    databaseConnectionsMost.remove({ service });
    databaseWaiting.remove({ service });
  };
}
