import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { clientNetwork } from './address.ts';

/** Why a connection was answered before there was a request to handle. */
export type ConnectionRejection = 'too-many-connections' | 'too-slow' | 'headers-too-large' | 'unreadable';

export interface ServerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** How long the headers, and the whole, of a request may take, in milliseconds; a slower one is answered 408. 0: unlimited. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** How long an idle connection stays open after a response, in milliseconds. 0: for ever. */
  readonly keepAliveMs?: number | undefined;
  /** How long a connection may be idle before it is closed, in milliseconds. Default: for ever. */
  readonly idleMs?: number | undefined;
  /** Longer request headers are answered 431. Default: Node's limit of 16 KiB. */
  readonly maxHeaderBytes?: number | undefined;
  /** Connections at once, in all and from one client network. More are answered 503 and closed. Default: unlimited. */
  readonly maxConnections?: number | undefined;
  readonly maxConnectionsPerClient?: number | undefined;
  /** Body of that 503, a problem document. Default: empty. */
  readonly tooManyConnections?: string | undefined;
  /** Called with the number of open connections whenever it changes. */
  readonly onConnections?: (open: number) => void;
  readonly onRejected?: (reason: ConnectionRejection) => void;
}

export interface HttpServer {
  readonly port: number;
  /** `http://127.0.0.1:8080`, with the host that was given. */
  readonly url: string;
  /**
   * Stops accepting connections, closes those without a request, and marks the others to close after their response.
   * Resolves when all are closed, or after `graceMs`. Safe to call twice.
   */
  drain(graceMs: number): Promise<void>;
  /** Drains for `graceMs`, then cuts the connections that are left. Safe to call twice. */
  close(graceMs: number): Promise<void>;
}

/** Open connections of one server. */
interface Connections {
  /** Requests in flight on each; Node calls a connection idle only after its first request, but clients open some in advance. */
  readonly requests: Map<Socket, number>;
  readonly perClient: Map<string, number>;
  isDraining: boolean;
}

/** How Node reports requests it cannot parse: error code to status line and reason. */
const PARSE_ERRORS: { readonly [code: string]: readonly [line: string, reason: ConnectionRejection] } = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'too-slow'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'headers-too-large'],
};
const MAX_CHECK_INTERVAL_MS = 2_000;
const OVERLOADED_RETRY_S = 5;

/**
 * Starts an HTTP server with limits on time, headers and connections.
 * @throws Error with the `code` of the system when the address cannot be listened on
 */
export async function startHttpServer(handler: RequestListener, options: ServerOptions): Promise<HttpServer> {
  const server = createServer(nodeOptions(options));
  const connections: Connections = { requests: new Map(), perClient: new Map(), isDraining: false };
  if (options.idleMs !== undefined) server.setTimeout(options.idleMs);
  limitConnections(server, connections, options);
  countRequests(server, connections);
  answerParseErrors(server, options);
  server.on('request', handler);
  server.on('checkContinue', sendContinueLate);
  server.listen({ host: options.host, port: options.port });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  let closed: Promise<unknown> | undefined;
  const drain = async (graceMs: number): Promise<void> => {
    connections.isDraining = true;
    closed ??= new Promise((resolve) => server.close(resolve));
    for (const socket of connections.requests.keys()) endIfIdle(connections, socket);
    if (graceMs <= 0) return;
    const { promise: graceOver, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, graceMs);
    await Promise.race([closed, graceOver]).finally(() => clearTimeout(timer));
  };
  return {
    port,
    url: httpUrl(options.host, port),
    drain,
    async close(graceMs) {
      await drain(graceMs);
      for (const socket of connections.requests.keys()) socket.destroy();
      await closed;
    },
  };
}

/** The URL of a host and port; IPv6 addresses are put in brackets. */
export const httpUrl = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

const nodeOptions = ({ headersMs, requestMs, keepAliveMs, maxHeaderBytes }: ServerOptions) => ({
  headersTimeout: headersMs,
  requestTimeout: requestMs === 0 ? 0 : Math.max(headersMs, requestMs),
  connectionsCheckingInterval: Math.min(MAX_CHECK_INTERVAL_MS, headersMs || MAX_CHECK_INTERVAL_MS),
  ...(keepAliveMs === undefined ? {} : { keepAliveTimeout: keepAliveMs }),
  ...(maxHeaderBytes === undefined ? {} : { maxHeaderSize: maxHeaderBytes }),
});

/** A client that asks before it sends the body (`Expect: 100-continue`) is told to go on once the body is read, so a refusal spares it. */
function sendContinueLate(this: Server, req: IncomingMessage, res: ServerResponse): void {
  req.once('resume', () => !res.headersSent && res.writeContinue());
  this.emit('request', req, res);
}

function limitConnections(server: Server, { requests, perClient }: Connections, options: ServerOptions): void {
  const { maxConnections = Infinity, maxConnectionsPerClient = Infinity, onConnections, onRejected, tooManyConnections = '' } = options;
  server.on('connection', (socket: Socket) => {
    const client = clientNetwork(socket.remoteAddress);
    const ofClient = (perClient.get(client) ?? 0) + 1;
    perClient.set(client, ofClient);
    requests.set(socket, 0);
    onConnections?.(requests.size);
    socket.once('close', () => {
      requests.delete(socket);
      onConnections?.(requests.size);
      const left = perClient.get(client)! - 1;
      if (left) perClient.set(client, left);
      else perClient.delete(client);
    });
    if (requests.size <= maxConnections && ofClient <= maxConnectionsPerClient) return;
    onRejected?.('too-many-connections');
    rejectConnection(socket, '503 Service Unavailable', tooManyConnections, `Retry-After: ${OVERLOADED_RETRY_S}\r\n`);
  });
}

function countRequests(server: Server, connections: Connections): void {
  const count = (socket: Socket, change: 1 | -1): void => {
    const inFlight = connections.requests.get(socket);
    if (inFlight === undefined) return; // a broken connection closes before its response does
    connections.requests.set(socket, inFlight + change);
    endIfIdle(connections, socket);
  };
  server.on('request', ({ socket }, res) => {
    count(socket, 1);
    res.once('close', () => count(socket, -1));
    if (connections.isDraining) res.setHeader('Connection', 'close');
  });
}

function endIfIdle({ requests, isDraining }: Connections, socket: Socket): void {
  if (isDraining && requests.get(socket) === 0) socket.destroySoon();
}

function answerParseErrors(server: Server, { onRejected }: ServerOptions): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const [line, reason] = PARSE_ERRORS[error.code ?? ''] ?? ['400 Bad Request', 'unreadable' as const];
    onRejected?.(reason);
    rejectConnection(socket as Socket, line);
  });
}

/** Writes a response where there is no request, and closes the connection. */
function rejectConnection(socket: Socket, line: string, problem = '', headers = ''): void {
  const type = problem ? 'Content-Type: application/problem+json\r\n' : '';
  const length = `Content-Length: ${Buffer.byteLength(problem)}\r\n`;
  socket.write(`HTTP/1.1 ${line}\r\n${headers}${type}${length}Connection: close\r\n\r\n${problem}`);
  socket.destroySoon();
}
