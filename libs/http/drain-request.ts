import type { Readable } from 'node:stream';

export const MAX_DRAINED_BYTES = 2 * 2 ** 20;
const MAX_DRAINING_MS = 2_000;

/**
 * Reads and discards the rest of a request. Closing a connection with unread data resets it, and the client may never see the response
 * (RFC 9112, 9.6). Resolves at the end of the request, after 2 MiB or two seconds, or when the client disconnects; never rejects.
 */
export function drainRequest(req: Readable & { readonly complete: boolean }, timeoutMs = MAX_DRAINING_MS): Promise<void> {
  if (req.complete || req.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let bytesLeft = MAX_DRAINED_BYTES;
    const done = (): void => {
      clearTimeout(timer);
      req.off('data', discard).off('end', done).off('close', done);
      resolve();
    };
    const discard = (chunk: Buffer): void => {
      bytesLeft -= chunk.length;
      if (bytesLeft < 0) done();
    };
    const timer = setTimeout(done, timeoutMs);
    req
      .on('data', discard)
      .on('end', done)
      .on('close', done)
      .on('error', () => undefined); // the client disconnected; `close` follows
    req.resume();
  });
}
