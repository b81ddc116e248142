import { postgresSql } from '@maw/store/postgres.ts';
import { roleNames, rolesSql } from '@maw/store/sql/roles.ts';
import type { CliConfig } from '../config.ts';
import { say } from '../output.ts';
import { databaseTls } from '@maw/dev-servers/tls.ts';
import { readPasswords } from './passwords.ts';

/**
 * `maw roles`: makes the roles of the services in DATABASE_URL and gives them their passwords; again without harm.
 * @throws Error when a password is missing, or the database lets nobody make roles under this name
 */
export async function makeRoles({ passwords }: { readonly passwords: string }, config: CliConfig): Promise<void> {
  if (config.databaseUrl === undefined) throw new Error('which database? Set DATABASE_URL to its address, with a user that may make roles');
  const wanted = await readPasswords(passwords, roleNames());
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
    say(`The roles ${[...wanted.keys()].join(', ')} are there and have their passwords.`);
  } finally {
    await sql.close();
  }
}
