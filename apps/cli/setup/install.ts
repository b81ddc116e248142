import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brokerUsers, definitions } from '@maw/bus/rabbitmq/definitions.ts';
import { databaseTls } from '@maw/dev-servers/tls.ts';
import { postgresSql } from '@maw/store/postgres.ts';
import { migrateAsOwner, roleNames, rolesSql } from '@maw/store/sql/roles.ts';
import type { CliConfig } from '../config.ts';
import { say } from '../output.ts';

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

/**
 * The passwords of some users, each from the file in a folder that has the name of the user.
 * @throws Error that names every file that is missing or empty
 */
async function readPasswords(folder: string, users: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const passwords = new Map<string, string>();
  const wrong: string[] = [];
  for (const user of users) {
    const file = join(folder, user);
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => void wrong.push(`${file} (${error.code})`));
    const password = text?.replace(/\r?\n$/, '');
    if (password) passwords.set(user, password);
    else if (password === '') wrong.push(`${file} (empty)`);
  }
  if (wrong.length > 0) throw new Error(`each user or role needs a file with its password; there is none in ${wrong.join(', ')}`);
  return passwords;
}

interface DefinitionsOptions {
  readonly vhost: string;
  readonly passwords?: string;
}

/** `maw definitions`: what infra/rabbitmq/definitions.json says, with the hashes of passwords. */
export async function printDefinitions({ vhost, passwords: folder }: DefinitionsOptions): Promise<void> {
  const passwords = folder === undefined ? undefined : await readPasswords(folder, brokerUsers);
  say(JSON.stringify(definitions({ vhost, passwordOf: (user) => passwords?.get(user) }), undefined, 2));
}

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
