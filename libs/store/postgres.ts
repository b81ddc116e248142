import { DatabaseError, Pool, types, type CustomTypesConfig, type QueryResultRow } from 'pg';
import { explainTlsError } from '@maw/telemetry/tls-error.ts';
import { errorCode } from './driver/error-code.ts';
import { connectionSettings, type Tls } from './driver/database-url.ts';
import { exposePoolMetrics } from './driver/database-metrics.ts';
import { sqlStore } from './sql/sql-store.ts';
import type { QueryResult, Sql } from './driver/sql.ts';
import type { Store } from './store.ts';

export interface PostgresOptions {
  readonly url: string;
  /** For an address with sslmode=verify-full: whom we trust, and who we are. */
  readonly tls?: Tls | undefined;
  readonly poolSize?: number;
  /** The label of its measures, and how it shows up in pg_stat_activity. */
  readonly service?: string;
  /** How long one statement may take. */
  readonly statementMs?: number;
  /** How long to wait for a connection. */
  readonly connectMs?: number;
}

/**
 * A store on PostgreSQL 15 or later. Creates its tables, or brings them up to date. A lost connection is an ordinary error of whatever was
 * under way; the next call gets a new one.
 * @throws when the database does not answer, or a newer program has been here before
 */
export async function postgresStore(options: PostgresOptions): Promise<Store> {
  const sql = postgresSql(options);
  try {
    return await sqlStore(sql, options.service);
  } catch (error) {
    await sql.close();
    throw reachable(error) ? error : new Error(whatIsWrong(error, hostOf(options.url)), { cause: error });
  }
}

/** PostgreSQL as the store wants it, through a pool of connections. */
export function postgresSql({ url, tls, poolSize = 10, service = 'maw', statementMs = 15_000, connectMs = 5_000 }: PostgresOptions): Sql {
  const pool = new Pool({
    ...connectionSettings(url, tls),
    max: poolSize,
    application_name: service,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    // For when the server is too far gone to keep its own time.
    query_timeout: statementMs + 5_000,
    keepAlive: true,
    types: exact,
  });
  // An idle connection that breaks has already left the pool; without a listener it would take the process along.
  pool.on('error', () => undefined);
  const forget = exposePoolMetrics(pool, service);
  let ending: Promise<void> | undefined;
  const end = async () => {
    try {
      await pool.end();
    } finally {
      forget();
    }
  };
  return {
    async query<R>(text: string, params: readonly (string | number | boolean | null)[] = []): Promise<QueryResult<R>> {
      const { rows, rowCount } = await pool.query<R & QueryResultRow>(text, [...params]);
      return { rows, affected: rowCount ?? 0 };
    },
    close: () => (ending ??= end()),
  };
}

/** Whole numbers of 8 bytes as numbers; the driver would make text of them. None of ours is beyond 2^53. */
const exact: CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format)),
};

/** Whether the database itself has said no: then its own words are the best. */
const reachable = (error: unknown) => error instanceof DatabaseError;

/** The system's errors may come as a bundle, one for each address that was tried, without a word of its own. */
const why = (error: unknown) => (error instanceof Error && error.message) || errorCode(error) || String(error);

const whatIsWrong = (error: unknown, host: string): string =>
  explainTlsError(error, `PostgreSQL at ${host}`, 'DATABASE') ??
  (/does not support SSL/i.test(why(error))
    ? `PostgreSQL at ${host} does not encrypt (${why(error)}): set ssl=on there, or leave sslmode out of DATABASE_URL`
    : `PostgreSQL at ${host} does not answer (${why(error)}): is it running, and is the address right?`);

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : 'an address that is not a URL');
