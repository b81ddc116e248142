import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { startFaultProxy, type FaultProxy } from './fault-proxy.ts';

interface End {
  readonly socket: Socket;
  got: string;
  hasEnded: boolean;
  isClosed: boolean;
}

function watched(socket: Socket): End {
  const end: End = { socket, got: '', hasEnded: false, isClosed: false };
  socket.setEncoding('utf8').on('data', (text: string) => (end.got += text));
  socket.on('end', () => (end.hasEnded = true));
  socket.on('close', () => (end.isClosed = true));
  socket.on('error', () => undefined);
  return end;
}

let server: Server;
let proxy: FaultProxy;
let heard: string[];
const ends: End[] = [];
const arrived: End[] = [];
beforeEach(async () => {
  heard = [];
  server = createServer({ allowHalfOpen: true }, (socket) => void arrived.push(watched(socket))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy = await startFaultProxy(`tcp://127.0.0.1:${(server.address() as AddressInfo).port}`, () => ({
    up: (bytes) => void heard.push(`up ${bytes.toString()}`),
    down: (bytes) => void heard.push(`down ${bytes.toString()}`),
  }));
});
afterEach(async () => {
  for (const { socket } of [...ends.splice(0), ...arrived.splice(0)]) socket.destroy();
  await proxy.close();
  server.close();
});

/** Somebody who connects by the proxy, and the other end of it. */
async function pair(): Promise<readonly [near: End, far: End]> {
  const before = arrived.length;
  const near = watched(connect({ port: proxy.port, host: '127.0.0.1', allowHalfOpen: true }));
  ends.push(near);
  return [near, await pollUntil('the connection', () => arrived[before])];
}

async function says(from: End, text: string, to: End): Promise<void> {
  const before = to.got;
  from.socket.write(text);
  await pollUntil(text, () => to.got === before + text);
}

describe('the proxy', () => {
  it('forwards both directions, and reports the traffic', async () => {
    const [near, far] = await pair();
    await says(near, 'hello', far);
    await says(far, 'welcome', near);
    expect(heard).toEqual(['up hello', 'down welcome']);
    near.socket.end();
    await pollUntil('the end of one half', () => far.hasEnded);
    await says(far, 'bye', near);
    far.socket.end();
    await pollUntil('the end', () => near.isClosed && far.isClosed);
    expect(proxy.connections()).toBe(0);
  });

  it('cuts all connections, or one', async () => {
    const pairs = [await pair(), await pair(), await pair()];
    proxy.cut(4); // the second of three
    await pollUntil('the cut', () => pairs[1]![0].isClosed && pairs[1]![1].isClosed);
    await says(pairs[0]![0], 'a', pairs[0]![1]);
    await says(pairs[2]![0], 'c', pairs[2]![1]);
    proxy.cut('all');
    await pollUntil('all to be cut', () => pairs.flat().every(({ isClosed }) => isClosed));
    const [near, far] = await pair();
    await says(near, 'again', far);
  });

  it('refuses connections while it is blocked', async () => {
    const [near] = await pair();
    proxy.block();
    await pollUntil('the cut', () => near.isClosed);
    const turned = watched(connect({ port: proxy.port, host: '127.0.0.1' }));
    await pollUntil('to be turned away', () => turned.isClosed);
    expect(arrived).toHaveLength(1);
    proxy.mend();
    await says((await pair())[0], 'open', arrived[1]!);
  });

  it('holds data while it is stalled, and closes nothing', async () => {
    const [near, far] = await pair();
    const [other, beyond] = await pair();
    proxy.stall(0);
    near.socket.write('later');
    await says(other, 'now', beyond);
    await says(beyond, 'yes', other);
    expect([far.got, heard.includes('up later')]).toEqual(['', false]);
    proxy.mend();
    await pollUntil('what was held', () => far.got === 'later');
    expect(heard).toContain('up later');
    expect([near.isClosed, far.isClosed]).toEqual([false, false]);
    proxy.stall('all');
    const [next, beyondNext] = await pair();
    next.socket.write('after it');
    near.socket.write(' or before');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([far.got, beyondNext.got]).toEqual(['later', '']);
    proxy.mend();
    await pollUntil('all that was held', () => far.got === 'later or before' && beyondNext.got === 'after it');
  });

  it('passes everything on in order while it is slow', async () => {
    const [near, far] = await pair();
    proxy.slow(20);
    for (let n = 0; n < 10; n++) near.socket.write(`${n} `);
    await pollUntil('all of it', () => far.got === '0 1 2 3 4 5 6 7 8 9 ');
  });

  it.each(['server', 'client'] as const)('forwards the end of the other side to the %s, and ends with the fault', async (towards) => {
    const [near, far] = await pair();
    const [told, other] = towards === 'server' ? [far, near] : [near, far];
    proxy.halfClose(0, towards);
    await pollUntil('the end of one half', () => told.hasEnded);
    await says(told, 'still here', other);
    expect(other.hasEnded).toBe(false);
    proxy.mend();
    await pollUntil('the end', () => other.isClosed);
    await pollUntil('to hear that nobody listens any more', () => told.isClosed || (told.socket.write('anybody?') && false));
  });

  it('sends new connections to a new target', async () => {
    const [near, far] = await pair();
    const second: End[] = [];
    const moved = createServer((socket) => void second.push(watched(socket))).listen(0, '127.0.0.1');
    await once(moved, 'listening');
    proxy.aim(`tcp://127.0.0.1:${(moved.address() as AddressInfo).port}`);
    await says(near, 'old', far);
    const newcomer = watched(connect({ port: proxy.port, host: '127.0.0.1' }));
    ends.push(newcomer);
    await says(newcomer, 'new', await pollUntil('the connection', () => second[0]));
    newcomer.socket.destroy();
    second[0]!.socket.destroy();
    moved.close();
  });
});
