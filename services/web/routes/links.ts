import { passSchema } from '@maw/contracts/http/tokens.ts';
import { readLinkCode } from '@maw/contracts/http/link-code.ts';
import { retryAfter } from '@maw/http/problem.ts';
import { rateLimiter } from '@maw/http/rate-limit.ts';
import type { StoredToken } from '@maw/store/ports/tokens.ts';
import type { TokenIssuer } from '../auth/token-issuer.ts';
import { Problem } from '../problem.ts';
import { answer, type Call, type RouteResponse } from '../route.ts';

/** How many wrong codes an address may send, at once and in each minute. */
const WRONG_CODES = 10;

/** Opens short links, and counts wrong codes by address. An address that waits is told nothing of right ones either. */
export function linkOpener({ issuer, now }: { readonly issuer: TokenIssuer; readonly now: () => number }) {
  const wrongCodes = rateLimiter({ perMinute: WRONG_CODES, burst: WRONG_CODES });
  return async ({ body, client }: Call<'POST /links/open'>): Promise<RouteResponse> => {
    const waitMs = wrongCodes.take(client, now());
    if (waitMs > 0) {
      const headers = retryAfter(waitMs);
      const detail = `${WRONG_CODES} wrong codes came from your address: wait ${headers['Retry-After']} s, and look at the code again`;
      throw new Problem('too-fast', detail, { headers });
    }
    let isWrong = false;
    try {
      const code = readLinkCode(body.code);
      const stored = code === undefined ? undefined : await issuer.findByCode(code);
      const why = whyClosed(stored, now());
      isWrong = why !== undefined;
      if (why !== undefined) throw new Problem('unknown-token', why);
      const pass = passSchema.parse(stored);
      return answer({ ...pass, ...(await issuer.sign(pass, stored!)) }, 201);
    } finally {
      if (!isWrong) wrongCodes.settle(client, now(), -1);
    }
  };
}

/** Why a code opens nothing, and whom to ask. */
function whyClosed(stored: StoredToken | undefined, at: number): string | undefined {
  if (!stored) return 'no link has this code, or it has expired: look at it again, or ask whoever sent it';
  if (stored.isRevoked) return 'this link was taken back: ask whoever sent it for another';
  return stored.until <= at ? 'this link has expired: ask whoever sent it for another' : undefined;
}
