import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { hasBody } from './json-body.ts';

type Headers = Readonly<Record<string, string>>;

/**
 * Sends a whole response at once; does nothing when one has begun or the client has disconnected. Node omits the body for HEAD.
 * While the request is still arriving, the response also ends the connection: the rest is drained for a moment, not read to its end.
 */
export function sendText(
  res: ServerResponse,
  status: number,
  text: string | Buffer,
  type = 'text/plain; charset=utf-8',
  headers: Headers = {},
): void {
  if (res.headersSent || res.destroyed) return;
  const { req } = res;
  const isArriving = hasBody(req) && !req.complete;
  const connection = isArriving ? { Connection: 'close' } : {};
  res.writeHead(status, { ...headers, 'Content-Type': type, 'Content-Length': Buffer.byteLength(text), ...connection });
  if (!isArriving) return void res.end(text);
  res.write(text);
  void drainRequest(req).then(() => res.end());
}

/** The same with a JSON value. */
export function sendJson(res: ServerResponse, status: number, value: unknown, headers: Headers = {}): void {
  sendText(res, status, JSON.stringify(value), 'application/json; charset=utf-8', headers);
}

/** A signal that is aborted with `reason()` when the client disconnects before the response is complete. */
export function disconnectSignal(res: ServerResponse, reason: () => Error): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort(reason());
  });
  return controller.signal;
}

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
