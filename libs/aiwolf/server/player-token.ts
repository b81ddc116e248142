import type { IncomingMessage } from 'node:http';
import { errors, jwtVerify, SignJWT } from 'jose';

/** The answer of HTTP to an agent that may not connect. */
export interface Rejection {
  readonly status: 401 | 403 | 404 | 429 | 503;
  readonly why: string;
}

const ALGORITHMS = ['HS256', 'HS384', 'HS512'];

/**
 * Checks the token that an agent shows: a JWT signed with the secret (HMAC), with `team` and `role: "PLAYER"`.
 * @param now milliseconds since the epoch
 */
export async function teamOfToken(req: IncomingMessage, secret: string, now: number): Promise<{ readonly team: string } | Rejection> {
  const token = tokenOf(req);
  if (!token) return { status: 401, why: 'a token is needed, as ?token= or as Authorization: Bearer' };
  try {
    const options = { algorithms: ALGORITHMS, currentDate: new Date(now) };
    const { payload } = await jwtVerify(token, keyOf(secret), options);
    if (payload['role'] !== 'PLAYER') return { status: 403, why: 'the role of the token is not PLAYER' };
    if (typeof payload['team'] !== 'string') return { status: 403, why: 'the token names no team' };
    return { team: payload['team'] };
  } catch (error) {
    return { status: 401, why: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'the token has expired';
  if (error instanceof errors.JOSEAlgNotAllowed) return `the token is not signed with one of ${ALGORITHMS.join(', ')}`;
  return 'the token is not valid here';
}

/** The token of a team, which `teamOfToken` accepts. @param expires in milliseconds since the epoch; never, if not given */
export function playerToken(team: string, secret: string, expires?: number): Promise<string> {
  const token = new SignJWT({ team, role: 'PLAYER' }).setProtectedHeader({ alg: 'HS256', typ: 'JWT' });
  return (expires === undefined ? token : token.setExpirationTime(new Date(expires))).sign(keyOf(secret));
}

const keyOf = (secret: string): Uint8Array => new TextEncoder().encode(secret);

const tokenOf = ({ url = '', headers }: IncomingMessage): string | undefined =>
  new URLSearchParams(url.split('?')[1]).get('token') ?? /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
