import { postgresSql } from '@maw/store/postgres.ts';
import { migrateAsOwner } from '@maw/store/sql/roles.ts';
import type { CliConfig } from '../config.ts';
import { databaseTls } from '@maw/dev-servers/tls.ts';

/** `maw migrate`: for installations in which services may not change tables (docs/security-broker.md). */
export async function migrateTables({ json }: { readonly json: boolean }, config: CliConfig): Promise<void> {
  if (config.databaseUrl === undefined)
    throw new Error('which database? Set DATABASE_URL to its address, with the user that owns the tables');
  const sql = postgresSql({ url: config.databaseUrl, tls: databaseTls(config.all), service: 'maw', statementMs: 3_600_000 });
  try {
    const hasRoles = await migrateAsOwner(sql);
    const says = hasRoles
      ? 'The tables are up to date, and the roles of the services have their privileges.'
      : 'The tables are up to date. There are no roles for the services (infra/postgres/roles.sql).';
    process.stdout.write(json ? `${JSON.stringify({ hasRoles })}\n` : `${says}\n`);
  } finally {
    await sql.close();
  }
}
