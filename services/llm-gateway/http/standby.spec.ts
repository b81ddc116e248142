import { isDeepStrictEqual } from 'node:util';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { memoryBus, memoryHub, type MemoryHub } from '@maw/bus/memory/memory-bus.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import { completionMessage, serverAt, eventually, fakeOllama, type FakeOllama } from '../fake-ollama.suite.ts';
import { ADMIN, type Given, httpGateway, type HttpGateway, cuttableProxy, keeper } from './http-server.suite.ts';

const keep = keeper();

let hub: MemoryHub;
let server: FakeOllama;
beforeEach(async () => {
  hub = memoryHub();
  server = keep(await fakeOllama());
});
const open = async (given: Partial<Given> = {}): Promise<HttpGateway> =>
  keep(await httpGateway({ servers: [serverAt(server.url)], hub, ...given }));
const piece = (content: string) => ({ model: 'm:latest', message: { role: 'assistant', content }, done: false });

/** A leader behind a proxy that can be cut, and a standby. */
async function leaderAndStandby(given: Partial<Given> = {}) {
  const proxy = keep(await cuttableProxy());
  const leader = await open({ ...given, http: { ...given.http, url: proxy.url } });
  proxy.to = Number(new URL(leader.url).port);
  const standby = await open(given);
  return {
    leader,
    standby,
    /** The leader dies without answering its callers, as when its machine dies. */
    async die() {
      proxy.cut();
      await leader.close();
    },
  };
}

describe('a standby', () => {
  it('forwards HTTP requests to the leader and returns its answers', async () => {
    const { leader, standby } = await leaderAndStandby();
    const [there, here] = [await leader.status(), await standby.status()];
    expect(here.instance).toBe(there.instance);
    const answer = standby.chat('hello');
    (await server.call('hello')).answer('Hello.');
    expect((await answer).body.choices[0].message.content).toBe('Hello.');
    expect((await standby.ask('/v1/models')).body.data).toHaveLength(1);
    expect((await leader.status()).servers).toMatchObject([{ busy: 0 }]);
    const refused = await standby.chat('x', { model: 'nobody' });
    expect([refused.status, refused.body.error.code]).toEqual([404, 'unknown-model']);
    const { status } = await standby.ask('/v1/models', undefined, { key: 'not-a-key-of-anybody' });
    expect(status).toBe(401);
  });

  it('forwards Retry-After to the millisecond', async () => {
    const now = Date.now();
    const { standby } = await leaderAndStandby({ options: { agentRpm: 7, agentBurst: 1 }, now: () => now });
    const answer = standby.chat('a');
    (await server.call('a')).answer('x');
    await answer;
    const { status, headers } = await standby.chat('b');
    expect([status, headers.get('retry-after'), headers.get('retry-after-ms')]).toEqual([429, '9', '8572']);
  });

  it('forwards a stream as it arrives', async () => {
    const { standby } = await leaderAndStandby();
    const asked = standby.stream('tell', { stream_options: { include_usage: true } });
    const call = await server.call('tell');
    call.write(piece('Once '));
    const heard = await asked;
    await heard.hears('Once ');
    expect(call.isAnswered).toBe(false);
    call.answer('upon a time.');
    expect(await heard.ended()).toBe('done');
    expect(heard.said()).toBe('Once upon a time.');
    expect(heard.events.at(-1).usage).toMatchObject({ completion_tokens: 2 });
  });

  it('aborts the model call when the caller disconnects', async () => {
    const { standby, leader } = await leaderAndStandby();
    for (const isHeard of [false, true]) {
      const gone = new AbortController();
      const asked = standby.stream(`tell ${isHeard}`, {}, { signal: gone.signal });
      const call = await server.call(`tell ${isHeard}`);
      if (isHeard) {
        call.write(piece('Once '));
        await (await asked).hears('Once ');
      }
      gone.abort();
      await asked.catch(() => undefined);
      await eventually('the close', () => call.isAborted);
    }
    await eventually('the slot', async () => (await leader.status()).servers[0]!.busy === 0);
    expect(server.calls).toHaveLength(2);
  });

  it('applies a deadline once to a forwarded request', async () => {
    const { standby } = await leaderAndStandby();
    const { status, body } = await standby.chat('a', {}, { headers: { 'x-maw-deadline-ms': '100' } });
    expect([status, body.error.code]).toEqual([504, 'late']);
  });

  it('refuses forwarded requests', async () => {
    const { standby } = await leaderAndStandby();
    const { status, headers, body } = await standby.chat('a', {}, { headers: { 'x-maw-forwarded': 'somebody' } });
    expect([status, body.error.code, headers.get('x-maw-standby')]).toEqual([503, 'standby', '1']);
    expect(body.error.message).toContain('set DOOR_URL there');
    expect(server.calls).toEqual([]);
  });
});

