import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { reportUsage } from '../measured-process.ts';

/** What has come, as told at `/received`. */
export interface Received {
  readonly requests: number;
  readonly bytes: number;
}

/** The process of a receiver of traces (OTLP over HTTP) that takes everything and keeps nothing. */
let [requests, bytes] = [0, 0];

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ requests, bytes } satisfies Received));
    return;
  }
  request.on('data', (piece: Buffer) => (bytes += piece.length));
  request.on('end', () => {
    requests++;
    response.writeHead(200, { 'content-type': request.headers['content-type'] ?? '' }).end();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');
reportUsage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
