import type { ServerResponse } from 'node:http';
import { drainRequest } from './drain-request.ts';
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
