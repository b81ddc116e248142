import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { type HttpServer, startHttpServer } from './server.ts';
import { parseJson, readJsonBytes } from './json-body.ts';
import { HttpProblem } from './problem.ts';
import { sendJson } from './response.ts';

let server: HttpServer;
let failed: (error: HttpProblem) => void;
beforeAll(async () => {
  server = await startHttpServer(
    (req, res) =>
      void readJsonBytes(req, 100).then(
        (body) => sendJson(res, 200, parseJson(body)),
        (error: HttpProblem) => {
          failed?.(error);
          sendJson(res, error.status, { reason: error.reason }, error.headers);
        },
      ),
    { host: '127.0.0.1', port: 0, headersMs: 60_000, requestMs: 60_000 },
  );
});
afterAll(() => server.close(0));

const post = async (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
  const response = await fetch(server.url, { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } });
  return { status: response.status, body: await response.json(), connection: response.headers.get('connection') };
};

describe('readJsonBytes', () => {
  it.each(['application/json', 'application/json; charset=utf-8', 'application/json; charset=utf8', 'Application/JSON ; charset="UTF-8"'])(
    'reads %s',
    async (type) => {
      expect(await post('{"a":"é"}', { 'Content-Type': type })).toMatchObject({ status: 200, body: { a: 'é' } });
    },
  );

  it.each(['', 'identity', 'Identity'])('reads a body whose Content-Encoding is "%s"', async (encoding) => {
    expect(await post('{}', { 'Content-Encoding': encoding })).toMatchObject({ status: 200 });
  });

  it.each([
    { 'Content-Type': 'text/plain' },
    { 'Content-Type': 'application/jsonx' },
    { 'Content-Type': 'application/json; charset=latin1' },
    { 'Content-Encoding': 'gzip' },
  ])('refuses %j', async (headers) => {
    expect(await post('{}', headers)).toMatchObject({ status: 415, body: { reason: 'not-json' } });
  });

  it('refuses a body above the limit, announced or not, and closes the connection', async () => {
    expect(await post(`"${'x'.repeat(98)}"`)).toMatchObject({ status: 200 });
    expect(await post(`"${'x'.repeat(99)}"`)).toMatchObject({ status: 413, body: { reason: 'too-large' }, connection: 'close' });
    const chunked = await fetch(server.url, {
      method: 'POST',
      body: new Blob(['x'.repeat(101)]).stream(),
      duplex: 'half',
      headers: { 'Content-Type': 'application/json' },
    } as RequestInit);
    expect(chunked.status).toBe(413);
  });

  it('refuses a body that the client did not send whole', async () => {
    const failure = new Promise<HttpProblem>((resolve) => (failed = resolve));
    const socket = connect(server.port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{', () => socket.destroy());
    expect(await failure).toMatchObject({ reason: 'unreadable', status: 400 });
  });
});

describe('parseJson', () => {
  it.each([Buffer.from(''), Buffer.from('{'), Buffer.from([0x22, 0xe9, 0x22])])('refuses %p', (bytes) => {
    expect(() => parseJson(bytes)).toThrow(expect.objectContaining({ reason: 'unreadable' }));
  });
});
