import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { startLoadBalancer } from './load-balancer.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A server that says its name to whoever comes, and then what it hears. */
async function server(name: string) {
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.write(name);
    socket.pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    for (const socket of sockets) socket.destroy();
    listener.close();
    await once(listener, 'close');
  };
  closing.push(close);
  return { url: `amqp://somebody:secret@127.0.0.1:${(listener.address() as AddressInfo).port}`, close };
}

async function guest(url: string) {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) });
  const guestOf = { socket, heard: '', isOver: false };
  socket.on('error', () => undefined);
  socket.on('data', (bytes) => (guestOf.heard += bytes.toString()));
  socket.on('close', () => (guestOf.isOver = true));
  closing.push(async () => void socket.destroy());
  await once(socket, 'connect');
  return guestOf;
}

async function three() {
  const servers = [await server('one'), await server('two'), await server('three')] as const;
  const balancer = await startLoadBalancer([servers[0].url, servers[1].url, servers[2].url]);
  closing.push(() => balancer.close());
  /** Who was reached. */
  const come = async () => {
    const one = await guest(balancer.url);
    await pollUntil('somebody answers', () => one.heard || one.isOver, { timeoutMs: 600_000 });
    return one;
  };
  return { servers, balancer, come, counts: () => servers.map(({ url }) => balancer.connections(url)) };
}

describe('a balancer', () => {
  it('spreads connections in turn, forwards both directions, and keeps the user', async () => {
    const { balancer, come, counts } = await three();
    const guests = [await come(), await come(), await come(), await come()];
    expect(guests.map(({ heard }) => heard)).toEqual(['one', 'two', 'three', 'one']);
    expect(counts()).toEqual([2, 1, 1]);
    guests[1]!.socket.write(', are you there?');
    await pollUntil('it is heard', () => guests[1]!.heard === 'two, are you there?', { timeoutMs: 600_000 });
    expect(new URL(balancer.url)).toMatchObject({ username: 'somebody', password: 'secret', hostname: '127.0.0.1' });
  });

  it('cuts only connections of a dead server; new ones use the others', async () => {
    const { servers, come, counts } = await three();
    const guests = [await come(), await come(), await come()];
    await servers[1].close();
    await pollUntil('its connection ends', () => guests[1]!.isOver, { timeoutMs: 600_000 });
    await pollUntil('it has none', () => counts()[1] === 0, { timeoutMs: 600_000 });
    expect(guests.map(({ isOver }) => isOver)).toEqual([false, true, false]);
    const others = [await come(), await come(), await come()];
    expect(others.map(({ heard }) => heard)).toEqual(['one', 'three', 'three']);
  });

  it('closes a connection at once when no server accepts it', async () => {
    const { servers, come, counts } = await three();
    for (const one of servers) await one.close();
    expect(await come()).toMatchObject({ heard: '', isOver: true });
    expect(counts()).toEqual([0, 0, 0]);
  });
});
