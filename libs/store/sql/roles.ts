import { migrate } from './schema.ts';
import type { Sql } from '../driver/sql.ts';

type Verb = 'select' | 'insert' | 'update' | 'delete';
type Rights = { readonly [table: string]: readonly Verb[] };

const ADD: readonly Verb[] = ['select', 'insert'];
const KEEP: readonly Verb[] = ['select', 'insert', 'update'];

/** What a role may do with tables, and with sequences by `next`. Nobody but the owner may change the tables themselves. */
interface Role {
  readonly name: string;
  /** For people: who comes by this role. */
  readonly says: string;
  readonly may: Rights | 'read' | 'remove';
  readonly next?: readonly string[];
}

/** Every table there is, so that a new one is given to somebody, or kept from everybody, on purpose. */
export const TABLES = [
  'game',
  'tape',
  'result',
  'pulse',
  'room',
  'line',
  'line_archive',
  'mark',
  'thought',
  'memory',
  'take',
  'tally',
  'permit',
  'revocation',
  'audit',
  'audit_outcome',
] as const;

/** One role for each service, with no more than its statements need; tapes and the audit log are only ever added to. */
const roles: readonly Role[] = [
  { name: 'gamemaster', says: 'the gamemaster', may: { game: KEEP, tape: ADD, result: ADD, pulse: KEEP } },
  // Locking a row needs `update`; lines are moved, never changed.
  { name: 'chatroom', says: 'the chatroom', may: { room: KEEP, line: [...ADD, 'delete'], line_archive: ADD, mark: KEEP } },
  { name: 'player', says: 'the player', may: { thought: KEEP, memory: KEEP } },
  {
    name: 'llm_gateway',
    says: 'the llm-gateway, for recordings and what was used of budgets',
    may: { take: KEEP, tally: [...KEEP, 'delete'] },
  },
  {
    name: 'web',
    says: 'the web',
    may: { permit: [...KEEP, 'delete'], revocation: [...ADD, 'delete'], audit: ADD, audit_outcome: ADD },
    next: ['permit_n'],
  },
  { name: 'reader', says: 'dashboards, and `maw verify`', may: 'read' },
  { name: 'keeper', says: '`maw retention`', may: 'remove' },
];

/** What is not of a table, and goes by other ways or never. */
const NEVER_REMOVED: readonly (typeof TABLES)[number][] = ['audit', 'audit_outcome', 'pulse', 'tally'];

/** What stands before the names of roles, which all databases of a server share. */
export const ROLE_PREFIX = 'maw_';
const OWNER = 'owner';

/** The names of all roles, that of the owner first. */
export const roleNames = (prefix = ROLE_PREFIX): readonly string[] =>
  [OWNER, ...roles.map(({ name }) => name)].map((name) => prefix + name);

/**
 * Makes the roles, for whoever may make roles; once for each database, and again without harm. They may log in, but have no password yet: until
 * they are given one, nobody comes in by them.
 */
export function rolesSql(prefix = ROLE_PREFIX): string {
  const make = roleNames(prefix).map(
    (name) => `  if not exists (select from pg_roles where rolname = '${name}') then create role ${name} login; end if;`,
  );
  const others = roles.map(({ name }) => prefix + name).join(', ');
  return `do $roles$
begin
${make.join('\n')}
  execute format('revoke all on database %I from public', current_database());
  execute format('grant connect on database %I to ${roleNames(prefix).join(', ')}', current_database());
end $roles$;
revoke all on schema public from public;
grant usage, create on schema public to ${prefix}${OWNER};
grant usage on schema public to ${others};
`;
}

/** Says what each role may do, for the owner of the tables; after every change of the tables, and again without harm. */
export function grantsSql(prefix = ROLE_PREFIX): string {
  const lines = roles.flatMap((role) => {
    const to = `${prefix}${role.name}`;
    return [
      `-- ${to}: ${role.says}`,
      `revoke all on all tables in schema public from ${to};`,
      `revoke all on all sequences in schema public from ${to};`,
      `grant select on schema_version to ${to};`,
      ...granted(role).map(([verbs, tables]) => `grant ${verbs} on ${tables} to ${to};`),
      ...(role.next ?? []).map((sequence) => `grant usage on sequence ${sequence} to ${to};`),
    ];
  });
  return `begin;\n${lines.join('\n')}\ncommit;\n`;
}

function granted({ may }: Role): readonly (readonly [verbs: string, tables: string])[] {
  const all = TABLES.join(', ');
  if (may === 'read') return [['select', all]];
  // What has a result to keep is marked as retired, so its row is changed.
  if (may === 'remove')
    return [
      ['select', all],
      ['delete', TABLES.filter((table) => !NEVER_REMOVED.includes(table)).join(', ')],
      ['update', 'game'],
    ];
  return Object.entries(may).map(([table, verbs]) => [verbs.join(', '), table]);
}

/**
 * Brings the tables up to date, as their owner, and says anew what each role may do where the roles are there.
 * @returns whether they are
 * @throws Error when only some of them are, or this is not the owner
 */
export async function migrateAsOwner(sql: Sql, prefix = ROLE_PREFIX): Promise<boolean> {
  await migrate(sql);
  const wanted = roleNames(prefix);
  const { rows } = await sql.query<{ rolname: string }>('select rolname from pg_roles');
  const missing = wanted.filter((name) => !rows.some(({ rolname }) => rolname === name));
  if (missing.length === wanted.length) return false;
  if (missing.length > 0)
    throw new Error(`there are roles of this program, but not ${missing.join(', ')}: run infra/postgres/roles.sql again`);
  await sql.query(grantsSql(prefix));
  return true;
}
