import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { memoryBus, memoryHub, type MemoryHub } from '@maw/bus/memory/memory-bus.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import { completionMessage, serverAt, eventually, fakeOllama, type FakeOllama } from '../fake-ollama.suite.ts';
import { ADMIN, type Given, site, type Site, way } from './http-server.suite.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});
const keep = <T extends { close(): Promise<void> }>(one: T): T => {
  opened.push(one);
  return one;
};

let hub: MemoryHub;
let server: FakeOllama;
beforeEach(async () => {
  hub = memoryHub();
  server = keep(await fakeOllama());
});
const open = async (given: Partial<Given> = {}): Promise<Site> => keep(await site({ servers: [serverAt(server.url)], hub, ...given }));
const piece = (content: string) => ({ model: 'm:latest', message: { role: 'assistant', content }, done: false });

/** One that schedules, behind a way that can be cut, and one that stands by. */
async function two(given: Partial<Given> = {}) {
  const road = keep(await way());
  const active = await open({ ...given, door: { ...given.door, url: road.url } });
  road.to = Number(new URL(active.url).port);
  const standby = await open(given);
  return {
    active,
    standby,
    /** The one that schedules is gone, as when its machine dies: without a word to those who wait. */
    async die() {
      road.cut();
      await active.close();
    },
  };
}

