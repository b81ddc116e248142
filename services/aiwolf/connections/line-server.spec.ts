import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { agentConnectionSuite } from './agent-connection.suite.ts';
import { connectLines, serverRig } from './agents.suite.ts';
import { startLineServer } from './line-server.ts';

describe('over TCP', () => {
  agentConnectionSuite(startLineServer, connectLines);

  it('an agent that only closes its own side has hung up', async () => {
    const rig = serverRig();
    const server = await startLineServer(rig.options);
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(server.url).port), allowHalfOpen: true });
    socket.resume().end('fox1\n');
    const connection = await rig.agents.next();
    expect(await connection.request('asked', { answerMs: 1000, extraMs: 0, signMs: 0 })).toMatchObject({ fault: 'gone' });
    await Promise.all([connection.closed, once(socket, 'close')]);
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
