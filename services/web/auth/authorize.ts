import type { Eye, Seat } from '@maw/games/kernel/question.ts';
import type { Bearer } from './authenticate.ts';
import { Problem } from '../problem.ts';

/** The answer to somebody who may not. Without a token, a token may help; with one, it is the wrong one. */
export function denied({ pass }: Bearer, why: string): Problem {
  const isNobody = pass.role === 'nobody' || pass.role === 'anybody';
  return isNobody ? new Problem('no-token', why, { headers: { 'WWW-Authenticate': 'Bearer realm="maw"' } }) : new Problem('forbidden', why);
}

/** Nobody comes in without a token, unless the door is open to everybody on this machine. @throws Problem no-token */
export function requireToken(bearer: Bearer): void {
  if (bearer.pass.role === 'nobody') throw denied(bearer, 'send `Authorization: Bearer TOKEN`; administrators give tokens out');
}

/** @throws Problem no-token, forbidden */
export function requireAdmin(bearer: Bearer): void {
  if (bearer.pass.role !== 'admin') throw denied(bearer, 'only an administrator may do that');
}

/** @throws Problem no-token, forbidden */
export function requireOpener(bearer: Bearer): void {
  if (bearer.pass.role !== 'admin' && bearer.pass.role !== 'anybody') throw denied(bearer, 'only an administrator may open tables');
}

/** @throws Problem no-token, forbidden */
export function requireJoiner(bearer: Bearer, table: string): void {
  const { pass } = bearer;
  if (pass.role === 'admin' || pass.role === 'anybody' || (pass.role === 'join' && pass.table === table)) return;
  throw denied(bearer, `joining ${table} takes an invitation to it: a \`join\` token`);
}

/** The seat whose token this is: what a seat does is sealed to it. @throws Problem no-token, forbidden */
export function requireOwnSeat(bearer: Bearer, table: string): Seat {
  if (bearer.pass.role === 'seat' && bearer.pass.table === table) return bearer.pass.seat;
  throw denied(bearer, `that takes the token of a seat at ${table}`);
}

/** A seat at any table. @throws Problem no-token, forbidden */
export function requireSeat(bearer: Bearer): { readonly table: string; readonly seat: Seat } {
  if (bearer.pass.role === 'seat') return bearer.pass;
  throw denied(bearer, 'only the token of a seat can be renewed; an administrator makes the others anew');
}

/** Which view was asked for. */
export type ViewName = 'seat' | `seat:${number}` | 'audience' | 'narrator';

/**
 * The eye through which the bearer may look at the table: a seat sees what is its own and nothing else.
 * @param spectators asks the table what its spectators may see
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
      if (as === 'seat') throw new Problem('unreadable', 'an administrator says which seat: as=seat:3');
      return as === undefined ? 'narrator' : as === 'audience' || as === 'narrator' ? as : Number(as.slice('seat:'.length));
    case 'seat':
      if (pass.table === table && (as === undefined || as === 'seat' || as === `seat:${pass.seat}`)) return pass.seat;
      break;
    case 'spectator': // both its token and its table must say that it may see what the narrator sees
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
    as === undefined ? `this token does not let you watch ${table}` : `this token does not let you watch ${table} as ${as}`,
  );
}
