import { metrics } from '@maw/telemetry/metrics.ts';
import { Problem } from './problem.ts';

/** A stream that is being watched. */
export interface Place {
  /** Aborted when the door closes. */
  readonly signal: AbortSignal;
  /** Gives the place back; twice does no harm. */
  leave(): void;
}

/** The places for streams: how many there are in this process, and how many for one token. */
export function places({ most, mostPerToken }: { readonly most: number; readonly mostPerToken: number }) {
  const closing = new AbortController();
  const taken = new Map<string, number>();
  let all = 0;
  return {
    /** @throws Problem limited */
    take(token: string): Place {
      const own = taken.get(token) ?? 0;
      const full =
        own >= mostPerToken ? `this token has ${own} streams open: close one` : all >= most ? `${all} streams are open here` : undefined;
      if (full !== undefined) throw new Problem('limited', full, { headers: { 'Retry-After': '5' } });
      let isTaken = true;
      const count = (by: 1 | -1): void => {
        all += by;
        const left = (taken.get(token) ?? 0) + by;
        if (left) taken.set(token, left);
        else taken.delete(token);
        metrics.streams.inc({ service: 'web' }, by);
      };
      count(1);
      return {
        signal: closing.signal,
        leave() {
          if (isTaken) count(-1);
          isTaken = false;
        },
      };
    },
    /** Ends every stream. */
    close: (): void => closing.abort(new Error('the door closes')),
  };
}
