import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { pollUntil } from '@maw/async/poll-until.ts';
import { type HttpServer, type ServerOptions, startHttpServer } from './server.ts';

let server: HttpServer;
afterEach(() => server.close(0));

const rejections: string[] = [];
let open = 0;
async function start(options: Partial<ServerOptions> = {}, handler: RequestListener = (_req, res) => void res.end('ok')): Promise<void> {
  rejections.length = 0;
  const watch = { onConnections: (now: number) => void (open = now), onRejected: (reason: string) => void rejections.push(reason) };
  server = await startHttpServer(handler, { host: '127.0.0.1', port: 0, headersMs: 60_000, requestMs: 60_000, ...watch, ...options });
}

/** A raw connection, and everything that came back until it closed. */
async function connection(sent = ''): Promise<{ readonly socket: Socket; readonly received: Promise<string> }> {
  const socket = connect(server.port, '127.0.0.1').setEncoding('utf8');
  let text = '';
  socket.on('data', (chunk: string) => (text += chunk)).on('error', () => undefined);
  const received = new Promise<string>((resolve) => void socket.once('close', () => resolve(text)));
  await once(socket, 'connect');
  socket.write(sent);
  return { socket, received };
}
const GET = 'GET / HTTP/1.1\r\nHost: x\r\n';

describe('startHttpServer', () => {
  it('says where it listens, and fails when the port is taken', async () => {
    await start();
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    const taken = startHttpServer(() => undefined, { host: '127.0.0.1', port: server.port, headersMs: 1_000, requestMs: 1_000 });
    await expect(taken).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('answers slow headers 408 and serves others meanwhile', async () => {
    await start({ headersMs: 100 });
    const { socket, received } = await connection(GET);
    const drip = setInterval(() => socket.writable && socket.write('X-Slow: 1\r\n'), 20);
    // A busy machine may be too slow itself.
    await pollUntil('an answer', async () => (await fetch(server.url)).status === 200, { retryErrors: true });
    expect(await received.finally(() => clearInterval(drip))).toMatch(/^HTTP\/1\.1 408 /);
    expect(new Set(rejections)).toEqual(new Set(['too-slow']));
  });

  it('answers a slow body 408, even when nobody reads it', async () => {
    await start({ headersMs: 50, requestMs: 100 }, () => undefined);
    const { received } = await connection(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf`);
    expect(await received).toMatch(/^HTTP\/1\.1 408 /);
    expect(rejections).toEqual(['too-slow']);
  });

  it('answers headers above the limit 431, and what is not HTTP 400', async () => {
    await start({ maxHeaderBytes: 2_048 });
    const answerTo = async (sent: string) => (await (await connection(sent)).received).split('\r\n')[0];
    const padded = (bytes: number) => `${GET}Connection: close\r\nX-Pad: ${'y'.repeat(bytes)}\r\n\r\n`;
    expect(await answerTo(padded(1_500))).toBe('HTTP/1.1 200 OK');
    expect(await answerTo(padded(4_000))).toMatch(/^HTTP\/1\.1 431 /);
    expect(await answerTo('hello?\r\n\r\n')).toBe('HTTP/1.1 400 Bad Request');
    expect(rejections).toEqual(['headers-too-large', 'unreadable']);
  });

  it.each(['maxConnections', 'maxConnectionsPerClient'])('answers connections above %s 503 until one closes', async (limit) => {
    await start({ [limit]: 1, tooManyConnections: '{"status":503}' });
    const first = await connection(`${GET}\r\n`);
    await once(first.socket, 'data');
    const text = await (await connection()).received;
    expect(text).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\nRetry-After: 5\r\n/);
    expect(text.split('\r\n\r\n')[1]).toBe('{"status":503}');
    expect(rejections).toEqual(['too-many-connections']);
    first.socket.destroy();
    while (open > 0) await new Promise((resolve) => setImmediate(resolve));
    expect((await fetch(server.url)).status).toBe(200);
  });
});

describe('HttpServer.close', () => {
  /** A server that holds each response until it is told to answer. */
  async function startHolding(): Promise<readonly ServerResponse[]> {
    const held: ServerResponse[] = [];
    await start({}, (_req, res) => void held.push(res));
    return held;
  }
  const untilHeld = async (held: readonly ServerResponse[], count: number) => {
    while (held.length < count) await new Promise((resolve) => setImmediate(resolve));
  };

  it('closes idle connections at once and lets requests in flight finish', async () => {
    const held = await startHolding();
    const unused = await connection();
    const asking = fetch(server.url);
    await untilHeld(held, 1);
    const closing = server.close(600_000);
    await unused.received;
    held[0]!.end('late');
    expect(await (await asking).text()).toBe('late');
    await closing;
    await expect(fetch(server.url)).rejects.toThrow('fetch failed');
  });

  it('cuts requests that outlast the grace time', async () => {
    const held = await startHolding();
    const cut = fetch(server.url).then(
      () => 'answered',
      (error: Error) => error.message,
    );
    await untilHeld(held, 1);
    await server.close(10);
    expect(await cut).toBe('fetch failed');
  });

  it('leaves connections open when it only drains', async () => {
    const held = await startHolding();
    const asking = fetch(server.url);
    await untilHeld(held, 1);
    await server.drain(1);
    held[0]!.end('still there');
    const response = await asking;
    expect([await response.text(), response.headers.get('connection')]).toEqual(['still there', 'keep-alive']);
  });
});
