import { migrate } from './schema.ts';
import type { Sql } from '../driver/sql.ts';

type Verb = 'select' | 'insert' | 'update' | 'delete';
type Rights = { readonly [table: string]: readonly Verb[] };

const READ: readonly Verb[] = ['select'];
const ADD: readonly Verb[] = ['select', 'insert'];
const KEEP: readonly Verb[] = ['select', 'insert', 'update'];

/** A database role and its privileges on tables, and with `next` on sequences. Only the owner may change the schema. */
interface Role {
  readonly name: string;
  /** Who uses this role, for the comment in grants.sql. */
  readonly says: string;
  readonly may: Rights | 'read' | 'remove';
  readonly next?: readonly string[];
}

/** All tables: a test holds the list, so that every new table is granted, or withheld, on purpose. */
export const TABLES = [
  'game',
  'tape',
  'result',
  'score',
  'pulse',
  'room',
  'line',
  'line_archive',
  'mark',
  'thought',
  'memory',
  'take',
  'pool',
  'experience',
  'strategy_set',
  'strategy',
  'policy',
  'agent_set',
  'agent_fault',
  'contest',
  'pairing',
  'tally',
  'gateway_key',
  'permit',
  'revocation',
  'audit',
  'audit_outcome',
  'llm_usage',
  'llm_usage_of_seat',
  'llm_usage_writer',
] as const;

/** What models were used for in hours and at tables that are over: readers have these views in place of the tables. */
export const VIEWS = ['llm_usage_past', 'llm_usage_of_seat_past'] as const;

/** One role for each service, with no more than its statements need. Tapes and the audit log are append-only. */
const roles: readonly Role[] = [
  {
    name: 'gamemaster',
    says: 'the gamemaster',
    may: {
      game: KEEP,
      tape: ADD,
      result: ADD,
      score: ADD,
      pulse: KEEP,
      strategy_set: READ,
      strategy: READ,
      pool: READ,
      experience: READ,
      policy: READ,
    },
  },
  // Locking a row needs `update`; lines are moved, never changed.
  { name: 'chatroom', says: 'the chatroom', may: { room: KEEP, line: [...ADD, 'delete'], line_archive: ADD, mark: KEEP } },
  {
    name: 'player',
    says: 'the player, `maw experience`, `maw strategy` and `maw policy`',
    may: { thought: KEEP, memory: KEEP, pool: ADD, experience: ADD, strategy_set: KEEP, strategy: ADD, policy: ADD },
  },
  {
    name: 'llm_gateway',
    says: 'the llm-gateway, for recordings, what was used of budgets, and by whom, and created keys',
    may: {
      take: KEEP,
      tally: [...KEEP, 'delete'],
      llm_usage: KEEP,
      llm_usage_of_seat: KEEP,
      llm_usage_writer: KEEP,
      llm_usage_past: READ,
      llm_usage_of_seat_past: READ,
      gateway_key: [...ADD, 'delete'],
    },
  },
  {
    name: 'web',
    says: 'the web',
    may: { permit: [...KEEP, 'delete'], revocation: [...ADD, 'delete'], audit: ADD, audit_outcome: ADD },
    next: ['permit_n'],
  },
  { name: 'aiwolf', says: 'the servers for outside agents', may: { agent_set: KEEP, agent_fault: ADD } },
  {
    name: 'contest',
    says: 'the contests, and the pools of their agents that learn from game to game',
    may: {
      contest: KEEP,
      pairing: KEEP,
      policy: READ,
      tape: READ,
      thought: READ,
      pool: ADD,
      experience: ADD,
      strategy_set: READ,
      strategy: READ,
    },
  },
  { name: 'reader', says: 'dashboards, and `maw verify`', may: 'read' },
  { name: 'keeper', says: '`maw retention`, `maw dead --drop` and `maw restore-test --live`', may: 'remove' },
];

/** What only the service itself reads: nobody else has to know whose digests there are. */
const PRIVATE: readonly (typeof TABLES)[number][] = ['gateway_key'];

/** Tables that retention never deletes from. */
const NEVER_REMOVED: readonly (typeof TABLES)[number][] = [
  'audit',
  'audit_outcome',
  'pulse',
  'tally',
  'pool',
  'experience',
  'strategy_set',
  'strategy',
  'policy',
  'contest',
  'pairing',
  'llm_usage',
  'llm_usage_writer',
  ...PRIVATE,
];

/** The prefix of role names, which are global to a server. */
export const ROLE_PREFIX = 'maw_';
const OWNER = 'owner';

/** The names of all roles, that of the owner first. */
export const roleNames = (prefix = ROLE_PREFIX): readonly string[] =>
  [OWNER, ...roles.map(({ name }) => name)].map((name) => prefix + name);

/**
 * SQL that creates the roles, for a user who may create roles. Run it in each database; it is idempotent. The roles may log in once they have
 * been given passwords.
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
  -- It shows the age of the oldest transaction, whoever has it. Without this it sees its own.
  begin
    grant pg_read_all_stats to ${prefix}gamemaster;
  exception when insufficient_privilege then raise notice '${prefix}gamemaster cannot be given pg_read_all_stats';
  end;
end $roles$;
revoke all on schema public from public;
grant usage, create on schema public to ${prefix}${OWNER};
grant usage on schema public to ${others};
`;
}

/** SQL that sets the privileges of every role, for the owner of the tables, after every migration; idempotent. */
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
  const all = TABLES.filter((table) => !PRIVATE.includes(table)).join(', ');
  if (may === 'read')
    return [['select', [...TABLES.filter((table) => !table.startsWith('llm_usage') && !PRIVATE.includes(table)), ...VIEWS].join(', ')]];
  // A table whose result is kept is marked as retired by an update.
  if (may === 'remove')
    return [
      ['select', all],
      ['delete', TABLES.filter((table) => !NEVER_REMOVED.includes(table)).join(', ')],
      ['update', 'game'],
      ['insert', 'audit, audit_outcome'],
    ];
  return Object.entries(may).map(([table, verbs]) => [verbs.join(', '), table]);
}

/**
 * Migrates the schema as its owner, and sets the privileges where the roles exist.
 * @returns whether the roles exist
 * @throws Error when some roles are missing, or this is not the owner
 */
export async function migrateAsOwner(sql: Sql, prefix = ROLE_PREFIX): Promise<boolean> {
  await migrate(sql);
  const wanted = roleNames(prefix);
  const { rows } = await sql.query<{ rolname: string }>('select rolname from pg_roles');
  const missing = wanted.filter((name) => !rows.some(({ rolname }) => rolname === name));
  if (missing.length === wanted.length) return false;
  if (missing.length > 0) throw new Error(`database roles are missing: ${missing.join(', ')}; run infra/postgres/roles.sql again`);
  await sql.query(grantsSql(prefix));
  return true;
}
