/** Servers that send a written conversation to each agent that connects, and take down what it answers. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Capture } from './captures.suite.ts';

const ANSWERED: ReadonlySet<string> = new Set(['NAME', 'ROLE', 'TALK', 'WHISPER', 'VOTE', 'DIVINE', 'GUARD', 'ATTACK']);
export const requestOf = (packet: string): string => (JSON.parse(packet) as { request: string }).request;
/** The requests of a conversation that want an answer. */
export const askedIn = (packets: readonly string[]): readonly string[] => packets.map(requestOf).filter((request) => ANSWERED.has(request));

interface FakeServer {
  readonly address: string;
  /** What each agent sent, in the order in which they connected. */
  readonly received: readonly (readonly string[])[];
  /** Of HTTP: what each has asked for. */
  readonly paths: readonly string[];
  close(): void;
}

/** An agent at a fake server. */
export interface ConnectedAgent {
  /** Sends packets at once. */
  send(packets: readonly string[]): void;
  readonly received: string[];
  /** Closes after everything that is sent has come. */
  end(): void;
}
/** Serves an agent that has connected; returns what is called when it has sent something. */
type ServeAgent = (agent: ConnectedAgent) => () => void;

/** Sends up to the next request that wants an answer, and goes on when it has come. */
function converse(packets: readonly string[], agent: ConnectedAgent): () => void {
  let at = 0;
  let answers = 0;
  return () => {
    while (agent.received.length >= answers) {
      if (at === packets.length) return agent.end();
      const next = packets.findIndex((packet, i) => i >= at && ANSWERED.has(requestOf(packet)));
      const to = next < 0 ? packets.length : next + 1;
      agent.send(packets.slice(at, to));
      at = to;
      if (next >= 0) answers++;
    }
  };
}

async function listening(
  server: Server,
  address: (port: number) => string,
  { received, open, paths = [], port = 0 }: { received: string[][]; open: Set<Duplex>; paths?: string[]; port?: number },
): Promise<FakeServer> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: address((server.address() as AddressInfo).port),
    received,
    paths,
    close() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

/** Plays the nth conversation to the nth agent, the last one to all that follow. */
export function fakeServer(
  { division }: Pick<Capture, 'division'>,
  conversations: readonly (readonly string[])[],
  port?: number,
): Promise<FakeServer> {
  let count = 0;
  const serve: ServeAgent = (agent) => converse(conversations[Math.min(++count, conversations.length) - 1]!, agent);
  return startFakeServer(division, serve, port);
}

/** @param port free by default */
export const startFakeServer = (division: Capture['division'], serve: ServeAgent, port = 0): Promise<FakeServer> =>
  division === 'protocol' ? fakeLines(serve, port) : fakeMessages(serve, port);

function fakeLines(serve: ServeAgent, port: number): Promise<FakeServer> {
  const received: string[][] = [];
  const open = new Set<Duplex>();
  const server = createServer((socket) => {
    open.add(socket.setNoDelay());
    const own: string[] = [];
    received.push(own);
    const go = serve({
      received: own,
      send: (some) => void socket.write(some.map((packet) => `${packet}\n`).join('')), // in one segment, as the real one does
      end: () => void socket.end(),
    });
    let rest = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop()!;
      own.push(...lines);
      go();
    });
    socket.on('error', () => undefined);
    go();
  });
  return listening(server, (free) => `tcp://127.0.0.1:${free}`, { received, open, port });
}

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

function fakeMessages(serve: ServeAgent, port: number): Promise<FakeServer> {
  const received: string[][] = [];
  const paths: string[] = [];
  const open = new Set<Duplex>();
  const server = createHttpServer();
  server.on('upgrade', ({ headers, url = '' }, socket) => {
    open.add(socket);
    paths.push(url);
    const key = createHash('sha1')
      .update(headers['sec-websocket-key'] + GUID)
      .digest('base64');
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`);
    const own: string[] = [];
    received.push(own);
    const go = serve({
      received: own,
      send: (some) => void socket.write(Buffer.concat(some.map(frameOf))),
      end: () => setImmediate(() => socket.destroy()), // without a closing handshake: the agent sees 1006
    });
    let rest = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      for (let frame = readFrame(rest); frame; frame = readFrame(rest)) {
        rest = rest.subarray(frame.length);
        if (frame.opcode === 8) socket.destroy();
        else own.push(frame.text);
      }
      go();
    });
    socket.on('error', () => undefined);
    go();
  });
  return listening(server, (free) => `ws://127.0.0.1:${free}/ws`, { received, open, paths, port });
}

/** A frame of text, as a server sends it. */
function frameOf(text: string): Buffer {
  const body = Buffer.from(text);
  const head = body.length < 126 ? Buffer.from([0x81, body.length]) : Buffer.from([0x81, 126, body.length >> 8, body.length & 255]);
  return Buffer.concat([head, body]);
}

/** The first frame of what an agent sent, which is masked; undefined when it is not whole yet. */
function readFrame(bytes: Buffer): { readonly opcode: number; readonly text: string; readonly length: number } | undefined {
  if (bytes.length < 6) return undefined;
  const short = bytes[1]! & 127;
  const start = short === 126 ? 4 : 2;
  const size = short === 126 ? bytes.readUInt16BE(2) : short;
  const length = start + 4 + size;
  if (bytes.length < length) return undefined;
  const mask = bytes.subarray(start, start + 4);
  const body = bytes.subarray(start + 4, length).map((byte, i) => byte ^ mask[i % 4]!);
  return { opcode: bytes[0]! & 15, text: Buffer.from(body).toString(), length };
}
