import { clientNetwork } from '@maw/http/address.ts';
import { retryAfter } from '@maw/http/problem.ts';
import { rateLimiter } from '@maw/http/rate-limit.ts';
import type { Bearer } from './auth/roles.ts';
import type { WebOptions } from './defaults.ts';
import { Problem } from './problem.ts';

/** The largest request body, in bytes. */
export const MAX_BODY_BYTES = 64 * 1024;

type RateOptions = Pick<WebOptions, 'perToken' | 'tokenBurst' | 'perAddress' | 'addressBurst'>;

export type RequestLimits = ReturnType<typeof requestLimits>;

/** How fast clients may send requests. Administrators are not limited. @param now milliseconds since the epoch */
export function requestLimits({ perToken, tokenBurst, perAddress, addressBurst }: RateOptions, now: () => number) {
  const takeOfToken = bucketsOf(perToken, tokenBurst, now);
  const takeOfAddress = bucketsOf(perAddress, addressBurst, now);
  /** Counts a request without a valid token. @throws Problem too-fast */
  const countStranger = (ip: string | undefined): void => takeOfAddress(clientNetwork(ip));
  return {
    countStranger,
    /** @throws Problem too-fast */
    count({ pass: { role }, id }: Bearer, ip: string | undefined): void {
      if (role === 'nobody' || role === 'anybody') countStranger(ip);
      else if (role !== 'admin') takeOfToken(id);
    },
  };
}

function bucketsOf(perSecond: number, burst: number, now: () => number): (key: string) => void {
  const limiter = rateLimiter({ perMinute: perSecond * 60, burst });
  return (key) => {
    const waitMs = limiter.take(key, now());
    if (waitMs === 0) return;
    const headers = retryAfter(waitMs);
    throw new Problem('too-fast', `at most ${perSecond} requests per second, ${burst} at once; retry in ${headers['Retry-After']} s`, {
      headers,
    });
  };
}
