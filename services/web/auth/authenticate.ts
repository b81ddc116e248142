import { bearerToken, secretMatcher } from '@maw/http/bearer.ts';
import { isLoopbackName } from '@maw/service/loopback.ts';
import { badToken, type TokenSigner } from './token.ts';
import type { Pass } from './roles.ts';

/** Who sends a request: the bearer of a pass, nobody (no token), or anybody (no token, and the service is open). */
export interface Bearer {
  readonly pass: Pass | { readonly role: 'nobody' | 'anybody' };
  readonly subject: string;
  /** Id of the token, the same after it was renewed. */
  readonly id: string;
  /** Who the token was issued to. */
  readonly name: string;
  /** Number under which the token was issued; 0 for one that never was. */
  readonly n: number;
  /** When the token expires, milliseconds since the epoch; undefined: never. */
  readonly until: number | undefined;
}

/** The headers that say who sends a request. */
interface Credentials {
  readonly 'authorization'?: string | undefined;
  readonly 'host'?: string | undefined;
  /** Sent by browsers: where the page that makes the request comes from. */
  readonly 'sec-fetch-site'?: string | string[] | undefined;
}

/** @throws Problem bad-token */
export type Authenticate = (credentials: Credentials) => Promise<Bearer>;

const ADMIN: Bearer = { pass: { role: 'admin' }, subject: 'admin', id: 'admin', name: 'admin', n: 0, until: undefined };

/** @param isRevoked whether a token was revoked before it expired */
export function authenticator({
  tokens,
  adminToken,
  isOpen,
  isRevoked = () => false,
}: {
  readonly tokens: Pick<TokenSigner, 'verify'>;
  readonly adminToken: string | undefined;
  readonly isOpen: boolean;
  readonly isRevoked?: (bearer: Bearer) => boolean;
}): Authenticate {
  const isAdminToken = adminToken === undefined ? () => false : secretMatcher(adminToken);
  return async ({ authorization, host, 'sec-fetch-site': site }) => {
    if (authorization === undefined) {
      const role = isOpen && isLoopbackName(host) && site !== 'cross-site' ? 'anybody' : 'nobody';
      return { pass: { role }, subject: role, id: role, name: role, n: 0, until: undefined };
    }
    const token = bearerToken(authorization);
    if (token === undefined) throw badToken('send `Authorization: Bearer TOKEN`');
    if (isAdminToken(token)) return ADMIN;
    const bearer = await tokens.verify(token);
    if (isRevoked(bearer)) throw badToken('the token was revoked: ask for a new one');
    return bearer;
  };
}
