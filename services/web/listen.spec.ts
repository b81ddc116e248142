import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { metrics } from '@maw/telemetry/metrics.ts';
import { eventually } from '../../tests/eventually.ts';
import { ADMIN, startTestWeb, type TestWeb } from './web.suite.ts';
import type { WebOptions } from './options.ts';

let here: TestWeb;
const begin = async (options: Partial<WebOptions> = {}) => void (here = await startTestWeb(options));
afterEach(() => here.close());

/** A connection that sends what it is told to, and what came back until it was closed. */
async function connection(): Promise<{ readonly socket: Socket; readonly all: Promise<string> }> {
  const socket = connect(here.site.port, '127.0.0.1');
  let text = '';
  const all = new Promise<string>((resolve) => {
    socket
      .setEncoding('utf8')
      .on('data', (chunk: string) => (text += chunk))
      .on('error', () => undefined)
      .on('close', () => resolve(text));
  });
  await once(socket, 'connect');
  return { socket, all };
}
const refusals = async (reason: string) =>
  (await metrics.refusals.get()).values.find(({ labels }) => labels.service === 'web' && labels.reason === reason)?.value ?? 0;
const GET = `GET /tables HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ADMIN}\r\nConnection: close\r\n`;

describe('a connection', () => {
  it('that sends its head too slowly is answered 408 and closed, and counted; others are served meanwhile', async () => {
    await begin({ headersMs: 150 });
    const before = await refusals('too-slow');
    const { socket, all } = await connection();
    socket.write(GET);
    const drip = setInterval(() => socket.writable && socket.write('X-Slow: 1\r\n'), 20);
    expect((await here.get('/tables', ADMIN)).status).toBe(200);
    expect(await all).toMatch(/^HTTP\/1\.1 408 /);
    clearInterval(drip);
    expect(await refusals('too-slow')).toBe(before + 1);
  });

  it('that sends its body too slowly is answered 408', async () => {
    await begin({ headersMs: 100, requestBodyMs: 150 });
    const { socket, all } = await connection();
    const head = `POST /tables HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ADMIN}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n`;
    socket.write(`${head}\r\n{`);
    expect(await all).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('with a head that is too long is answered 431, and one that fits is not', async () => {
    await begin({ maxHeaderBytes: 2_048 });
    const sends = async (bytes: number) => {
      const { socket, all } = await connection();
      socket.write(`${GET}X-Pad: ${'y'.repeat(bytes)}\r\n\r\n`);
      return (await all).split('\r\n')[0];
    };
    expect(await sends(1_500)).toBe('HTTP/1.1 200 OK');
    expect(await sends(4_000)).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('that speaks no HTTP is answered 400, and nothing is said of us', async () => {
    await begin();
    const { socket, all } = await connection();
    socket.write('hello?\r\n\r\n');
    const text = await all;
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(text).not.toMatch(/node|express|at .*\.ts/i);
  });

  it('that breaks off before it was answered is forgotten, however many do', async () => {
    await begin({ maxConnections: 2 });
    const open = async () => (await metrics.connections.get()).values[0]!.value;
    here.addTable('t1', { rules: 'maw', seats: [{ kind: 'person' }] });
    const token = await here.mint({ role: 'spectator', table: 't1' });
    for (let i = 0; i < 3; i++) {
      const { socket, all } = await connection();
      socket.write(`GET /tables/t1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`);
      await once(socket, 'data');
      socket.destroy();
      await all;
      await eventually(async () => (await open()) === 0, 'the connection to be forgotten');
    }
    expect((await here.get('/tables', ADMIN)).status).toBe(200);
  });

  it('beyond the most is answered 503 with when to come again, and there is room once another has gone', async () => {
    await begin({ maxConnections: 2 });
    const [one, two] = [await connection(), await connection()];
    const three = await connection();
    const text = await three.all;
    expect(text).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\nRetry-After: 5\r\n/);
    expect(JSON.parse(text.split('\r\n\r\n')[1]!)).toMatchObject({ status: 503, reason: 'unavailable' });
    one.socket.destroy();
    await one.all;
    await eventually(async () => {
      const next = await connection();
      next.socket.write(`${GET}\r\n`);
      return (await next.all).startsWith('HTTP/1.1 200');
    }, 'a free place');
    two.socket.destroy();
  });

  it('that is cut while it is answered gives its place back, however often that happens', async () => {
    await begin({ maxConnections: 2 });
    here.addTable('t1', { rules: 'maw', seats: [{ kind: 'person' }] });
    for (let i = 0; i < 4; i++) {
      const { socket, all } = await connection();
      socket.write(`GET /tables/t1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ADMIN}\r\n\r\n`);
      expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 200 /);
      socket.destroy();
      await all;
      await eventually(async () => (await metrics.connections.get()).values[0]!.value === 0, 'a door without connections');
    }
  });

  it('beyond the most of one address is turned away, but not behind a proxy, where all come from one', async () => {
    await begin({ maxConnectionsPerClient: 1 });
    const one = await connection();
    expect(await (await connection()).all).toMatch(/^HTTP\/1\.1 503 /);
    one.socket.destroy();
    await here.close();
    await begin({ maxConnectionsPerClient: 1, proxies: 1 });
    const first = await connection();
    const second = await connection();
    second.socket.write(`${GET}\r\n`);
    expect(await second.all).toMatch(/^HTTP\/1\.1 200 /);
    first.socket.destroy();
  });
});
