import { Client } from 'pg';
import type { Sql } from './sql.ts';

/** Where integration tests may make databases; undefined when there is no server for them. */
export const databaseUrl = process.env['DATABASE_URL'];

let made = 0;

/** An empty database of its own on the test server. Closing drops it, whoever is still connected. */
export async function testDatabase(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const name = `maw_test_${process.pid}_${++made}`;
  await onServer(`create database ${name}`);
  const url = new URL(databaseUrl!);
  url.pathname = `/${name}`;
  return { url: url.href, close: () => onServer(`drop database if exists ${name} with (force)`) };
}

/** Empties all tables of a store. */
export async function empty(sql: Sql): Promise<void> {
  await sql.query('truncate game, tape, result, room, line, line_archive, mark, thought, memory');
}

async function onServer(statement: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
