import type { Readable } from 'node:stream';

/** No longer than until so many bytes have come does an answer wait for the rest of its request. */
export const MOST_LEFT = 2 * 2 ** 20;

/**
 * Reads and forgets what is still to come of a request. Whoever closes a connection on which more comes has it reset, and the other side may
 * never see why (RFC 9112, 9.6). Resolves when all has come, when it is more than that or takes longer, or when the asker has gone; never rejects.
 */
export function readLeftover(req: Readable & { readonly complete: boolean }, ms: number): Promise<void> {
  if (req.complete || req.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let left = MOST_LEFT;
    const done = (): void => {
      clearTimeout(timer);
      req.off('data', count).off('end', done).off('close', done);
      resolve();
    };
    const count = (piece: Buffer): void => {
      left -= piece.length;
      if (left < 0) done();
    };
    const timer = setTimeout(done, ms);
    req
      .on('data', count)
      .on('end', done)
      .on('close', done)
      .on('error', () => undefined); // the asker has gone, and `close` follows
    req.resume();
  });
}
