import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { freePorts } from './ports.ts';

describe('freePorts', () => {
  it('finds distinct free ports outside of the ephemeral range', async () => {
    const ports = await freePorts(3);
    expect(new Set(ports).size).toBe(3);
    expect(ports.filter((port) => port < 15_000 || port >= 32_000)).toEqual([]);
    const servers = ports.map((port) => createServer().listen(port, '127.0.0.1'));
    await Promise.all(
      servers.map((server) => new Promise((resolve, reject) => void server.once('listening', resolve).once('error', reject))),
    );
    for (const server of servers) server.close();
  });
});
