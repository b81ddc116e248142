import { Client } from 'pg';
import { sqlHeartbeat } from './sql/heartbeat.ts';
import type { Timed } from './ports/heartbeat.suite.ts';
import { TABLES } from './sql/roles.ts';
import { migrate } from './sql/schema.ts';
import type { Sql } from './driver/sql.ts';

/** The server for integration tests, where they may create databases; undefined when there is none. */
export const databaseUrl = process.env['DATABASE_URL'];

let made = 0;

/** Creates an empty database on the test server. Closing drops it and its connections. */
export async function testDatabase(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const name = `maw_test_${process.pid}_${++made}`;
  await onServer(`create database ${name}`);
  const url = new URL(databaseUrl!);
  url.pathname = `/${name}`;
  return { url: url.href, close: () => drop(name) };
}

/** Empties all tables of a store. Truncating an empty table costs as much as a full one, so those are skipped. */
export async function truncateAll(sql: Sql): Promise<void> {
  await sql.query(`do $$
    declare t text; has_rows boolean;
    begin
      foreach t in array array['${TABLES.join("', '")}'] loop
        execute format('select exists (select from %I)', t) into has_rows;
        if has_rows then execute format('truncate %I restart identity', t); end if;
      end loop;
    end $$`);
}

/** A heartbeat whose clock is a row of a table. */
export async function timedHeartbeat(sql: Sql): Promise<Timed> {
  await migrate(sql);
  await sql.query('create table test_clock (now bigint not null)');
  await sql.query('insert into test_clock values (0)');
  return {
    heartbeat: sqlHeartbeat(sql, '(select test_clock.now from test_clock)'),
    set: async (now) => void (await sql.query('update test_clock set now = $1::bigint', [now])),
    clear: () => truncateAll(sql),
  };
}

/** Resolves once this many statements in this database wait for a lock. */
export async function waitForLocks(client: Client, many: number): Promise<void> {
  const until = Date.now() + 10_000;
  while (Date.now() < until) {
    // Inside a transaction the view is cached until it is cleared.
    await client.query('select pg_stat_clear_snapshot()');
    const { rowCount } = await client.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    if ((rowCount ?? 0) >= many) return;
  }
  throw new Error(`Fewer than ${many} statements wait for a lock`);
}

async function drop(name: string): Promise<void> {
  await onServer(`drop database if exists ${name} with (force)`);
}

/** Runs a statement on the test server itself. */
export async function onServer(statement: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
