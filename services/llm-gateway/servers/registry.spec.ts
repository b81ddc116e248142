import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { logger } from '@maw/telemetry/log.ts';
import { metrics, registry } from '@maw/telemetry/metrics.ts';
import { never, testResources } from '../scheduler/completions.suite.ts';
import { type GatewayOptions, defaultOptions } from '../defaults.ts';
import { completionMessage, serverAt, eventually, fakeOllama, type FakeOllama } from '../fake-ollama.suite.ts';
import { parseServer } from '../server-config/parse-server.ts';
import { serverRegistry } from './registry.ts';

const { keep, startScheduler } = testResources();
const nameOf = ({ url }: { url: string }): string => url.slice('http://'.length);

let [a, b]: FakeOllama[] = [];
beforeEach(async () => {
  [a, b] = [keep(await fakeOllama()), keep(await fakeOllama())];
});

async function start(servers: GatewayOptions['servers'], more: Partial<GatewayOptions> = {}) {
  const scheduler = await startScheduler({ ...more, servers });
  const gone: string[] = [];
  scheduler.registry.events.on('removed', (name) => void gone.push(name));
  const ask = (say: string, of: Parameters<typeof completionMessage>[1] = {}) => scheduler.complete(completionMessage(say, of), never);
  return { gateway: scheduler, servers: scheduler.registry, gone, ask };
}

const refusal = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return { reason: (error as { reason?: string }).reason, detail: (error as { detail?: string }).detail };
  }
  return 'nothing was refused';
};

/** The lines of `/metrics` about a server. */
const linesOf = async (name: string): Promise<readonly string[]> =>
  (await registry.metrics()).split('\n').filter((line) => line.includes(`server="${name}"`));

describe('an added server', () => {
  it('gets work up to its slots once it is up', async () => {
    const { gateway, servers, ask } = await start([serverAt(a!.url)]);
    const answers = ['1', '2', '3', '4'].map((say) => ask(say));
    await a!.call('1');
    expect(gateway.waiting).toBe(3);
    const added = servers.add(serverAt(b!.url, 2));
    gateway.recheck();
    expect([added.health.isUp, gateway.waiting]).toEqual([false, 3]);
    await added.check();
    gateway.recheck();
    await eventually('both slots', () => b!.open().length === 2);
    expect(gateway.waiting).toBe(1);
    for (const say of ['1', '2', '3', '4'])
      (await eventually(say, () => [...a!.open(), ...b!.open()].find(({ last }) => last === say))).answer('x');
    await Promise.all(answers);
    expect([a!.peak, b!.peak]).toEqual([1, 2]);
  });

  it('is refused when it exists; unknown names are refused with those that exist', async () => {
    const { servers } = await start([serverAt(a!.url, 2)]);
    const name = nameOf(a!);
    expect(refusal(() => servers.add(serverAt(a!.url)))).toEqual({
      reason: 'failed',
      detail: `${name} already exists; one server is one pool of slots`,
    });
    const nobody = { reason: 'no-server', detail: `there is no server 10.9.9.9:1; available: ${name}` };
    for (const act of [servers.drain, servers.remove, (other: string) => servers.setSlots(other, 1)])
      expect(refusal(() => act('10.9.9.9:1'))).toEqual(nobody);
    servers.setSlots(`http://${name}/`, 7);
    expect(servers.all.map(({ slots }) => slots)).toEqual([7]);
    const replaying = (await start([], { record: 'replay' })).servers;
    expect(refusal(() => replaying.add(serverAt(a!.url)))).toMatchObject({ reason: 'failed' });
  });
});

