import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { MAX_DRAINED_BYTES } from './response.ts';
import { readJsonBytes } from './json-body.ts';
import { sendText } from './response.ts';
import { type HttpServer, startHttpServer } from './server.ts';

let server: HttpServer;
/** The server's end of the last connection. */
let accepted: Socket;
beforeAll(async () => {
  server = await startHttpServer(
    (req, res) => {
      accepted = req.socket;
      if (req.url === '/refused') return sendText(res, 401, 'no');
      void readJsonBytes(req, 100).then((body) => sendText(res, 200, body.toString()));
    },
    { host: '127.0.0.1', port: 0, headersMs: 60_000, requestMs: 60_000 },
  );
});
afterAll(() => server.close(0));

/** A client that sends headers and waits. `received` has what came back until the connection closed. */
async function post(path: string, headers: string) {
  const socket = connect(server.port, '127.0.0.1').setEncoding('utf8');
  let text = '';
  socket.on('data', (chunk: string) => (text += chunk)).on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`);
  await once(socket, 'data');
  return { socket, closed, received: () => text };
}

describe('sendText, while the request is still arriving', () => {
  it('answers at once and closes the connection without reading a body of 200 MB', async () => {
    const { socket, closed, received } = await post('/refused', `Content-Length: ${200 * 2 ** 20}`);
    expect(received()).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n[^]*Connection: close\r\n[^]*\r\n\r\nno$/);
    const block = Buffer.alloc(2 ** 20);
    while (!socket.destroyed && socket.bytesWritten < 200 * 2 ** 20)
      if (!socket.write(block)) await Promise.race([once(socket, 'drain'), closed]).catch(() => undefined);
    await closed;
    expect(accepted.bytesRead).toBeLessThan(2 * MAX_DRAINED_BYTES);
  });

  it('ends the connection once the rest has arrived', async () => {
    const { socket, closed, received } = await post('/refused', 'Content-Length: 3');
    expect(received()).toContain('Connection: close');
    socket.write('abc');
    await closed;
  });
});

describe('a client that asks before it sends the body', () => {
  const EXPECT = 'Expect: 100-continue\r\nContent-Length: 2';

  it('is told to go on when the body is read', async () => {
    const { socket, received } = await post('/', EXPECT);
    expect(received()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('{}');
    await once(socket, 'data');
    expect(received()).toMatch(/HTTP\/1\.1 200 OK[^]*\{\}$/);
    socket.destroy();
  });

  it('is refused without the body', async () => {
    const { socket, received } = await post('/refused', EXPECT);
    expect(received()).toMatch(/^HTTP\/1\.1 401 /);
    socket.destroy();
  });
});
