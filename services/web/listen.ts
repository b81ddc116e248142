import { createServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { metrics } from '@maw/telemetry/metrics.ts';
import { placeOf } from './pace.ts';
import { documentOf, Problem } from './problem.ts';

export interface Listener {
  readonly port: number;
  /** Takes nothing new, lets what is in hand be answered, and cuts what is left after the grace time. */
  close(graceMs: number): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Connections at once, in all and from one address; what is more is answered 503. */
  readonly maxConnections: number;
  readonly maxConnectionsPerClient: number;
  /** How long the head of a request may take, and the whole of it, in milliseconds; what takes longer is answered 408. */
  readonly headersMs: number;
  readonly requestBodyMs: number;
  /** The head of a request has at most so many bytes; a longer one is answered 431. */
  readonly maxHeaderBytes: number;
}

/** What Node cuts off before there is a request, by its code: the status, and the reason that is counted. */
const CUT: { readonly [code: string]: readonly [line: string, reason: string] } = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'too-slow'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'too-large'],
};
const FULL = documentOf(new Problem('unavailable', 'too many connections are open here: close some, or try again later'));

/**
 * Listens for HTTP.
 * @throws Error when the address cannot be had
 */
export async function listen(hear: RequestListener, options: ListenOptions): Promise<Listener> {
  const { host, port, headersMs, requestBodyMs, maxHeaderBytes } = options;
  const server = createServer(
    {
      headersTimeout: headersMs,
      requestTimeout: Math.max(headersMs, requestBodyMs),
      // Node looks for the slow ones so often, and not otherwise.
      connectionsCheckingInterval: Math.min(2_000, headersMs),
      maxHeaderSize: maxHeaderBytes,
    },
    hear,
  );
  // Node calls a connection idle only once it has carried a request; clients open some in advance, and would keep a closing server waiting.
  const inHand = new Map<Socket, number>();
  const from = new Map<string, number>();
  let isClosing = false;
  const count = (socket: Socket, by: number): void => {
    const had = inHand.get(socket);
    if (had === undefined) return; // a connection that breaks goes before its answer does
    const left = had + by;
    inHand.set(socket, left);
    if (isClosing && !left) socket.destroySoon();
  };
  server.on('connection', (socket) => {
    const address = placeOf(socket.remoteAddress);
    const own = (from.get(address) ?? 0) + 1;
    from.set(address, own);
    inHand.set(socket, 0);
    metrics.connections.set({ service: 'web' }, inHand.size);
    socket.once('close', () => {
      inHand.delete(socket);
      metrics.connections.set({ service: 'web' }, inHand.size);
      const left = from.get(address)! - 1;
      if (left) from.set(address, left);
      else from.delete(address);
    });
    if (inHand.size <= options.maxConnections && own <= options.maxConnectionsPerClient) return;
    metrics.refusals.inc({ service: 'web', reason: 'unavailable' });
    turnAway(socket, '503 Service Unavailable', JSON.stringify(FULL), 'Retry-After: 5\r\n');
  });
  server.on('request', ({ socket }, res) => {
    count(socket, 1);
    res.once('close', () => count(socket, -1));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const [line, reason] = CUT[error.code ?? ''] ?? ['400 Bad Request', 'unreadable'];
    metrics.refusals.inc({ service: 'web', reason });
    turnAway(socket as Socket, line, '');
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    async close(graceMs) {
      isClosing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of inHand.keys()) count(socket, 0);
      const cut = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(cut);
    },
  };
}

/** Answers where there is no request to answer, and hangs up; whoever does not take it is cut off. */
function turnAway(socket: Socket, line: string, body: string, headers = ''): void {
  const type = body ? 'Content-Type: application/problem+json\r\n' : '';
  socket.write(`HTTP/1.1 ${line}\r\n${headers}${type}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`);
  socket.destroySoon();
}
