import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { reportUsage } from '../measured-process.ts';

/** The process of a proxy in front of a model server that checks nothing and knows nothing: what a gateway cannot do without. */
const model = process.argv[2]!;
const agent = new Agent({ keepAlive: true });

const server = createServer((incoming, outgoing) => {
  const pieces: Buffer[] = [];
  incoming.on('data', (piece: Buffer) => void pieces.push(piece));
  incoming.on('end', () => {
    const headers = { 'content-type': 'application/json' };
    const sent = request(`${model}${incoming.url ?? '/'}`, { method: incoming.method, agent, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, headers);
      answer.pipe(outgoing);
    });
    sent.on('error', () => outgoing.destroy()).end(Buffer.concat(pieces));
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');
reportUsage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