describe('when the leader dies', () => {
  it('forwarded HTTP requests are completed by the new leader, each sent at most twice', async () => {
    const { standby, die } = await leaderAndStandby();
    const answers = ['runs', 'waits'].map((name) => standby.chat(name));
    const first = await eventually('a call', () => server.open()[0]);
    await standby.waits(1);
    await die();
    await eventually('the close', () => first.isAborted);
    server.answerAll('there');
    for (const { status, body } of await Promise.all(answers)) expect([status, body.choices[0].message.content]).toEqual([200, 'there']);
    // The waiting request may have started between the abort of the other and its own.
    const begun = Object.groupBy(server.calls, ({ last }) => last);
    expect(begun['runs']).toHaveLength(2);
    expect([1, 2]).toContain(begun['waits']?.length);
    expect((await standby.status()).servers).toMatchObject([{ busy: 0 }]);
  });

  it('bus requests are completed by the new leader', async () => {
    const { die } = await leaderAndStandby();
    const player = keep(memoryBus({ service: 'player', hub, resendMs: 60_000 }));
    const answers = ['runs', 'waits'].map((name) => player.request(completionMessage(name)));
    await eventually('a call', () => server.open()[0]);
    await die();
    server.answerAll('there');
    for (const reply of await Promise.all(answers)) expect(reply).toMatchObject({ performative: 'agree', data: { content: 'there' } });
    expect(hub.dead).toEqual([]);
  });

  it('requests aborted by a shutdown are completed by the new leader', async () => {
    const { leader, standby } = await leaderAndStandby();
    const answer = standby.chat('a');
    const first = await server.call('a');
    await leader.close();
    await eventually('the close', () => first.isAborted);
    (await server.call('a')).answer('there');
    expect((await answer).body.choices[0].message.content).toBe('there');
  });
});

describe('what administrators change', () => {
  const admin = { key: ADMIN };
  const limits = async (one: HttpGateway) => (await one.ask('/admin/limits', undefined, admin)).body;
  const names = async (one: HttpGateway) => (await one.ask('/admin/servers', undefined, admin)).body.servers;

  it('survives a change of leader, at whichever gateway it was made', async () => {
    const other = keep(await fakeOllama([{ name: 'other:latest', digest: '2', capabilities: ['completion'] }]));
    const third = keep(await fakeOllama());
    const { standby, die } = await leaderAndStandby({ servers: [serverAt(server.url), serverAt(third.url)], options: { agentRpm: 60 } });
    await standby.ask('/admin/limits', { agentRpm: 30 }, { ...admin, method: 'PUT' });
    const [name, gone] = [other.url, third.url].map((url) => url.slice('http://'.length));
    await standby.ask('/admin/servers', { act: 'add', server: other.url, slots: 3 }, admin);
    await standby.ask('/admin/servers', { act: 'remove', server: gone }, admin);
    const allUp = () =>
      eventually('all of them', async () => (await names(standby)).every(({ state }: { state: string }) => state === 'up'));
    await allUp();
    const before = await names(standby);
    expect(before).toMatchObject([{ slots: 1 }, { server: name, slots: 3, state: 'up' }]);
    await die();
    // A new leader checks each server again, and reports that state meanwhile.
    await eventually('the same servers at the other', async () => isDeepStrictEqual(await names(standby), before));
    expect(await limits(standby)).toMatchObject({ agentRpm: 30, agentBurst: 20 });
    const answer = standby.chat('there', { model: 'other' });
    (await other.call('there')).answer('x');
    expect((await answer).status).toBe(200);
  });

  it('is broadcast again to a gateway that starts later', async () => {
    const options = { capacityEveryMs: 20 };
    const leader = await open({ options });
    const player = keep(memoryBus({ service: 'web', hub }));
    const drained = await leader.ask('/admin/servers', { act: 'drain', server: server.url.slice(7) }, admin);
    expect(drained.body).toMatchObject({ servers: [{ state: 'draining' }] });
    const late = await open({ options });
    const heard: number[] = [];
    const tap = await player.subscribe(['llm.pool'], async ({ data }) => void heard.push(data.changed));
    await eventually('some rounds', () => heard.length >= 4);
    await tap.stop();
    await leader.close();
    expect(await names(late)).toMatchObject([{ state: 'draining' }]);
    expect(new Set(heard).size).toBe(1);
  });

  it('survives when only limits were changed', async () => {
    const { leader, standby, die } = await leaderAndStandby({ options: { agentRpm: 60 } });
    await leader.ask('/admin/limits', { agentRpm: 31 }, { ...admin, method: 'PUT' });
    await die();
    expect(await limits(standby)).toMatchObject({ agentRpm: 31 });
  });

  it('leaves the configuration in force when nothing was changed', async () => {
    const { standby, die } = await leaderAndStandby({ options: { agentRpm: 42, capacityEveryMs: 20 } });
    await die();
    expect(await limits(standby)).toMatchObject({ agentRpm: 42 });
    expect(await names(standby)).toMatchObject([{ server: server.url.slice(7), slots: 1 }]);
  });
});

it('a standby says so when the leader has no HTTP API', async () => {
  const bus = keep(memoryBus({ service: 'llm-gateway', hub, graceMs: 30 }));
  const status = contracts.get('llm.status').replyExample!;
  await bus.consume('llm-gateway', ['llm.status'], { concurrency: 10, isSingle: true }, async () => ({
    performative: 'inform',
    data: status,
  }));
  const standby = await open();
  const { body } = await standby.chat('a');
  expect(body.error).toMatchObject({ code: 'standby', message: expect.stringContaining('has no HTTP API') });
});
