import {
  requireAdmin,
  requireAgent,
  requireJoiner,
  requireLinker,
  requireOpener,
  requireOperator,
  requireOwnSeat,
  requireOwnSeatOrAdmin,
  requireSeat,
  requireToken,
} from './authorize.ts';
import type { PermissionName } from '@maw/contracts/http/route.ts';
import type { Bearer } from './authenticate.ts';

/** Which tokens a route takes: in words, and as the check that comes before everything else. */
export interface Permission {
  readonly words: string;
  /** Whether a request needs no token. */
  readonly isPublic?: boolean;
  /** @param params the parsed parts of the path; @throws Problem no-token, forbidden */
  check(bearer: Bearer, params: { readonly [name: string]: unknown }): void;
}

const tableOf = (params: { readonly [name: string]: unknown }): string => String(params['table']);

/** The permissions that routes name. */
export const permissions: { readonly [name in PermissionName]: Permission } = {
  anyone: { words: 'none', isPublic: true, check: () => undefined },
  anyToken: { words: 'any', check: requireToken },
  admin: { words: '`admin`', check: requireAdmin },
  opener: { words: '`admin`', check: requireOpener },
  operator: { words: '`admin`', check: requireOperator },
  linker: { words: '`admin`; `seat` for its own links', check: requireLinker },
  anySeat: { words: '`seat`', check: requireSeat },
  agent: { words: '`agent`', check: requireAgent },
  joiner: { words: '`join` of the table; `agent`; `admin`', check: (bearer, params) => requireJoiner(bearer, tableOf(params)) },
  ownSeat: { words: '`seat` of the table', check: (bearer, params) => requireOwnSeat(bearer, tableOf(params)) },
  ownSeatOrAdmin: {
    words: 'that `seat` of the table; `admin`',
    check: (bearer, params) => requireOwnSeatOrAdmin(bearer, tableOf(params), Number(params['seat'])),
  },
  /** Which eyes a token permits depends on the query: the handler asks `eyeFor`. */
  watcher: { words: '`seat`, `spectator` of the table; `admin` as every eye', check: requireToken },
  inRoom: { words: '`seat` in the room; `admin` with `as=seat:3`', check: requireToken },
  /** Who may read thoughts depends on the table: the handler asks `requireInsight`. */
  insight: { words: '`admin`; others as the table’s `insight` says', check: requireToken },
};