describe('a gateway that stands by', () => {
  it('has the one that schedules answer what comes to it', async () => {
    const { active, standby } = await two();
    const [there, here] = [await active.status(), await standby.status()];
    expect(here.instance).toBe(there.instance);
    const answer = standby.chat('hello');
    (await server.call('hello')).answer('Hello.');
    expect((await answer).body.choices[0].message.content).toBe('Hello.');
    expect((await standby.ask('/v1/models')).body.data).toHaveLength(1);
    expect((await active.status()).servers).toMatchObject([{ busy: 0 }]);
    const refused = await standby.chat('x', { model: 'nobody' });
    expect([refused.status, refused.body.error.code]).toEqual([404, 'unknown-model']);
    const { status } = await standby.ask('/v1/models', undefined, { key: 'not-a-key-of-anybody' });
    expect(status).toBe(401);
  });

  it('passes on when to come back, to the millisecond', async () => {
    const now = Date.now();
    const { standby } = await two({ options: { agentRpm: 7, agentBurst: 1 }, now: () => now });
    const answer = standby.chat('a');
    (await server.call('a')).answer('x');
    await answer;
    const { status, headers } = await standby.chat('b');
    expect([status, headers.get('retry-after'), headers.get('retry-after-ms')]).toEqual([429, '9', '8572']);
  });

  it('passes a stream on as it comes', async () => {
    const { standby } = await two();
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

  it('passes on that its asker has gone, to the model, before and after the first piece', async () => {
    const { standby, active } = await two();
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
    await eventually('the slot', async () => (await active.status()).servers[0]!.busy === 0);
    expect(server.calls).toHaveLength(2);
  });

  it('counts a deadline once, however often a request is passed on', async () => {
    const { standby } = await two();
    const { status, body } = await standby.chat('a', {}, { headers: { 'x-maw-deadline-ms': '100' } });
    expect([status, body.error.code]).toEqual([504, 'late']);
  });

  it('says so to another that took it for the one that schedules, and does nothing', async () => {
    const { standby } = await two();
    const { status, headers, body } = await standby.chat('a', {}, { headers: { 'x-maw-forwarded': 'somebody' } });
    expect([status, body.error.code, headers.get('x-maw-standby')]).toEqual([503, 'standby', '1']);
    expect(body.error.message).toContain('set DOOR_URL there');
    expect(server.calls).toEqual([]);
  });
});

describe('when the one that schedules dies', () => {
  it('what had come to the other over HTTP is done all the same, waiting or running, and at most repeated', async () => {
    const { standby, die } = await two();
    const answers = ['runs', 'waits'].map((name) => standby.chat(name));
    const first = await eventually('a call', () => server.open()[0]);
    await standby.waits(1);
    await die();
    await eventually('the close', () => first.isAborted);
    server.answerAll('there');
    for (const { status, body } of await Promise.all(answers)) expect([status, body.choices[0].message.content]).toEqual([200, 'there']);
    // The one that waited may have begun when the other was seen to be given up, before it was so itself.
    const begun = Object.groupBy(server.calls, ({ last }) => last);
    expect(begun['runs']).toHaveLength(2);
    expect([1, 2]).toContain(begun['waits']?.length);
    expect((await standby.status()).servers).toMatchObject([{ busy: 0 }]);
  });

  it('what had come by messages is done by the other', async () => {
    const { die } = await two();
    const asker = keep(memoryBus({ service: 'player', hub, resendMs: 60_000 }));
    const answers = ['runs', 'waits'].map((name) => asker.request(completionMessage(name)));
    await eventually('a call', () => server.open()[0]);
    await die();
    server.answerAll('there');
    for (const reply of await Promise.all(answers)) expect(reply).toMatchObject({ performative: 'agree', data: { content: 'there' } });
    expect(hub.dead).toEqual([]);
  });

  it('a stream of which nothing was heard begins with the other', async () => {
    const { standby, die } = await two();
    const asked = standby.stream('tell');
    const first = await server.call('tell');
    await die();
    await eventually('the close', () => first.isAborted);
    (await server.call('tell')).answer('there');
    const heard = await asked;
    expect([await heard.ended(), heard.said()]).toEqual(['done', 'there']);
  });

  it('a stream of which something was heard says that it is broken', async () => {
    const { standby, die } = await two();
    const asked = standby.stream('tell');
    const call = await server.call('tell');
    call.write(piece('Once '));
    const heard = await asked;
    await heard.hears('Once ');
    await die();
    expect(await heard.ended()).toBe('ended');
    expect(heard.events.at(-1)).toEqual({
      error: { message: expect.stringContaining('lost in the middle'), type: 'server_error', param: null, code: 'no-server' },
    });
    expect(server.calls).toHaveLength(1);
  });

  it('and says that it does, what it gave up is done by the other', async () => {
    const { active, standby } = await two();
    const answer = standby.chat('a');
    const first = await server.call('a');
    await active.close();
    await eventually('the close', () => first.isAborted);
    (await server.call('a')).answer('there');
    expect((await answer).body.choices[0].message.content).toBe('there');
  });
});

describe('what those who run the gateways change', () => {
  const admin = { key: ADMIN };
  const limits = async (one: Site) => (await one.ask('/admin/limits', undefined, admin)).body;
  const names = async (one: Site) => (await one.ask('/admin/servers', undefined, admin)).body.servers;

  it('holds when another takes over, at whichever door it was said', async () => {
    const other = keep(await fakeOllama([{ name: 'other:latest', digest: '2', capabilities: ['completion'] }]));
    const third = keep(await fakeOllama());
    const { standby, die } = await two({ servers: [serverAt(server.url), serverAt(third.url)], options: { agentRpm: 60 } });
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
    // Whoever has just taken over looks at each server anew, and says so of it meanwhile.
    await eventually('the same servers at the other', async () => isDeepStrictEqual(await names(standby), before));
    expect(await limits(standby)).toMatchObject({ agentRpm: 30, agentBurst: 20 });
    const answer = standby.chat('there', { model: 'other' });
    (await other.call('there')).answer('x');
    expect((await answer).status).toBe(200);
  });

  it('is broadcast again to a gateway that starts later', async () => {
    const options = { capacityEveryMs: 20 };
    const active = await open({ options });
    const asker = keep(memoryBus({ service: 'web', hub }));
    const drained = await active.ask('/admin/servers', { act: 'drain', server: server.url.slice(7) }, admin);
    expect(drained.body).toMatchObject({ servers: [{ state: 'draining' }] });
    const late = await open({ options });
    const heard: number[] = [];
    const tap = await asker.subscribe(['llm.pool'], async ({ data }) => void heard.push(data.changed));
    await eventually('some rounds', () => heard.length >= 4);
    await tap.stop();
    await active.close();
    expect(await names(late)).toMatchObject([{ state: 'draining' }]);
    expect(new Set(heard).size).toBe(1);
  });

  it('of the limits alone holds as well', async () => {
    const { active, standby, die } = await two({ options: { agentRpm: 60 } });
    await active.ask('/admin/limits', { agentRpm: 31 }, { ...admin, method: 'PUT' });
    await die();
    expect(await limits(standby)).toMatchObject({ agentRpm: 31 });
  });

  it('is the configuration as long as nobody changes anything', async () => {
    const { standby, die } = await two({ options: { agentRpm: 42, capacityEveryMs: 20 } });
    await die();
    expect(await limits(standby)).toMatchObject({ agentRpm: 42 });
    expect(await names(standby)).toMatchObject([{ server: server.url.slice(7), slots: 1 }]);
  });
});

it('a gateway without a door leaves those at the door of another with the truth', async () => {
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
