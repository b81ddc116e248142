import type { PermissionName } from '@maw/contracts/http/route.ts';
import type { Bearer } from './roles.ts';
import { denied, requireSeat, requireToken } from './authorize.ts';

/** Which tokens a route takes: in words, and as the check that comes before everything else. */
export interface Permission {
  readonly words: string;
  /** Whether a request needs no token. */
  readonly isPublic?: boolean;
  /** @param params the parsed parts of the path; @throws Problem no-token, forbidden */
  check(bearer: Bearer, params: { readonly [name: string]: unknown }): void;
}

type Pass = Bearer['pass'];

/** A permission of some roles, whatever the path. @param why what others are told */
const ofRoles = (words: string, roles: readonly Pass['role'][], why: string): Permission => ({
  words,
  check(bearer) {
    if (!roles.includes(bearer.pass.role)) throw denied(bearer, why);
  },
});

/** A permission at the table of the path. @param why what others are told */
const atTable = (
  words: string,
  isMet: (pass: Pass, table: string, seat: number) => boolean,
  why: (table: string) => string,
): Permission => ({
  words,
  check(bearer, params) {
    const table = String(params['table']);
    if (!isMet(bearer.pass, table, Number(params['seat']))) throw denied(bearer, why(table));
  },
});

const ONLY_ADMIN = 'only an administrator may do this';

/** The permissions that routes name. */
export const permissions: { readonly [name in PermissionName]: Permission } = {
  anyone: { words: 'none', isPublic: true, check: () => undefined },
  anyToken: { words: 'any', check: requireToken },
  admin: ofRoles('`admin`', ['admin'], ONLY_ADMIN),
  opener: ofRoles('`admin`', ['admin', 'anybody'], 'only an administrator may open tables'),
  /** Who looks after running tables; anybody where the service is open. */
  operator: ofRoles('`admin`', ['admin', 'anybody'], ONLY_ADMIN),
  linker: ofRoles('`admin`; `seat` for its own links', ['admin', 'seat'], ONLY_ADMIN),
  anySeat: { words: '`seat`', check: requireSeat },
  agent: ofRoles('`agent`', ['agent'], 'this needs the key of a program: a token of `agent`'),
  joiner: atTable(
    '`join` of the table; `agent`; `admin`',
    (pass, table) => ['admin', 'anybody', 'agent'].includes(pass.role) || (pass.role === 'join' && pass.table === table),
    (table) => `joining ${table} needs an invitation: a \`join\` token of that table`,
  ),
  ownSeat: atTable(
    '`seat` of the table',
    (pass, table) => pass.role === 'seat' && pass.table === table,
    (table) => `this needs the token of a seat at ${table}`,
  ),
  ownSeatOrAdmin: atTable(
    'that `seat` of the table; `admin`',
    (pass, table, seat) => pass.role === 'admin' || (pass.role === 'seat' && pass.table === table && pass.seat === seat),
    (table) => `this needs the token of that seat at ${table}, or an administrator's`,
  ),
  /** Which eyes a token permits depends on the query: the handler asks `eyeFor`. */
  watcher: { words: '`seat`, `spectator` of the table; `admin` as every eye', check: requireToken },
  inRoom: { words: '`seat` in the room; `admin` with `as=seat:3`', check: requireToken },
  /** Who may read thoughts depends on the table: the handler asks `requireInsight`. */
  insight: { words: '`admin`; others as the table’s `insight` says', check: requireToken },
};
