import { bearerToken, secretMatcher } from '@maw/http/bearer.ts';
import { isLoopbackName } from '@maw/service/loopback.ts';
import { badToken, type TokenSigner } from './token.ts';
import type { Bearer } from './roles.ts';

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
