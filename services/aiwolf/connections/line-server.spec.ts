import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { agentConnectionSuite } from './agent-connection.suite.ts';
import { connectLines, serverRig } from './agents.suite.ts';
import { startLineServer } from './line-server.ts';

describe('over TCP', () => {
  agentConnectionSuite(startLineServer, connectLines);

  it('an agent that only closes its own side has hung up, even if it does not read', async () => {
    const rig = serverRig({ closeMs: 1, maxBacklogBytes: 100_000_000 });
    const server = await startLineServer(rig.options);
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(server.url).port), allowHalfOpen: true });
    socket.end('fox1\n');
    const connection = await rig.agents.next();
    connection.send('x'.repeat(30_000_000));
    expect(await connection.request('asked', { answerMs: 1000, extraMs: 0, signMs: 0 })).toMatchObject({ fault: 'gone' });
    await connection.closed;
    socket.destroy();
    await server.close();
  });

  it('a browser is no agent', async () => {
    const rig = serverRig();
    const server = await startLineServer(rig.options);
    await expect(fetch(server.url.replace('tcp:', 'http:'))).rejects.toThrow('fetch failed');
    expect(rig.logged()).toContain('agents connect here, not browsers');
    await server.close();
  });
});
