import { createHash, timingSafeEqual } from 'node:crypto';
import { isLoopbackName } from '@maw/service/loopback.ts';
import { badToken, type Pass, type tokenSigner } from './token.ts';

/** Who asks: a pass, nobody (no token), or anybody (no token, at a door that is open). */
export interface Bearer {
  readonly pass: Pass | { readonly role: 'nobody' | 'anybody' };
  readonly subject: string;
  /** The one token, renewed or not, for what is counted by token and for revoking it. */
  readonly id: string;
  /** Who it was given to. */
  readonly name: string;
  /** The number under which the token was given out; 0 for one that never was. */
  readonly n: number;
  /** When the token ends, milliseconds since the epoch; undefined never. */
  readonly until: number | undefined;
}

/** What of a request says who asks. */
export interface Credentials {
  readonly authorization: string | undefined;
  readonly host: string | undefined;
}

const ADMIN: Bearer = { pass: { role: 'admin' }, subject: 'admin', id: 'admin', name: 'admin', n: 0, until: undefined };

/** Finds out who asks. */
export function authenticator(given: {
  readonly tokens: Pick<ReturnType<typeof tokenSigner>, 'read'>;
  readonly adminToken: string | undefined;
  readonly isOpen: boolean;
  /** Whether a token holds no more, although it has not ended. */
  readonly isRevoked?: (bearer: Bearer) => boolean;
}) {
  const admin = given.adminToken === undefined ? undefined : digest(given.adminToken);

  /** @throws Problem bad-token */
  return async function bearerOf({ authorization, host }: Credentials): Promise<Bearer> {
    if (authorization === undefined) {
      const role = given.isOpen && isLoopbackName(host) ? 'anybody' : 'nobody';
      return { pass: { role }, subject: role, id: role, name: role, n: 0, until: undefined };
    }
    const token = /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization)?.[1];
    if (token === undefined) throw badToken('send `Authorization: Bearer TOKEN`');
    if (admin && timingSafeEqual(digest(token), admin)) return ADMIN;
    const bearer = await given.tokens.read(token);
    if (given.isRevoked?.(bearer)) throw badToken('the token was revoked: ask for a new one');
    return bearer;
  };
}

/** Digests are of one length and tell nothing of what is compared, however long the comparison takes. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
