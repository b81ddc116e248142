import { readLinkCode } from '@maw/contracts/http/link-code.ts';
import { retryAfter } from '@maw/http/problem.ts';
import { rateLimiter } from '@maw/http/rate-limit.ts';
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
      const found = await issuer.openLink(readLinkCode(body.code));
      isWrong = typeof found === 'string';
      if (typeof found === 'string') throw new Problem('unknown-token', found);
      return answer(found, 201);
    } finally {
      if (!isWrong) wrongCodes.settle(client, now(), -1);
    }
  };
}
