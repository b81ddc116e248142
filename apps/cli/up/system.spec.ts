import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { planReplicas, unreadyText } from './system.ts';

describe('planReplicas', () => {
  it('gives the ports asked for to the first web and the first gateway, and free ones to all others', async () => {
    const [simPort, planned] = await planReplicas({
      port: 8080,
      gatewayPort: 8090,
      replicas: { 'web': 2, 'llm-gateway': 2, 'aiwolf': 0, 'contest': 0 },
    });
    const portOf = (name: string) => planned.find((each) => each.name === name)!.httpPort;
    expect([portOf('web'), portOf('llm-gateway')]).toEqual([8080, 8090]);
    const ports = [simPort, ...planned.flatMap(({ opsPort, httpPort }) => [opsPort, httpPort])];
    expect([ports.length, new Set(ports).size]).toEqual([15, 15]);
    expect(ports.filter((port) => port < 15_000)).toEqual([8090, 8080]);
  });

  it('takes free ports where none is asked for', async () => {
    const [, planned] = await planReplicas({ port: 0 });
    expect(planned.map(({ name }) => name)).toEqual(['gamemaster', 'chatroom', 'llm-gateway', 'player', 'web', 'aiwolf', 'contest']);
    expect(planned.every(({ httpPort }) => httpPort >= 15_000)).toBe(true);
  });
});

describe('unreadyText', () => {
  it('has the service with what its /readyz says, or that it does not answer', async () => {
    let status = 503;
    const server = createServer((_, response) => response.writeHead(status).end('{"broker":"it cannot be reached\u001b[2J"}')).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const readyz = `http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`;
    expect(await unreadyText('web', readyz)).toEqual([expect.stringMatching(/^web: \{"broker":"it cannot be reached[^\u001b]*"\}$/)]);
    status = 200;
    expect(await unreadyText('web', readyz)).toEqual([]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(await unreadyText('player-2', readyz)).toEqual(['player-2: it does not answer yet']);
  });
});
