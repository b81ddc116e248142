import type { Eye, Seat } from '@maw/games/kernel/question.ts';
import type { Bearer } from './authenticate.ts';
import { Problem } from '../problem.ts';

/** The response to a bearer without permission: 401 without a token, 403 with one. */
export function denied({ pass }: Bearer, why: string): Problem {
  const isNobody = pass.role === 'nobody' || pass.role === 'anybody';
  return isNobody ? new Problem('no-token', why, { headers: { 'WWW-Authenticate': 'Bearer realm="maw"' } }) : new Problem('forbidden', why);
}

/** @throws Problem no-token, unless the service is open */
export function requireToken(bearer: Bearer): void {
  if (bearer.pass.role === 'nobody') throw denied(bearer, 'send `Authorization: Bearer TOKEN`; administrators issue tokens');
}

/** @throws Problem no-token, forbidden */
export function requireAdmin(bearer: Bearer): void {
  if (bearer.pass.role !== 'admin') throw denied(bearer, 'only an administrator may do this');
}

/** @throws Problem no-token, forbidden */
export function requireOpener(bearer: Bearer): void {
  if (bearer.pass.role !== 'admin' && bearer.pass.role !== 'anybody') throw denied(bearer, 'only an administrator may open tables');
}

/** @throws Problem no-token, forbidden */
export function requireJoiner(bearer: Bearer, table: string): void {
  const { pass } = bearer;
  if (pass.role === 'admin' || pass.role === 'anybody' || (pass.role === 'join' && pass.table === table)) return;
  throw denied(bearer, `joining ${table} needs an invitation: a \`join\` token of that table`);
}

/** The seat of the bearer; nobody else may act for it. @throws Problem no-token, forbidden */
export function requireOwnSeat(bearer: Bearer, table: string): Seat {
  if (bearer.pass.role === 'seat' && bearer.pass.table === table) return bearer.pass.seat;
  throw denied(bearer, `this needs the token of a seat at ${table}`);
}

/** @throws Problem no-token, forbidden */
export function requireOwnSeatOrAdmin(bearer: Bearer, table: string, seat: Seat): void {
  const { pass } = bearer;
  if (pass.role === 'admin' || (pass.role === 'seat' && pass.table === table && pass.seat === seat)) return;
  throw denied(bearer, `this needs the token of that seat at ${table}, or an administrator's`);
}

/** The seat of the bearer, at whichever table. @throws Problem no-token, forbidden */
export function requireSeat(bearer: Bearer): { readonly table: string; readonly seat: Seat } {
  if (bearer.pass.role === 'seat') return bearer.pass;
  throw denied(bearer, 'only the token of a seat can be renewed; an administrator issues others anew');
}

/** A view as requests name it. */
export type ViewName = 'seat' | `seat:${number}` | 'audience' | 'narrator';

/**
 * The eye through which the bearer may see the table; a seat sees through its own only.
 * @param spectators looks up what the table shows to spectators
 * @throws Problem no-token, forbidden, unreadable
 */
export async function eyeFor(
  bearer: Bearer,
  table: string,
  as: ViewName | undefined,
  spectators: () => Promise<'audience' | 'narrator'>,
): Promise<Eye> {
  const { pass } = bearer;
  switch (pass.role) {
    case 'admin':
      if (as === 'seat') throw new Problem('unreadable', 'say which seat: as=seat:3');
      return as === undefined ? 'narrator' : as === 'audience' || as === 'narrator' ? as : Number(as.slice('seat:'.length));
    case 'seat':
      if (pass.table === table && (as === undefined || as === 'seat' || as === `seat:${pass.seat}`)) return pass.seat;
      break;
    case 'spectator': // the view of the narrator takes the permission of both token and table
      if (pass.table !== table) break;
      if (as === 'audience' || (as === undefined && pass.view !== 'narrator')) return 'audience';
      if ((as ?? 'narrator') === 'narrator' && pass.view === 'narrator' && (await spectators()) === 'narrator') return 'narrator';
      break;
    case 'anybody':
      if (as === undefined || as === 'audience') return 'audience';
      break;
    case 'nobody':
    case 'join':
  }
  throw denied(
    bearer,
    as === undefined ? `this token does not permit watching ${table}` : `this token does not permit watching ${table} as ${as}`,
  );
}
