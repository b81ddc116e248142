import {
  requireAdmin,
  requireJoiner,
  requireOpener,
  requireOperator,
  requireOwnSeat,
  requireOwnSeatOrAdmin,
  requireSeat,
  requireToken,
} from './authorize.ts';
import type { Bearer } from './authenticate.ts';

/** Which tokens a route takes: in words, and as the check that comes before everything else. */
export interface Permission {
  readonly words: string;
  /** @param params the parsed parts of the path; @throws Problem no-token, forbidden */
  check(bearer: Bearer, params: { readonly [name: string]: unknown }): void;
}

const tableOf = (params: { readonly [name: string]: unknown }): string => String(params['table']);

export const anyToken: Permission = { words: 'any', check: requireToken };
export const admin: Permission = { words: '`admin`', check: requireAdmin };
export const opener: Permission = { words: '`admin`', check: requireOpener };
export const operator: Permission = { words: '`admin`', check: requireOperator };
export const anySeat: Permission = { words: '`seat`', check: requireSeat };

export const joiner: Permission = {
  words: '`join` of the table; `admin`',
  check: (bearer, params) => requireJoiner(bearer, tableOf(params)),
};

export const ownSeat: Permission = {
  words: '`seat` of the table',
  check: (bearer, params) => requireOwnSeat(bearer, tableOf(params)),
};

export const ownSeatOrAdmin: Permission = {
  words: 'that `seat` of the table; `admin`',
  check: (bearer, params) => requireOwnSeatOrAdmin(bearer, tableOf(params), Number(params['seat'])),
};

/** Which eyes a token permits depends on the query: the handler asks `eyeFor`. */
export const watcher: Permission = { words: '`seat`, `spectator` of the table; `admin` as every eye', check: requireToken };
export const inRoom: Permission = { words: '`seat` in the room; `admin` with `as=seat:3`', check: requireToken };
/** Who may read thoughts depends on the table: the handler asks `requireInsight`. */
export const insight: Permission = { words: '`admin`; others as the table’s `insight` says', check: requireToken };
