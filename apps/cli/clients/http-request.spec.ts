import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sendRequest } from './http-request.ts';

/** Hangs up on every request but the second. */
let requests = 0;
const server = createServer((req, res) => (++requests === 2 ? res.end('here') : req.socket.destroy()));
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
afterAll(() => void server.close());

const send = (method: string) => {
  requests = 0;
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return sendRequest({ base, token: undefined, unreachable: 'no-door' }, method, '/');
};

it('sends a GET once more when the server has closed the connection, and nothing else', async () => {
  expect(await (await send('GET')).text()).toBe('here');
  await expect(send('POST')).rejects.toMatchObject({ status: 0, reason: 'no-door' });
  expect(requests).toBe(1);
});
