import { metrics } from '@maw/telemetry/metrics.ts';
import type { Sql } from './sql.ts';

/** What a database takes, and who waits in it. */
export interface DatabaseUse {
  readonly bytes: number;
  /** The age of the oldest open transaction, in seconds; of others than this role only where it may read `pg_stat_activity` (pg_read_all_stats). */
  readonly oldestTransactionS: number;
  /** How many locks somebody has waited for longer than a second. */
  readonly locksWaiting: number;
}

/** No table is read or locked for it. */
const USE = `select pg_database_size(current_database()) as bytes,
  (select count(*) from pg_locks where not granted and waitstart < clock_timestamp() - interval '1 s') as locks,
  (select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8 from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()) as oldest`;

export async function databaseUse(sql: Sql): Promise<DatabaseUse> {
  const { rows } = await sql.query<{ bytes: number; locks: number; oldest: number }>(USE);
  const { bytes, locks, oldest } = rows[0]!;
  return { bytes, oldestTransactionS: Math.max(0, oldest), locksWaiting: locks };
}

interface ShowOptions {
  readonly service: string;
  /** The size of its disk, which cannot be asked over SQL. */
  readonly diskBytes?: number | undefined;
  readonly everyMs?: number;
}

/** Shows what the database takes as metrics. While it does not answer they are gone: an outdated number would be misleading. Returns how to stop. */
export function showDatabaseUse(read: () => Promise<DatabaseUse>, { service, diskBytes, everyMs = 10_000 }: ShowOptions): () => void {
  const { databaseBytes, databaseDisk, oldestTransaction, locksWaiting } = metrics;
  const hide = (): void => {
    for (const one of [databaseBytes, oldestTransaction, locksWaiting]) one.remove({ service });
  };
  const show = (use: DatabaseUse): void => {
    databaseBytes.set({ service }, use.bytes);
    oldestTransaction.set({ service }, use.oldestTransactionS);
    locksWaiting.set({ service }, use.locksWaiting);
  };
  const look = (): void => void read().then(show, hide);
  if (diskBytes !== undefined) databaseDisk.set({ service }, diskBytes);
  look();
  const timer = setInterval(look, everyMs);
  return () => clearInterval(timer);
}
