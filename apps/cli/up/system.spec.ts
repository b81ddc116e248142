import { describe, expect, it } from '@jest/globals';
import { planReplicas } from './system.ts';

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
