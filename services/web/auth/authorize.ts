import type { Seat } from '@maw/games/kernel/question.ts';
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
export function requireLinker(bearer: Bearer): void {
  if (bearer.pass.role !== 'seat') requireAdmin(bearer);
}

/** @throws Problem no-token, forbidden */
export function requireAdmin(bearer: Bearer): void {
  if (bearer.pass.role !== 'admin') throw denied(bearer, 'only an administrator may do this');
}

/** @throws Problem no-token, forbidden */
export function requireOpener(bearer: Bearer): void {
  if (bearer.pass.role !== 'admin' && bearer.pass.role !== 'anybody') throw denied(bearer, 'only an administrator may open tables');
}

/** Who looks after running tables; anybody where the service is open. @throws Problem no-token, forbidden */
export function requireOperator(bearer: Bearer): void {
  if (bearer.pass.role !== 'anybody') requireAdmin(bearer);
}

/** @throws Problem no-token, forbidden */
export function requireAgent(bearer: Bearer): void {
  if (bearer.pass.role !== 'agent') throw denied(bearer, 'this needs the key of a program: a token of `agent`');
}

/** @throws Problem no-token, forbidden */
export function requireJoiner(bearer: Bearer, table: string): void {
  const { pass } = bearer;
  if (pass.role === 'admin' || pass.role === 'anybody' || pass.role === 'agent' || (pass.role === 'join' && pass.table === table)) return;
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
