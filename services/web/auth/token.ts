import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { Problem } from '../problem.ts';
import { passSchema } from '@maw/contracts/http/tokens.ts';
import { type Bearer, type Pass, subjectOf } from './roles.ts';

const AUDIENCE = 'maw';
/** Earlier versions named a part of the installation too, as in `maw/eu1`; such tokens stay valid. */
const AUDIENCES = /^maw(?:\/[a-z][a-z0-9]{0,7})?$/;
const ALGORITHM = 'HS256';

/** The bearer of a token whose signature and expiry were verified. */
interface VerifiedToken extends Bearer {
  readonly pass: Pass;
  readonly until: number;
}

/** What a token says besides its pass. */
interface TokenClaims {
  readonly id: string;
  readonly name: string;
  readonly n: number;
}

const claims = z.object({
  aud: z.string().regex(AUDIENCES),
  jti: z.string().min(1).max(100),
  exp: z.number(),
  sub: z.string().max(200).optional(),
  n: z.int().min(0).optional(),
});

export type TokenSigner = ReturnType<typeof tokenSigner>;

/**
 * Signed tokens (JWT, HS256; RFC 7519). They are not encrypted.
 * @param oldSecrets verify only: earlier secrets whose tokens have not all expired
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
  return {
    /**
     * Signs a token; equal arguments give an equal token.
     * @param issued milliseconds since the epoch, as `until`; both are cut to whole seconds
     */
    sign: (pass: Pass, { id, name, n }: TokenClaims, issued: number, until: number): Promise<string> =>
      new SignJWT({ ...pass, n })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setSubject(name)
        .setAudience(AUDIENCE)
        .setJti(id)
        .setIssuedAt(Math.floor(issued / 1000))
        .setExpirationTime(Math.floor(until / 1000))
        .sign(secret),
    /** @throws Problem bad-token */
    async verify(token: string): Promise<VerifiedToken> {
      try {
        return tokenIn(await verifiedPayload(token, [secret, ...oldSecrets], now()));
      } catch (error) {
        throw badToken(error instanceof errors.JWTExpired ? 'the token has expired: ask for a new one' : 'the token is not valid here');
      }
    },
  };
}

/**
 * The payload of a token that one of the secrets signed.
 * @param at the time, milliseconds since the epoch
 * @throws JOSEError
 */
async function verifiedPayload(token: string, secrets: readonly Uint8Array[], at: number): Promise<JWTPayload> {
  const options = { algorithms: [ALGORITHM], currentDate: new Date(at), requiredClaims: ['exp', 'jti'] };
  const [secret, ...others] = secrets;
  try {
    return (await jwtVerify(token, secret!, options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWSSignatureVerificationFailed) || others.length === 0) throw error;
    return verifiedPayload(token, others, at);
  }
}

/** @throws ZodError */
function tokenIn(payload: JWTPayload): VerifiedToken {
  const pass = passSchema.parse(payload);
  const { jti, exp, sub, n = 0 } = claims.parse(payload);
  const subject = subjectOf(pass);
  const name = sub ?? subject;
  return { pass, subject: 'table' in pass ? subject : `${pass.role} ${name}`, id: jti, until: exp * 1000, name, n };
}

/** The response to a token that is not accepted (RFC 6750). */
export const badToken = (detail: string): Problem =>
  new Problem('bad-token', detail, { headers: { 'WWW-Authenticate': 'Bearer realm="maw", error="invalid_token"' } });
