import type { Seat } from '@maw/games/kernel/question.ts';
import type { Bearer } from './roles.ts';
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

/** The seat of the bearer, at whichever table. @throws Problem no-token, forbidden */
export function requireSeat(bearer: Bearer): { readonly table: string; readonly seat: Seat } {
  if (bearer.pass.role === 'seat') return bearer.pass;
  throw denied(bearer, 'only the token of a seat can be renewed; an administrator issues others anew');
}
