import { beforeEach, describe, expect, it } from '@jest/globals';
import { logger } from '@maw/telemetry/log.ts';
import { serverAt, fakeOllama, type FakeOllama } from '../fake-ollama.suite.ts';
import { ADMIN, type Given, httpGateway, type HttpGateway, keeper } from './http-server.suite.ts';

const keep = keeper();

let server: FakeOllama;
beforeEach(async () => {
  server = keep(await fakeOllama());
});
const open = async (given: Partial<Given> = {}): Promise<HttpGateway> =>
  keep(await httpGateway({ servers: [serverAt(server.url)], ...given }));

describe('the admin routes', () => {
  const admin = { key: ADMIN };

  it('show the status as JSON and as text', async () => {
    const { ask, gateway } = await open();
    const json = await ask('/admin/status', undefined, admin);
    expect(json.body).toMatchObject({ door: gateway.httpUrl, servers: [{ kind: 'ollama', state: 'up', slots: 1, busy: 0 }], limited: [] });
    const text = await ask('/admin/status', undefined, { ...admin, headers: { accept: 'text/plain' } });
    expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(text.text).toContain(server.url.slice('http://'.length));
  });

  it('add, drain and remove servers, and refuse bad changes', async () => {
    const other = keep(await fakeOllama([{ name: 'other:latest', digest: '2', capabilities: ['completion'] }]));
    const { ask, chat } = await open();
    const servers = (body?: object) => ask('/admin/servers', body, admin);
    const name = other.url.slice('http://'.length);
    const added = await servers({ act: 'add', server: other.url, slots: 3 });
    expect(added.body.servers).toMatchObject([{}, { server: name, kind: 'ollama', slots: 3 }]);
    const answer = chat('there', { model: 'other' });
    (await other.call('there')).answer('x');
    expect((await answer).status).toBe(200);
    expect((await servers({ act: 'drain', server: name })).body.servers[1].state).toBe('draining');
    expect((await servers({ act: 'remove', server: name })).body.servers).toHaveLength(1);
    expect((await servers()).body.servers).toMatchObject([{ server: server.url.slice('http://'.length) }]);
    for (const [body, status, why] of [
      [{ act: 'add', server: server.url }, 409, 'already exists'],
      [{ act: 'drain', server: 'nobody' }, 404, 'there is no server nobody; available: 127'],
      [{ act: 'remove' }, 400, 'its name'],
      [{ act: 'sell', server: 'x' }, 400, 'act: '],
      [{ act: 'add', server: 'http://me:secret@x' }, 400, 'a password in an address is only allowed in the configuration'],
      [{ act: 'add', server: 'x', slot: 3 }, 400, 'slot'],
    ] as const) {
      const { status: was, text } = await servers(body);
      expect([body, was, text]).toEqual([body, status, expect.stringContaining(why)]);
      expect(text).not.toContain('secret');
    }
  });

  it('write each change to the audit log, with its author and outcome', async () => {
    const lines: string[] = [];
    const { ask } = await open({ log: logger('llm-gateway', { destination: { write: (line) => void lines.push(line) } }) });
    await ask('/admin/servers', { act: 'drain', server: 'nobody' }, admin);
    await ask('/admin/limits', { agentRpm: 30 }, { ...admin, method: 'PUT' });
    await ask('/admin/servers', { act: 'list' }, admin);
    await ask('/admin/status', undefined, admin);
    const acts = lines.map((line) => JSON.parse(line)).filter(({ message }) => message === 'administrator action');
    const by = { who: expect.stringMatching(/^[\w-]+\/[\w-]+$/), from: '127.0.0.1' };
    expect(acts.map(({ audit }) => audit)).toEqual([
      { ...by, act: 'drain', server: 'nobody', outcome: 'no-server' },
      { ...by, act: 'limits', limits: { agentRpm: 30 }, outcome: 'done' },
    ]);
    expect(lines.join('')).not.toContain(admin.key);
  });

  it('show and change the limits within their bounds', async () => {
    const { ask, chat } = await open();
    const limits = (body?: object) => ask('/admin/limits', body, { ...admin, ...(body ? { method: 'PUT' } : {}) });
    expect((await limits()).body).toMatchObject({ agentRpm: 0, agentBurst: 20, agentConcurrency: 0 });
    expect((await limits({ agentRpm: 30, agentBurst: 1 })).body).toMatchObject({ agentRpm: 30, agentBurst: 1, agentConcurrency: 0 });
    const answer = chat('a');
    (await server.call('a')).answer('x');
    await answer;
    expect((await chat('b')).status).toBe(429);
    for (const [body, why] of [
      [{}, 'names no limit; there are agentRpm'],
      [{ agentBurst: 0 }, 'agentBurst: '],
      [{ agentRpm: 100_001 }, 'agentRpm: '],
      [{ agentRpm: 1.5 }, 'agentRpm: '],
      [{ rpm: 1 }, 'rpm'],
    ] as const)
      expect(await limits(body)).toMatchObject({ status: 400, text: expect.stringContaining(why) });
    expect((await limits({ agentRpm: 100_000 })).status).toBe(200);
  });
});
