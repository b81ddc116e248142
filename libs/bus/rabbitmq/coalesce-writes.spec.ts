import { once } from 'node:events';
import { createServer, type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { coalesceWrites } from './connection.ts';

const line = (n: number): string => `${n}\n`.padStart(1_024);
const lines = (many: number): string[] => Array.from({ length: many }, (_, n) => line(n));

let socket: Socket;
let received: Promise<string>;
let close: () => Promise<unknown>;
beforeEach(async () => {
  const parts: Buffer[] = [];
  const ended = Promise.withResolvers<string>();
  received = ended.promise;
  const server = createServer((peer) => {
    peer.on('error', () => undefined);
    peer.on('data', (part) => parts.push(part));
    peer.on('close', () => ended.resolve(Buffer.concat(parts).toString()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  await once(socket, 'connect');
  coalesceWrites(socket);
  close = async () => {
    socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
});
afterEach(() => close());

describe('coalesced writes', () => {
  it('of one turn go out as one, in order, and those of the next turn after them', async () => {
    const writes = jest.spyOn(socket, '_writev' as never);
    for (const text of lines(20)) socket.write(text);
    await new Promise(setImmediate);
    socket.write('next');
    socket.write('last');
    socket.end();
    expect(await received).toBe(`${lines(20).join('')}nextlast`);
    expect(writes).toHaveBeenCalledTimes(2);
  });

  it('beyond the high water mark are followed by drain', async () => {
    const accepted = lines(1_000).map((text) => socket.write(text));
    expect([accepted[0], accepted.at(-1)]).toEqual([true, false]);
    await once(socket, 'drain');
    expect(socket.write('more')).toBe(true);
    socket.end();
    expect(await received).toBe(`${lines(1_000).join('')}more`);
  });

  it('of the turn in which the stream ends are not lost', async () => {
    for (const text of lines(3)) socket.write(text);
    socket.end();
    expect(await received).toBe(lines(3).join(''));
  });

  it('of a stream that is destroyed in the same turn are dropped', async () => {
    socket.write('lost');
    socket.destroy();
    expect(await received).toBe('');
    expect(socket.destroyed).toBe(true);
  });
});
