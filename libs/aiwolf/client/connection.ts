import { connect } from 'node:net';
import { WebSocket } from 'ws';

/** A connection to a published server: a line of TCP or a message of a WebSocket is a packet. */
export interface Connection {
  send(text: string): void;
  close(): void;
}

/** What a server says when it closes; nothing in the protocol division. */
export interface Goodbye {
  /** Empty: nothing. */
  readonly reason: string;
  /** It will not take this seat another time either. */
  readonly isFinal: boolean;
}

export interface Listener {
  packet(text: string): void;
  /** The connection, once it was there, is closed by either side. */
  closed(goodbye: Goodbye): void;
}

/** The longest packet; the longest one of a game of 15 has 14,000 characters. */
const MAX_CHARS = 1 << 24;

/** How long a server may take to answer the first request, and to say goodbye, in milliseconds. */
const PATIENCE = { handshakeTimeout: 10_000, closeTimeout: 1_000 };

/** @throws Error when the address is not of a kind that the servers have */
export function serverAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isServer = url && ['tcp:', 'ws:', 'wss:'].includes(url.protocol) && url.hostname && (url.protocol !== 'tcp:' || url.port);
  if (!isServer)
    throw new Error(
      `${text} is no address of an AIWolf server, such as tcp://127.0.0.1:10000 (protocol division) or ws://127.0.0.1:8080/ws (natural-language division)`,
    );
  return url;
}

/** Connects once. @throws Error when the server is not there; with `isFinal` when it is, and takes no such connection */
export const openConnection = (url: URL, listener: Listener): Promise<Connection> =>
  url.protocol === 'tcp:' ? openLines(url, listener) : openMessages(url, listener);

function openLines({ hostname, port }: URL, { packet, closed }: Listener): Promise<Connection> {
  const { promise, resolve, reject } = Promise.withResolvers<Connection>();
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const socket = connect({ host, port: Number(port), noDelay: true }).setEncoding('utf8');
  let rest = '';
  socket.on('connect', () => {
    socket.on('close', () => closed({ reason: '', isFinal: false }));
    resolve({ send: (text) => void socket.write(`${text}\n`), close: () => void socket.destroy() });
  });
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    if (rest.length > MAX_CHARS) socket.destroy();
    for (const line of lines) if (line.trim()) packet(line);
  });
  socket.on('error', reject); // once it is connected, `close` tells
  return promise;
}

function openMessages(url: URL, { packet, closed }: Listener): Promise<Connection> {
  const { promise, resolve, reject } = Promise.withResolvers<Connection>();
  const socket = new WebSocket(url, [], PATIENCE);
  socket.on('open', () => {
    socket.on('close', (code, reason) => closed({ reason: firstLine(reason.toString()), isFinal: code === POLICY }));
    resolve({ send: (text) => socket.send(text), close: () => socket.close() });
  });
  socket.on('message', (data: Buffer) => packet(data.toString()));
  socket.on('unexpected-response', (request, response) => {
    let body = ''; // it may have no end, or break off: the status says enough
    const end = (): void => {
      reject(refusalFor(response.statusCode ?? 0, body, url));
      request.destroy();
    };
    response.setEncoding('utf8').on('data', (more: string) => (body += more).length < MAX_REASON || end());
    response.on('error', end).on('close', end);
  });
  socket.on('error', reject); // once it is open, `close` tells
  return promise;
}

/** The code of a WebSocket for somebody who may not be there (RFC 6455). */
const POLICY = 1008;
/** How much of a refusal is shown, in characters. */
const MAX_REASON = 123;
/** For a terminal. */
const firstLine = (text: string): string => text.split(/[^ -~]/, 1)[0]!;

function refusalFor(status: number, body: string, { host, pathname, searchParams }: URL): Error {
  const reason = firstLine(body.slice(0, MAX_REASON));
  const given = searchParams.has('token') ? 'does not take this token' : 'wants a token: add ?token=TOKEN to the address';
  const why =
    status === 401 || status === 403
      ? given
      : `has no WebSocket at ${pathname}: servers of the natural-language division have it at /ws, such as ws://${host}/ws`;
  return Object.assign(new Error(`${host} ${why} (HTTP ${status}${reason && `: ${reason}`})`), {
    isFinal: status >= 400 && status < 500 && status !== 429,
  });
}
