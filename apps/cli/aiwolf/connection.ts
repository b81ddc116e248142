import { connect } from 'node:net';

/** A connection to a published server: a line of TCP or a message of a WebSocket is a packet. */
export interface Connection {
  send(text: string): void;
  close(): void;
}

export interface Listener {
  packet(text: string): void;
  /** The connection is closed, by either side. */
  closed(): void;
}

/** The longest packet; the longest one of a game of 15 has 14,000 characters. */
const MAX_CHARS = 1 << 24;

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

/** Connects once. @throws Error when the server is not there */
export const openConnection = (url: URL, listener: Listener): Promise<Connection> =>
  url.protocol === 'tcp:' ? openLines(url, listener) : openMessages(url, listener);

function openLines({ hostname, port }: URL, { packet, closed }: Listener): Promise<Connection> {
  const { promise, resolve, reject } = Promise.withResolvers<Connection>();
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const socket = connect({ host, port: Number(port), noDelay: true }).setEncoding('utf8');
  let rest = '';
  socket.on('connect', () => resolve({ send: (text) => void socket.write(`${text}\n`), close: () => void socket.destroy() }));
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    if (rest.length > MAX_CHARS) socket.destroy();
    for (const line of lines) if (line.trim()) packet(line);
  });
  socket.on('error', reject); // once it is connected, `close` tells
  socket.on('close', closed);
  return promise;
}

function openMessages(url: URL, { packet, closed }: Listener): Promise<Connection> {
  const { promise, resolve, reject } = Promise.withResolvers<Connection>();
  const socket = new WebSocket(url);
  socket.binaryType = 'arraybuffer';
  socket.addEventListener('open', () => resolve({ send: (text) => socket.send(text), close: () => socket.close() }));
  socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
    packet(typeof data === 'string' ? data : new TextDecoder().decode(data));
  });
  socket.addEventListener('error', () => reject(new Error('no WebSocket answers there')));
  socket.addEventListener('close', closed);
  return promise;
}
