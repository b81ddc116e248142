import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { Problem } from '../problem.ts';
import { passSchema } from '@maw/contracts/http/tokens.ts';
import { type Pass, subjectOf } from './roles.ts';

const AUDIENCE = /^maw(?:\/([a-z0-9]+))?$/;
const ALGORITHM = 'HS256';

/** A token whose signature and expiry were verified. */
interface VerifiedToken {
  readonly pass: Pass;
  /** Who the bearer is, the same for every token of one pass: a retry with another token is the same request. */
  readonly subject: string;
  /** Id of the token, the same after it was renewed. */
  readonly id: string;
  /** When it expires, milliseconds since the epoch. */
  readonly until: number;
  /** Who it was issued to. */
  readonly name: string;
  /** Number under which it was issued; 0 for one that never was. */
  readonly n: number;
}

/** What a token says besides its pass. */
interface TokenClaims {
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

export interface TokenSigner {
  /**
   * Signs a token; equal arguments give an equal token.
   * @param issued milliseconds since the epoch, as `until`; both are cut to whole seconds
   */
  sign(pass: Pass, claims: TokenClaims, issued: number, until: number): Promise<string>;
  /** @throws Problem bad-token */
  verify(token: string): Promise<VerifiedToken>;
}

/**
 * Signed tokens (JWT, HS256; RFC 7519). They are not encrypted.
 * @param cell the only cell in which they are valid; without one they are valid only where there are no cells
 * @param oldSecrets verify only: earlier secrets whose tokens have not all expired
 * @param now milliseconds since the epoch
 */
export function tokenSigner({
  secret,
  oldSecrets = [],
  cell,
  now,
}: {
  readonly secret: Uint8Array;
  readonly oldSecrets?: readonly Uint8Array[];
  readonly cell?: string | undefined;
  readonly now: () => number;
}): TokenSigner {
  const audience = cell === undefined ? 'maw' : `maw/${cell}`;
  return {
    sign: (pass, { id, name, n }, issued, until) =>
      new SignJWT({ ...pass, n })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setSubject(name)
        .setAudience(audience)
        .setJti(id)
        .setIssuedAt(Math.floor(issued / 1000))
        .setExpirationTime(Math.floor(until / 1000))
        .sign(secret),
    async verify(token) {
      try {
        return tokenIn(await verifiedPayload(token, [secret, ...oldSecrets], { audience, at: now() }));
      } catch (error) {
        throw badToken(whyInvalid(error, cell));
      }
    },
  };
}

interface Expected {
  readonly audience: string;
  /** The time, milliseconds since the epoch. */
  readonly at: number;
}

/** The payload of a token that one of the secrets signed. @throws JOSEError */
async function verifiedPayload(token: string, secrets: readonly Uint8Array[], expected: Expected): Promise<JWTPayload> {
  const { audience, at } = expected;
  const options = { algorithms: [ALGORITHM], audience, currentDate: new Date(at), requiredClaims: ['exp', 'jti'] };
  const [secret, ...others] = secrets;
  try {
    return (await jwtVerify(token, secret!, options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWSSignatureVerificationFailed) || others.length === 0) throw error;
    return verifiedPayload(token, others, expected);
  }
}

/** Why a token is not valid, in words. Its cell is told of a token that one of the secrets has signed only. */
function whyInvalid(error: unknown, cell: string | undefined): string {
  if (error instanceof errors.JWTExpired) return 'the token has expired: ask for a new one';
  const isForOthers = error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud';
  const audience = isForOthers ? AUDIENCE.exec(String(error.payload.aud)) : undefined;
  if (!audience) return 'the token is not valid here';
  return `the token is of ${cellNamed(audience[1])}, and this is ${cellNamed(cell)}: ask for a token of this one`;
}

const cellNamed = (cell: string | undefined): string => (cell === undefined ? 'a system without cells' : `the cell ${cell}`);

/** @throws ZodError */
function tokenIn(payload: JWTPayload): VerifiedToken {
  const pass = passSchema.parse(payload);
  const { jti, exp, sub, n = 0 } = claims.parse(payload);
  const subject = subjectOf(pass);
  const name = sub ?? subject;
  return { pass, subject: pass.role === 'admin' ? `admin ${name}` : subject, id: jti, until: exp * 1000, name, n };
}

/** The response to a token that is not accepted (RFC 6750). */
export const badToken = (detail: string): Problem =>
  new Problem('bad-token', detail, { headers: { 'WWW-Authenticate': 'Bearer realm="maw", error="invalid_token"' } });