describe('a draining server', () => {
  it('finishes its work, gets no more, and can be restored with other slots', async () => {
    const { gateway, servers, ask } = await start([serverAt(a!.url, 2)]);
    const first = ask('1');
    await a!.call('1');
    expect(servers.drain(nameOf(a!)).isDraining).toBe(true);
    const second = ask('2');
    expect([gateway.waiting, gateway.busySlots(nameOf(a!))]).toEqual([1, 1]);
    expect(servers.defaultModel()).toBe('m:latest');
    (await a!.call('1')).answer('one');
    expect((await first).content).toBe('one');
    await eventually('the slot', () => gateway.busySlots(nameOf(a!)) === 0);
    expect([servers.all.length, a!.calls.length]).toEqual([1, 1]);
    servers.add(serverAt(a!.url, 3));
    gateway.recheck();
    (await a!.call('2')).answer('two');
    expect((await second).content).toBe('two');
    expect(servers.all.map(({ slots, isDraining }) => ({ slots, isDraining }))).toEqual([{ slots: 3, isDraining: false }]);
  });

  it('provides the default model only if no other server does', async () => {
    const other = keep(await fakeOllama([{ name: 'other', digest: '2', capabilities: ['completion'] }]));
    const { servers } = await start([serverAt(a!.url), serverAt(other.url)]);
    expect(servers.defaultModel()).toBe('m:latest');
    servers.drain(nameOf(a!));
    expect(servers.defaultModel()).toBe('other:latest');
  });

  it('keeps requests queued when it is the only one, until the patience time', async () => {
    let now = Date.now();
    const gateway = await startScheduler({ patienceMs: 1_000, servers: [serverAt(a!.url)] }, { now: () => now });
    const servers = gateway.registry;
    servers.drain(nameOf(a!));
    const answer = gateway.complete(completionMessage('a', { model: 'm' }), never).catch((error: unknown) => error);
    now += 999;
    gateway.recheck();
    expect(gateway.waiting).toBe(1);
    now += 1;
    gateway.recheck();
    expect(await answer).toMatchObject({ reason: 'no-server', detail: expect.stringMatching(/m:latest on \S+, which is draining/) });
  });

  it('has its failed calls retried on another server', async () => {
    const { servers, ask } = await start([serverAt(a!.url)]);
    const answer = ask('x');
    const call = await a!.call('x');
    await servers.add(serverAt(b!.url)).check();
    servers.drain(nameOf(a!));
    call.cut();
    (await b!.call('x')).answer('there');
    expect(await answer).toMatchObject({ content: 'there', attempts: 2 });
  });
});

describe('a removed server', () => {
  it('leaves at once when idle, with its metrics', async () => {
    const { servers, gone, ask } = await start([serverAt(a!.url), serverAt(b!.url)]);
    const answer = ask('x');
    (await a!.call('x')).answer('x');
    await answer;
    expect((await linesOf(nameOf(a!))).length).toBeGreaterThan(0);
    servers.remove(nameOf(a!));
    expect([servers.all.map(({ name }) => name), gone]).toEqual([[nameOf(b!)], [nameOf(a!)]]);
    expect(await linesOf(nameOf(a!))).toEqual([]);
    expect((await linesOf(nameOf(b!))).length).toBeGreaterThan(0);
    expect(refusal(() => servers.remove(nameOf(a!)))).toMatchObject({ reason: 'no-server' });
  });

  it('leaves when its last slot is free, with its connections', async () => {
    const { servers, gone, ask } = await start([serverAt(a!.url, 2)]);
    const answers = [ask('1'), ask('2')];
    const calls = [await a!.call('1'), await a!.call('2')];
    servers.remove(nameOf(a!));
    calls[0]!.answer('one');
    expect((await answers[0]!).content).toBe('one');
    expect([servers.all.length, gone, servers.all[0]?.phase]).toEqual([1, [], 'leaving']);
    calls[1]!.answer('two');
    expect((await answers[1]!).content).toBe('two');
    await eventually('the end of it', () => gone.length === 1);
    expect(servers.all).toEqual([]);
    expect(await linesOf(nameOf(a!))).toEqual([]);
  });

  it('stays while the slot of an aborted call is in its grace time', async () => {
    const { gateway, servers, gone, ask } = await start([serverAt(a!.url)], { graceMs: 60_000, maxRequestMs: 2e9 });
    const learnt = ask('x'.repeat(4_000), { id: 'learnt' });
    (await eventually('it', () => a!.open()[0])).answer('x', { prompt_eval_count: 1_000, prompt_eval_duration: 60e12, eval_duration: 1e6 });
    await learnt;
    const given = ask('y'.repeat(4_000), { id: 'given up', replyBy: Date.now() + 1e9 }).catch(() => undefined);
    await eventually('the call', () => a!.open().length === 1);
    gateway.cancel('given up', 'no longer wanted');
    await given;
    await eventually('the hold', () => a!.open().length === 0);
    servers.remove(nameOf(a!));
    expect([gateway.busySlots(nameOf(a!)), servers.all.length, gone]).toEqual([1, 1, []]);
  });

  it('leaves once the grace time of its last slot is over', async () => {
    const { gateway, servers, gone, ask } = await start([serverAt(a!.url)], { graceMs: 50, maxRequestMs: 2e9 });
    const learnt = ask('x'.repeat(4_000), { id: 'learnt' });
    (await eventually('it', () => a!.open()[0])).answer('x', { prompt_eval_count: 1_000, prompt_eval_duration: 60e12, eval_duration: 1e6 });
    await learnt;
    const given = ask('y'.repeat(4_000), { id: 'given up', replyBy: Date.now() + 1e9 }).catch(() => undefined);
    await eventually('the call', () => a!.open().length === 1);
    servers.remove(nameOf(a!));
    gateway.cancel('given up', 'no longer wanted');
    await given;
    await eventually('the removal', () => gone.includes(nameOf(a!)));
    expect(servers.all).toEqual([]);
  });

  it('stays when it is added again before it has left', async () => {
    const { servers, gone, ask } = await start([serverAt(a!.url)]);
    const answer = ask('1');
    const call = await a!.call('1');
    servers.remove(nameOf(a!));
    servers.add(serverAt(a!.url));
    call.answer('one');
    await answer;
    const again = ask('2');
    (await a!.call('2')).answer('two');
    expect((await again).content).toBe('two');
    expect([gone, servers.all.length]).toEqual([[], 1]);
  });

  it('cannot be replaced by another kind before it has left', async () => {
    const { servers, ask } = await start([serverAt(a!.url)]);
    const answer = ask('1');
    const call = await a!.call('1');
    servers.remove(nameOf(a!));
    const other = parseServer({ url: a!.url, kind: 'openai', slots: 1 });
    expect(refusal(() => servers.add(other))).toMatchObject({ detail: expect.stringContaining('another kind or key') });
    call.answer('one');
    await answer;
    await eventually('the end of it', () => servers.all.length === 0);
    expect(servers.add(other).kind).toBe('openai');
  });
});

