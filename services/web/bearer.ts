import { createHash, timingSafeEqual } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { badToken, type Pass, type tokens } from './token.ts';

/** Who asks: a pass, nobody (no token), or anybody (no token, at a door that is open). */
export interface Bearer {
  readonly pass: Pass | { readonly role: 'nobody' | 'anybody' };
  readonly subject: string;
  /** The one token, for what is counted by token. */
  readonly id: string;
  /** When the token ends, milliseconds since the epoch; undefined never. */
  readonly until: number | undefined;
}

/** What of a request says who asks. */
export interface Credentials {
  readonly authorization: string | undefined;
  readonly host: string | undefined;
}

const ADMIN: Bearer = { pass: { role: 'admin' }, subject: 'admin', id: 'admin', until: undefined };

/** Finds out who asks. */
export function bearers(given: {
  readonly tokens: Pick<ReturnType<typeof tokens>, 'read'>;
  readonly adminToken: string | undefined;
  readonly isOpen: boolean;
}) {
  const admin = given.adminToken === undefined ? undefined : digest(given.adminToken);

  /** @throws Problem bad-token */
  return async function bearerOf({ authorization, host }: Credentials): Promise<Bearer> {
    if (authorization === undefined) {
      const role = given.isOpen && isLoopbackName(host) ? 'anybody' : 'nobody';
      return { pass: { role }, subject: role, id: role, until: undefined };
    }
    const token = /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization)?.[1];
    if (token === undefined) throw badToken('send `Authorization: Bearer TOKEN`');
    if (admin && timingSafeEqual(digest(token), admin)) return ADMIN;
    return given.tokens.read(token);
  };
}

/** Digests are of one length and tell nothing of what is compared, however long the comparison takes. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether an address to listen on can be reached from this machine alone. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));

/** A page from elsewhere whose name was pointed at this machine (DNS rebinding) sends its own name as the host: it is not let in without a token. */
const isLoopbackName = (host: string | undefined): boolean =>
  host !== undefined &&
  isLoopback(
    host
      .replace(/:\d+$/, '')
      .replace(/^\[(.*)\]$/, '$1')
      .toLowerCase(),
  );
