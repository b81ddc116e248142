import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { postgresSql } from '@maw/store/postgres.ts';
import { roleNames, rolesSql } from '@maw/store/sql/roles.ts';
import type { CliConfig } from '../config.ts';
import { databaseTls } from '../tls.ts';

/**
 * `maw roles`: makes the roles of the services in DATABASE_URL and gives them their passwords; again without harm.
 * @throws Error when a password is missing, or the database lets nobody make roles under this name
 */
export async function makeRoles({ passwords }: { readonly passwords: string }, config: CliConfig): Promise<number> {
  if (config.databaseUrl === undefined) throw new Error('which database? Set DATABASE_URL to its address, with a user that may make roles');
  const wanted = new Map<string, string>();
  const missing: string[] = [];
  for (const role of roleNames()) {
    const file = join(passwords, role);
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => void missing.push(`${file} (${error.code})`));
    const password = text?.replace(/\r?\n$/, '');
    if (password) wanted.set(role, password);
    else if (password === '') missing.push(`${file} (empty)`);
  }
  if (missing.length > 0) throw new Error(`each role needs a file with its password; there is none in ${missing.join(', ')}`);
  const sql = postgresSql({ url: config.databaseUrl, tls: databaseTls(config.all), service: 'maw', poolSize: 1 });
  try {
    await sql.query(rolesSql());
    for (const [role, password] of wanted) {
      // A statement about roles takes no parameters, so the database itself writes it.
      const { rows } = await sql.query<{ statement: string }>(
        `select format('alter role %I password %L', $1::text, $2::text) as statement`,
        [role, password],
      );
      await sql.query(rows[0]!.statement);
    }
    process.stdout.write(`The roles ${[...wanted.keys()].join(', ')} are there and have their passwords.\n`);
    return 0;
  } finally {
    await sql.close();
  }
}