describe('setSlots', () => {
  it('lets running calls above the new limit finish and starts none', async () => {
    const { gateway, servers, ask } = await start([serverAt(a!.url, 3)]);
    const name = nameOf(a!);
    const answers = ['1', '2', '3', '4', '5'].map((say) => ask(say));
    for (const say of ['1', '2', '3']) await a!.call(say);
    servers.setSlots(name, 1);
    (await a!.call('1')).answer('x');
    (await a!.call('2')).answer('x');
    await Promise.all(answers.slice(0, 2));
    await eventually('two slots', () => gateway.busySlots(name) === 1);
    expect([gateway.waiting, a!.calls.length]).toEqual([2, 3]);
    (await a!.call('3')).answer('x');
    (await a!.call('4')).answer('x');
    (await a!.call('5')).answer('x');
    await Promise.all(answers);
    expect(await metrics.slots.get()).toMatchObject({ values: expect.arrayContaining([{ labels: { server: name }, value: 1 }]) });
  });
});

describe('health checks', () => {
  it('of one server are not delayed by another that does not answer', async () => {
    let asked = 0;
    let answer: () => void = () => undefined;
    const silent = createServer((_, response) => {
      asked++;
      answer = () => void response.writeHead(500).end();
    }).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    keep({
      async close() {
        silent.closeAllConnections();
        silent.close();
        await once(silent, 'close');
      },
    });
    const options = {
      ...defaultOptions,
      servers: [`http://127.0.0.1:${(silent.address() as AddressInfo).port}`, a!.url].map((url) => serverAt(url)),
    };
    const log = logger('llm-gateway', { level: 'silent' });
    const servers = keep(serverRegistry({ ...options, healthEveryMs: 5, probeMs: 600_000 }, log, Date.now));
    const seen: string[] = [];
    servers.events.on('checked', ({ name }) => void seen.push(name));
    servers.startHealthChecks();
    await eventually('several looks', () => seen.length >= 5);
    expect([new Set(seen), asked]).toEqual([new Set([nameOf(a!)]), 1]);
    answer();
    await eventually('the next look at the other', () => asked === 2);
    expect(seen.filter((name) => name !== nameOf(a!))).toHaveLength(1); // one look, one word
  });
});
