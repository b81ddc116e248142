import { DatabaseError, Pool, types, type CustomTypesConfig, type QueryResultRow } from 'pg';
import { explainTlsError } from '@maw/telemetry/tls-error.ts';
import { errorCode } from './driver/error-code.ts';
import { connectionSettings, type Tls } from './driver/database-url.ts';
import { exposePoolMetrics } from './driver/database-metrics.ts';
import { sqlStore } from './sql/sql-store.ts';
import type { QueryResult, Sql } from './driver/sql.ts';
import type { Store } from './store.ts';

interface PostgresOptions {
  readonly url: string;
  /** Certificates, for a URL with sslmode=verify-full. */
  readonly tls?: Tls | undefined;
  readonly poolSize?: number;
  /** The `service` label of its metrics, and the application_name in pg_stat_activity. */
  readonly service?: string;
  /** Timeout of one statement, in milliseconds. */
  readonly statementMs?: number;
  /** Timeout for getting a connection, in milliseconds. */
  readonly connectMs?: number;
}

/**
 * A store on PostgreSQL 15 or later; migrates the schema. A lost connection fails the statements in flight with an ordinary error, and the
 * next call gets a new connection.
 * @throws DatabaseUnavailable while the database does not answer or has no connection left; Error when its schema is newer than this program,
 * and any other failure as it is
 */
export async function postgresStore(options: PostgresOptions): Promise<Store> {
  const sql = postgresSql(options);
  try {
    return await sqlStore(sql, options.service);
  } catch (error) {
    await sql.close();
    throw explainConnectError(error, hostOf(options.url));
  }
}

/** PostgreSQL as an Sql, through a pool of connections. */
export function postgresSql({ url, tls, poolSize = 10, service = 'maw', statementMs = 15_000, connectMs = 5_000 }: PostgresOptions): Sql {
  const pool = new Pool({
    ...connectionSettings(url, tls),
    max: poolSize,
    application_name: service,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    // In case the server no longer enforces its own timeout.
    query_timeout: statementMs + 5_000,
    keepAlive: true,
    types: exact,
  });
  // An idle connection that breaks has left the pool already; without a listener the error would end the process.
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
      const { rows, rowCount } = await pool.query<R & QueryResultRow>(text, [...params]).catch((error: Error) => {
        if (error.message !== 'timeout exceeded when trying to connect') throw error; // pg-pool has no code for it
        const why = `all ${poolSize} connections to the database were in use for ${connectMs} ms (${error.message})`;
        throw new Error(`${why}: if it is not the database that is slow, raise DATABASE_POOL`, { cause: error });
      });
      return { rows, affected: rowCount ?? 0 };
    },
    close: () => (ending ??= end()),
  };
}

/** int8 as a number, where the driver has text. No stored value is beyond 2^53. */
const exact: CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format)),
};

/** The database cannot be used now; the same may work later. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  readonly isTemporary = true;
}

/** SQLSTATEs of a server without resources (class 53: connections, memory, disk), and of one that starts or stops. */
const UNAVAILABLE = /^(53...|57P0[123])$/;

/** An AggregateError, one error for each address tried, has no message of its own. */
const reasonOf = (error: unknown) => (error instanceof Error && error.message) || errorCode(error) || String(error);

/** The driver has a text, and no code, for a timeout or the end of a connection. */
const isNetworkFailure = (error: unknown): boolean =>
  /^E(?!RR_)[A-Z]/.test(errorCode(error) ?? '') || /timeout|timed out|connection (terminated|ended)|not queryable/i.test(reasonOf(error));

function explainConnectError(error: unknown, host: string): unknown {
  const [reason, cause] = [reasonOf(error), { cause: error }];
  const of = `PostgreSQL at ${host}`;
  if (error instanceof DatabaseError) {
    const isFull = error.code === '53300';
    const advice = isFull ? ': it has no connection left; raise max_connections there, or lower DATABASE_POOL' : '';
    return UNAVAILABLE.test(error.code ?? '') ? new DatabaseUnavailable(`${of} cannot be used (${reason})${advice}`, cause) : error;
  }
  const tls = explainTlsError(error, of, 'DATABASE');
  if (tls !== undefined) return new Error(tls, cause);
  if (/does not support SSL/i.test(reason))
    return new Error(`${of} does not encrypt (${reason}): set ssl=on there, or leave sslmode out of DATABASE_URL`, cause);
  if (!isNetworkFailure(error)) return error;
  return new DatabaseUnavailable(`${of} does not answer (${reason}): is it running, and is the URL right?`, cause);
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : 'an address that is not a URL');
