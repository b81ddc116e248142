import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { memoryStore } from '@maw/tests/equipment/memory-store/memory-store.ts';
import { readCliConfig } from '../config.ts';
import { demo } from './demo.ts';
import { type InProcessSystem, startInProcessSystem } from '../in-process-system.ts';

describe('maw demo', () => {
  let said: string;
  let system: InProcessSystem;
  const stop = new AbortController();
  beforeEach(() => {
    said = '';
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((said += String(text))));
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  beforeAll(async () => {
    const models = { servers: [], model: undefined, says: '', why: 'none is there' };
    system = await startInProcessSystem({ store: memoryStore(), port: 0, models, maxWaitMs: 200, logLevel: 'silent' });
  }, 600_000);
  afterAll(() => system?.close(), 600_000);
  const options = (at: string, token: string) => ({ rules: 'maw', seconds: 60, data: '/nowhere', at, token });

  it('opens a table and shows it; a second run shows the same table', async () => {
    const { web, adminToken } = system;
    const config = readCliConfig({});
    const shown = () => [...said.matchAll(/^Table (\S+) at/gm)].map(([, table]) => table);
    const stopped = new AbortController();
    const first = demo(options(web.at, adminToken), config, stopped.signal);
    await pollUntil('somebody who joins', () => /joins\.$/m.test(said));
    stopped.abort();
    expect(await first).toBe(130);
    const again = new AbortController();
    const second = demo(options(web.at, adminToken), config, again.signal);
    await pollUntil('a table', () => shown().length === 2);
    again.abort();
    expect(await second).toBe(130);
    expect(shown()).toEqual((await web.tables()).flatMap(({ table }) => [table, table]));
  });

  it('opens no table when MAW_DEMO is 0', async () => {
    expect(await demo(options('http://127.0.0.1:1', 'x'), readCliConfig({ MAW_DEMO: '0' }), stop.signal)).toBeUndefined();
    expect(said).toBe('MAW_DEMO is 0: no table is opened.\n');
  });

  it('waits for a system that is not ready, prints the reason once, and stops on the signal', async () => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked++;
      response.writeHead(504, { 'content-type': 'application/json' }).end(JSON.stringify({ reason: 'no-answer', detail: 'try again' }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const ours = new AbortController();
    const running = demo(options(`http://127.0.0.1:${port}`, 'x'), readCliConfig({}), ours.signal);
    await pollUntil('a second look', () => asked >= 2);
    ours.abort();
    expect(await running).toBe(130);
    expect(said).toBe('Not yet: try again.\n');
    server.close();
  });

  it('fails at once for an error that waiting does not fix', async () => {
    const { web } = system;
    await expect(demo(options(web.at, 'a-token-of-nobody'), readCliConfig({}), stop.signal)).rejects.toMatchObject({ status: 401 });
  });
});
