import { randomUUID } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { seat, tableId } from '@maw/contracts/shapes.ts';
import { Problem } from './problem.ts';

const AUDIENCE = 'maw';
const ALGORITHM = 'HS256';

/** What a token lets its bearer do. */
export const pass = z.discriminatedUnion('role', [
  z.object({ role: z.literal('admin') }),
  z.object({ role: z.literal('seat'), table: tableId, seat }),
  z.object({ role: z.literal('spectator'), table: tableId }),
  z.object({ role: z.literal('join'), table: tableId }),
]);
export type Pass = Readonly<z.output<typeof pass>>;

/** A token that was read. */
export interface Ticket {
  readonly pass: Pass;
  /** Who the bearer is, the same for every token of the same pass. */
  readonly subject: string;
  /** This one token. */
  readonly id: string;
  /** When it ends, milliseconds since the epoch. */
  readonly until: number;
}

const claims = z.object({ jti: z.string().min(1).max(100), exp: z.number() });

/** Who bears a pass: `admin`, `t1/seat:3`, `t1/join`. */
export const subjectOf = (of: Pass): string =>
  of.role === 'admin' ? 'admin' : `${of.table}/${of.role === 'seat' ? `seat:${of.seat}` : of.role}`;

/**
 * Signed tokens (JWT, HS256): whoever has the secret can read them, nothing is kept.
 * @param now milliseconds since the epoch
 */
export function tokens({ secret, now }: { readonly secret: Uint8Array; readonly now: () => number }) {
  return {
    /** @param ttlMs how long it is good for; counted in whole seconds, as tokens are */
    async mint(of: Pass, ttlMs: number): Promise<{ readonly token: string; readonly until: number }> {
      const from = Math.floor(now() / 1000);
      const until = from + Math.max(1, Math.floor(ttlMs / 1000));
      const token = await new SignJWT({ ...of })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setSubject(subjectOf(of))
        .setAudience(AUDIENCE)
        .setJti(randomUUID())
        .setIssuedAt(from)
        .setExpirationTime(until)
        .sign(secret);
      return { token, until: until * 1000 };
    },

    /** @throws Problem bad-token */
    async read(token: string): Promise<Ticket> {
      try {
        const { payload } = await jwtVerify(token, secret, {
          algorithms: [ALGORITHM],
          audience: AUDIENCE,
          currentDate: new Date(now()),
          requiredClaims: ['exp', 'jti'],
        });
        const of = pass.parse(payload);
        const { jti, exp } = claims.parse(payload);
        return { pass: of, subject: subjectOf(of), id: jti, until: exp * 1000 };
      } catch (error) {
        const why =
          error instanceof errors.JWTExpired
            ? 'the token has expired: ask for a new one'
            : 'the token is not one of ours, or it was changed';
        throw badToken(why);
      }
    },
  };
}

/** The answer to a token that is not good (RFC 6750). */
export const badToken = (why: string): Problem =>
  new Problem('bad-token', why, { headers: { 'WWW-Authenticate': 'Bearer realm="maw", error="invalid_token"' } });
