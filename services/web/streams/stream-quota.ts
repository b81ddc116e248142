import { retryAfter } from '@maw/http/problem.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import type { Bearer } from '../auth/roles.ts';
import { badToken } from '../auth/token.ts';
import { Problem } from '../problem.ts';

/** An open stream. */
interface StreamSlot {
  /** Aborted when the service closes or the token of the reader is revoked. */
  readonly signal: AbortSignal;
  /** Frees the slot. Idempotent. */
  release(): void;
}

export type StreamQuota = ReturnType<typeof streamQuota>;

/**
 * Limits the streams of this process, and ends them when it must: in all, of each token of a seat, a program or an administrator, and of each client
 * network for everybody else. A link to watch is one token for many people.
 */
export function streamQuota({
  max,
  maxPerToken,
  maxPerClient,
  isRevoked = () => false,
}: {
  readonly max: number;
  readonly maxPerToken: number;
  readonly maxPerClient: number;
  readonly isRevoked?: (bearer: Bearer) => boolean;
}) {
  const open = new Map<AbortController, Bearer>();
  const perHolder = new Map<string, number>();
  let isClosed = false;
  function count(id: string, change: 1 | -1): void {
    const now = (perHolder.get(id) ?? 0) + change;
    if (now) perHolder.set(id, now);
    else perHolder.delete(id);
    metrics.streams.inc({ service: 'web' }, change);
  }
  function endWhere(isOver: (bearer: Bearer) => boolean, reason: () => Error): void {
    for (const [stream, bearer] of open) if (isOver(bearer)) stream.abort(reason());
  }
  return {
    /** @throws Problem limited; bad-token when the token was revoked since it was read */
    take(bearer: Bearer, client: string): StreamSlot {
      if (isRevoked(bearer)) throw revoked();
      const isPersonal = ['seat', 'admin', 'agent'].includes(bearer.pass.role);
      const holder = isPersonal ? `token ${bearer.id}` : `client ${client}`;
      const own = perHolder.get(holder) ?? 0;
      if (own >= (isPersonal ? maxPerToken : maxPerClient))
        throw limited(`this ${isPersonal ? 'token' : 'address'} has ${own} open streams: close one`);
      if (open.size >= max) throw limited(`${open.size} streams are open at this replica`);
      const stream = new AbortController();
      if (isClosed) stream.abort(closing());
      open.set(stream, bearer);
      count(holder, 1);
      return {
        signal: stream.signal,
        release() {
          if (open.delete(stream)) count(holder, -1);
        },
      };
    },
    endRevoked: (): void => endWhere(isRevoked, revoked),
    /** Ends all streams, and those that are opened later. */
    close(): void {
      isClosed = true;
      endWhere(() => true, closing);
    },
  };
}

const limited = (detail: string): Problem => new Problem('limited', detail, { headers: retryAfter(5_000) });
const revoked = (): Problem => badToken('the token was revoked');
const closing = (): Error => new Error('the service is closing');
