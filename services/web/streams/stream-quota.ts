import { metrics } from '@maw/telemetry/metrics.ts';
import type { Bearer } from '../auth/authenticate.ts';
import { Problem } from '../problem.ts';
import { badToken } from '../auth/token.ts';

/** A stream that is being watched. */
export interface StreamSlot {
  /** Aborted when the door closes, or the token of who watches holds no more. */
  readonly signal: AbortSignal;
  /** Gives the place back; twice does no harm. */
  release(): void;
}

/** The places for streams: how many there are in this process, and how many for one token. */
export function streamQuota({
  most,
  mostPerToken,
  isRevoked = () => false,
}: {
  readonly most: number;
  readonly mostPerToken: number;
  readonly isRevoked?: (bearer: Bearer) => boolean;
}) {
  const taken = new Map<string, Map<AbortController, Bearer>>();
  let all = 0;
  let isClosed = false;
  return {
    /** @throws Problem limited; bad-token when it was revoked since it was read */
    take(bearer: Bearer): StreamSlot {
      if (isRevoked(bearer)) throw badToken('the token was revoked');
      const own = taken.get(bearer.id) ?? new Map<AbortController, Bearer>();
      const full =
        own.size >= mostPerToken
          ? `this token has ${own.size} streams open: close one`
          : all >= most
            ? `${all} streams are open here`
            : undefined;
      if (full !== undefined) throw new Problem('limited', full, { headers: { 'Retry-After': '5' } });
      const ending = new AbortController();
      if (isClosed) ending.abort(new Error('the door closes'));
      const count = (by: 1 | -1): void => {
        all += by;
        metrics.streams.inc({ service: 'web' }, by);
      };
      taken.set(bearer.id, own.set(ending, bearer));
      count(1);
      return {
        signal: ending.signal,
        release() {
          if (!own.delete(ending)) return;
          count(-1);
          if (!own.size && taken.get(bearer.id) === own) taken.delete(bearer.id);
        },
      };
    },
    /** Ends the streams of tokens that hold no more. */
    endRevoked(): void {
      for (const own of taken.values())
        for (const [ending, bearer] of own) if (isRevoked(bearer)) ending.abort(badToken('the token was revoked'));
    },
    /** Ends every stream. */
    close(): void {
      isClosed = true;
      for (const own of taken.values()) for (const ending of own.keys()) ending.abort(new Error('the door closes'));
    },
  };
}
