import { randomUUID } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { seat, tableId } from '@maw/contracts/messages/schemas.ts';
import { Problem } from '../problem.ts';

const AUDIENCE = 'maw';
const ALGORITHM = 'HS256';
/** No token is good for longer, in milliseconds: what is revoked must be known for so long. */
export const MAX_TOKEN_MS = 30 * 86_400_000;

/** What a token lets its bearer do. A spectator's view is `audience` when it does not say. */
export const passSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('admin') }),
  z.object({ role: z.literal('seat'), table: tableId, seat }),
  z.object({ role: z.literal('spectator'), table: tableId, view: z.enum(['audience', 'narrator']).optional() }),
  z.object({ role: z.literal('join'), table: tableId }),
]);
export type Pass = Readonly<z.output<typeof passSchema>>;

/** A token that was read. */
export interface VerifiedToken {
  readonly pass: Pass;
  /** Who the bearer is, the same for every token of the same pass: what is tried again with another token is the same request. */
  readonly subject: string;
  /** This one token, renewed or not. */
  readonly id: string;
  /** When it ends, milliseconds since the epoch. */
  readonly until: number;
  /** Who it was given to. */
  readonly name: string;
  /** The number under which it was given out; 0 for one that never was. */
  readonly n: number;
}

/** What a token says besides its pass. */
export interface TokenClaims {
  readonly id: string;
  readonly name: string;
  readonly n: number;
}

const claims = z.object({
  jti: z.string().min(1).max(100),
  exp: z.number(),
  sub: z.string().max(200).optional(),
  n: z.int().min(0).optional(),
});

/** Where a pass is good: `admin`, `t1/seat:3`, `t1/join`. */
export const subjectOf = (of: Pass): string =>
  of.role === 'admin' ? 'admin' : `${of.table}/${of.role === 'seat' ? `seat:${of.seat}` : of.role}`;

/**
 * Signed tokens (JWT, HS256; RFC 7519): whoever has the secret can read them.
 * @param secret signs and verifies
 * @param oldSecrets verify only: what tokens were signed with that are still about
 * @param now milliseconds since the epoch
 */
export function tokenSigner({
  secret,
  oldSecrets = [],
  now,
}: {
  readonly secret: Uint8Array;
  readonly oldSecrets?: readonly Uint8Array[];
  readonly now: () => number;
}) {
  const secrets = [secret, ...oldSecrets];

  async function verified(token: string): Promise<unknown> {
    const options = { algorithms: [ALGORITHM], audience: AUDIENCE, currentDate: new Date(now()), requiredClaims: ['exp', 'jti'] };
    for (const [i, each] of secrets.entries()) {
      try {
        return (await jwtVerify(token, each, options)).payload;
      } catch (error) {
        if (!(error instanceof errors.JWSSignatureVerificationFailed) || i === secrets.length - 1) throw error;
      }
    }
    return undefined;
  }

  const sign = (of: Pass, { id, name, n }: TokenClaims, issued: number, until: number): Promise<string> =>
    new SignJWT({ ...of, n })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setSubject(name)
      .setAudience(AUDIENCE)
      .setJti(id)
      .setIssuedAt(Math.floor(issued / 1000))
      .setExpirationTime(Math.floor(until / 1000))
      .sign(secret);

  return {
    /**
     * The same token for the same: nothing in it is left to chance.
     * @param until when it ends, milliseconds since the epoch; cut to whole seconds, as tokens are
     */
    sign,

    /** A token that nobody keeps account of. @param ttlMs how long it is good for; counted in whole seconds */
    async mint(of: Pass, ttlMs: number): Promise<{ readonly token: string; readonly until: number }> {
      const until = expiryOf(now(), ttlMs);
      const about = { id: randomUUID(), name: subjectOf(of), n: 0 };
      return { token: await sign(of, about, now(), until), until };
    },

    /** @throws Problem bad-token */
    async read(token: string): Promise<VerifiedToken> {
      try {
        const payload = await verified(token);
        const of = passSchema.parse(payload);
        const { jti, exp, sub, n = 0 } = claims.parse(payload);
        const subject = subjectOf(of);
        const name = sub ?? subject;
        return { pass: of, subject: of.role === 'admin' ? `admin ${name}` : subject, id: jti, until: exp * 1000, name, n };
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

/** The end of a token that is good for so long from now on, in milliseconds since the epoch: a whole second, and one at least. */
export const expiryOf = (now: number, ttlMs: number): number => (Math.floor(now / 1000) + Math.max(1, Math.floor(ttlMs / 1000))) * 1000;

/** The answer to a token that is not good (RFC 6750). */
export const badToken = (why: string): Problem =>
  new Problem('bad-token', why, { headers: { 'WWW-Authenticate': 'Bearer realm="maw", error="invalid_token"' } });
