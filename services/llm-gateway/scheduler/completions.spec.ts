import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { metrics } from '@maw/telemetry/metrics.ts';
import { never, settled, testResources } from './completions.suite.ts';
import type { GatewayOptions } from '../defaults.ts';
import { completionMessage, serverAt, eventually, fakeOllama, type FakeOllama } from '../fake-ollama.suite.ts';

const { keep, startScheduler } = testResources();
afterEach(() => void jest.restoreAllMocks());

let server: FakeOllama;
beforeEach(async () => {
  server = keep(await fakeOllama());
});

describe('a completion', () => {
  it('sends options of the gateway and drops fields it does not know', async () => {
    const gateway = await startScheduler({ servers: [serverAt(server.url)], numCtx: 4_096, keepAlive: -1 });
    const message = completionMessage('hello', { format: { type: 'object' }, temperature: 0.5, seed: 7, maxTokens: 99, think: true });
    const [given] = message.data.messages;
    const smuggled = { ...message, data: { ...message.data, options: { num_ctx: 1 }, messages: [{ ...given!, images: ['/etc/passwd'] }] } };
    const answer = gateway.complete(smuggled, never);
    const call = await server.call('hello');
    expect(call.body).toEqual({
      model: 'm:latest',
      messages: [{ role: 'user', content: 'hello' }],
      stream: true,
      truncate: false,
      think: false,
      keep_alive: -1,
      options: { num_ctx: 4_096, num_predict: 99, temperature: 0.5, seed: 7 },
      format: { type: 'object' },
    });
    call.answer('{}', { prompt_eval_count: 11, load_duration: 5_000_000, prompt_eval_duration: 1_500_000, eval_duration: 2e6 });
    expect(await answer).toEqual({
      content: '{}',
      context: 4_096,
      model: 'm:latest',
      server: server.url.slice('http://'.length),
      tokens: { prompt: 11, completion: 2 },
      times: { queued: expect.any(Number), load: expect.any(Number), prefill: 1.5, decode: 2, total: expect.any(Number) },
      reason: 'stop',
      attempts: 1,
      repaired: false,
    });
  });

  it('waits in order of arrival, and no server exceeds its slots', async () => {
    const gateway = await startScheduler({ servers: [serverAt(server.url, 2)] });
    const names = Array.from({ length: 12 }, (_, n) => `job ${n}`);
    const answers = names.map((name) => gateway.complete(completionMessage(name), never));
    for (const [n, name] of names.entries()) {
      // Two calls that start together may arrive in either order.
      const begun = names.slice(0, n + 2);
      await eventually('the next', () => server.calls.length >= begun.length);
      expect(server.calls.map(({ last }) => last).toSorted()).toEqual(begun.toSorted());
      expect(gateway.waiting).toBe(names.length - begun.length);
      (await server.call(name)).answer(name);
    }
    expect((await Promise.all(answers)).map(({ content }) => content)).toEqual(names);
    expect(server.peak).toBe(2);
    expect(server.connections).toBeLessThan(6);
  });

  it('is not blocked by a request whose model has no free slot', async () => {
    const other = keep(await fakeOllama([{ name: 'other', digest: '2', capabilities: ['completion'] }]));
    const gateway = await startScheduler({ servers: [serverAt(server.url), serverAt(other.url)] });
    const all = ['a', 'b'].map((name) => gateway.complete(completionMessage(name, { model: 'm' }), never));
    const third = gateway.complete(completionMessage('c', { model: 'OTHER:latest' }), never);
    (await other.call('c')).answer('c');
    expect((await third).content).toBe('c');
    (await server.call('a')).answer('a');
    (await server.call('b')).answer('b');
    await Promise.all(all);
  });

  it('runs on any server that has the model', async () => {
    const other = keep(await fakeOllama());
    const gateway = await startScheduler({ servers: [serverAt(server.url), serverAt(other.url)] });
    const answers = ['a', 'b', 'c'].map((name) => gateway.complete(completionMessage(name), never));
    await eventually('both at work', () => server.open().length === 1 && other.open().length === 1);
    expect(gateway.waiting).toBe(1);
    other.open()[0]!.answer('done');
    (await other.call('c')).answer('done');
    server.open()[0]!.answer('done');
    expect(new Set((await Promise.all(answers)).map(({ server: name }) => name)).size).toBe(2);
    expect([server.peak, other.peak]).toEqual([1, 1]);
  });

  it('of a model family with one slot runs alone on its server', async () => {
    const single = keep(await fakeOllama([{ name: 'q', digest: '3', capabilities: ['completion'], details: { family: 'qwen35' } }]));
    const gateway = await startScheduler({ servers: [serverAt(single.url, 4)] });
    const answers = ['a', 'b'].map((name) => gateway.complete(completionMessage(name), never));
    await single.call('a');
    expect(gateway.waiting).toBe(1);
    for (const name of ['a', 'b']) (await single.call(name)).answer('x');
    await Promise.all(answers);
    expect(single.peak).toBe(1);
  });
});

describe('a model that is not resident', () => {
  it('is loaded once, and keeps loading when its request is cancelled', async () => {
    const opens = Promise.withResolvers<void>();
    server.gate = opens.promise;
    const gateway = await startScheduler({ servers: [serverAt(server.url, 2)], keepAlive: '1h' });
    const late = settled(gateway.complete(completionMessage('late'), never));
    const other = gateway.complete(completionMessage('other'), never);
    await eventually('the load', () => server.loads.length > 0);
    gateway.cancel('id of late', 'late');
    await late;
    await eventually('the slot', () => gateway.busySlots(server.url.slice(7)) === 1);
    const third = gateway.complete(completionMessage('third'), never);
    expect(server.calls).toEqual([]);
    opens.resolve();
    for (const name of ['other', 'third']) (await server.call(name)).answer(name);
    expect((await Promise.all([other, third])).map(({ content }) => content)).toEqual(['other', 'third']);
    expect(server.loads).toEqual(['m:latest']);
  });

  it('refuses with the load error, and is loaded again for the next request', async () => {
    const gateway = await startScheduler({ servers: [serverAt(server.url)], loadMs: 100 });
    server.gate = new Promise(() => undefined);
    const outOfTime = { reason: 'failed', detail: expect.stringContaining('in time') };
    expect(await settled(gateway.complete(completionMessage('a'), never))).toMatchObject(outOfTime);
    server.gate = undefined;
    const before = server.loads.length;
    // A busy machine may miss the load timeout; each request loads anew.
    const answer = (async () => {
      for (let n = 0; ; n++) {
        const what = await settled(gateway.complete(completionMessage('b', { id: `b${n}` }), never));
        if ('value' in what) return what.value as { content: string };
        expect(what).toMatchObject(outOfTime);
      }
    })();
    (await server.call('b')).answer('B');
    expect((await answer).content).toBe('B');
    expect(server.loads.length).toBeGreaterThan(before);
  });
});

describe('the deadline', () => {
  it('refuses a queued completion, which reaches no server', async () => {
    let now = Date.now();
    const gateway = await startScheduler({ servers: [serverAt(server.url)] }, { now: () => now });
    const first = gateway.complete(completionMessage('first'), never);
    const call = await server.call('first');
    const waits = settled(gateway.complete(completionMessage('second', { replyBy: now + 30 }), never));
    expect(gateway.waiting).toBe(1);
    now += 30;
    const second = await waits;
    expect(second).toMatchObject({ name: 'Refusal', reason: 'late', detail: expect.stringContaining('in the queue') });
    expect(gateway.waiting).toBe(0);
    call.answer('1');
    await first;
    expect(server.calls).toHaveLength(1);
  });

  it('aborts a running call before and after the first token, and frees the slot', async () => {
    let now = Date.now();
    const gateway = await startScheduler({ servers: [serverAt(server.url)] }, { now: () => now });
    const prefill = gateway.complete(completionMessage('prefill', { replyBy: now + 30 }), never);
    const first = await server.call('prefill');
    now += 30;
    expect(await settled(prefill)).toMatchObject({ reason: 'late', detail: expect.stringContaining('the model was answering') });
    await eventually('the close', () => first.isAborted);

    const heard: string[] = [];
    const streaming = gateway.complete(completionMessage('streaming', { replyBy: now + 30 }), never, {
      onPiece: (piece) => void heard.push(piece),
    });
    const second = await server.call('streaming');
    second.write({ message: { content: 'The sec' }, done: false });
    await eventually('the piece', () => heard.includes('The sec'));
    now += 30;
    expect(await settled(streaming)).toMatchObject({ reason: 'late' });
    await eventually('the close', () => second.isAborted);
    await eventually('the slot', () => gateway.busySlots(server.url.slice(7)) === 0);

    const after = gateway.complete(completionMessage('after'), never);
    (await server.call('after')).answer('now');
    expect((await after).content).toBe('now');
  });

  it('keeps the whole sentences of a free text, in time for its caller, and never a part of JSON', async () => {
    let now = Date.now();
    const gateway = await startScheduler({ servers: [serverAt(server.url, 2)], replyMs: 20 }, { now: () => now });
    const ask = (say: string, more: object = {}) =>
      settled(gateway.complete(completionMessage(say, { replyBy: now + 60, ...more }), never));
    const asked = [ask('free'), ask('formal', { format: 'json' })] as const;
    const calls = [await server.call('free'), await server.call('formal')] as const;
    for (const call of calls) call.write({ message: { content: 'Bob lies. He has 3.5 rea' }, done: false });
    now += 45;
    expect(await asked[0]).toMatchObject({ value: { content: 'Bob lies.', reason: 'length', model: 'm:latest', attempts: 1 } });
    await eventually('the close', () => calls[0].isAborted);
    now += 15;
    expect(await asked[1]).toMatchObject({ reason: 'late' });
    await eventually('the slots', () => gateway.busySlots() === 0);
  });

  it.each([
    ['years away', 365 * 86_400_000],
    ['missing', undefined],
  ])('that is %s is limited by maxRequestMs', async (_, ms) => {
    let now = Date.now();
    const gateway = await startScheduler({ servers: [serverAt(server.url)], maxRequestMs: 40 }, { now: () => now });
    const ask = (say: string) => {
      const { replyby, ...rest } = completionMessage(say, { replyBy: now + (ms ?? 0) });
      return settled(gateway.complete(ms === undefined ? rest : { ...rest, replyby: replyby! }, never));
    };
    const first = ask('in time');
    const call = await server.call('in time');
    now += 39;
    call.answer('well');
    expect(await first).toMatchObject({ value: { content: 'well' } });
    const second = ask('late');
    await server.call('late');
    now += 40;
    expect(await second).toMatchObject({ reason: 'late' });
  });

  it('refuses a request that arrives too late', async () => {
    const now = Date.now();
    const gateway = await startScheduler({ servers: [serverAt(server.url)] }, { now: () => now });
    expect(await settled(gateway.complete(completionMessage('old', { replyBy: now - 1 }), never))).toMatchObject({ reason: 'late' });
    expect(server.calls).toEqual([]);
  });
});

describe('a cancellation', () => {
  it('ends queued and running requests, and refuses one that arrives after it', async () => {
    const gateway = await startScheduler({ servers: [serverAt(server.url)] });
    const running = settled(gateway.complete(completionMessage('running'), never));
    const waiting = settled(gateway.complete(completionMessage('waiting'), never));
    const call = await server.call('running');
    gateway.cancel('id of waiting', 'the phase\u202e is\nover');
    expect(await waiting).toMatchObject({ reason: 'failed', detail: 'cancelled: the phase is over' });
    gateway.cancel('id of running', 'it is dead');
    expect(await running).toMatchObject({ reason: 'failed', detail: 'cancelled: it is dead' });
    await eventually('the close', () => call.isAborted);
    await eventually('the slot', () => gateway.busySlots(server.url.slice(7)) === 0);
    gateway.cancel('id of coming', 'too slow');
    expect(await settled(gateway.complete(completionMessage('coming'), never))).toMatchObject({ detail: 'cancelled: too slow' });
    expect(server.calls).toHaveLength(1);
  });

  it('of an answered request changes nothing', async () => {
    const gateway = await startScheduler({ servers: [serverAt(server.url)] });
    const first = gateway.complete(completionMessage('a'), never);
    (await server.call('a')).answer('A');
    await first;
    gateway.cancel('id of a', 'never mind');
    expect((await gateway.complete(completionMessage('a'), never)).content).toBe('A');
  });
});

describe('a duplicate request', () => {
  it('joins the running or queued one and gets the same answer later', async () => {
    const gateway = await startScheduler({ servers: [serverAt(server.url)] });
    const twice = [gateway.complete(completionMessage('a'), never), gateway.complete(completionMessage('a'), never)];
    const waiting = [gateway.complete(completionMessage('b'), never), gateway.complete(completionMessage('b'), never)];
    expect(gateway.waiting).toBe(1);
    (await server.call('a')).answer('A');
    (await server.call('b')).fail(500, 'broken');
    expect((await Promise.all(twice)).map(({ content }) => content)).toEqual(['A', 'A']);
    for (const one of waiting) expect(await settled(one)).toMatchObject({ reason: 'failed' });
    expect((await gateway.complete(completionMessage('a'), never)).content).toBe('A');
    expect(await settled(gateway.complete(completionMessage('b'), never))).toMatchObject({ detail: expect.stringContaining('broken') });
    expect(server.calls).toHaveLength(2);
  });

  it('runs again once the answer has left the cache', async () => {
    let now = Date.now();
    const gateway = await startScheduler({ servers: [serverAt(server.url)], keepMs: 1_000 }, { now: () => now });
    const first = gateway.complete(completionMessage('a'), never);
    (await server.call('a')).answer('A');
    await first;
    now += 1_001;
    const second = gateway.complete(completionMessage('a'), never);
    (await server.call('a')).answer('B');
    expect((await second).content).toBe('B');
  });

  it('runs again after one whose id was said to be unique', async () => {
    const gateway = await startScheduler({ servers: [serverAt(server.url)] });
    const first = gateway.complete(completionMessage('a'), never, { isUnique: true });
    (await server.call('a')).answer('A');
    await first;
    const second = gateway.complete(completionMessage('a'), never);
    (await server.call('a')).answer('B');
    expect((await second).content).toBe('B');
  });

  it('runs on while one delivery remains, and is aborted with the last', async () => {
    const gateway = await startScheduler({ servers: [serverAt(server.url)] });
    const [one, other] = [new AbortController(), new AbortController()];
    const first = settled(gateway.complete(completionMessage('a'), one.signal));
    const second = settled(gateway.complete(completionMessage('a'), other.signal));
    const call = await server.call('a');
    one.abort(new Error('closing'));
    expect(await first).toMatchObject({ message: 'closing' });
    expect(gateway.busySlots(server.url.slice(7))).toBe(1);
    other.abort(new Error('closing'));
    expect(await second).toMatchObject({ message: 'closing' });
    await eventually('the close', () => call.isAborted);
    const again = gateway.complete(completionMessage('a'), never);
    (await server.call('a')).answer('A');
    expect((await again).content).toBe('A');
  });
});

describe('the rate limit of an agent', () => {
  it('gives Retry-After per agent, and ignores refused and duplicate requests', async () => {
    let now = Date.now();
    const gateway = await startScheduler({ servers: [serverAt(server.url, 9)], agentRpm: 60, agentBurst: 2 }, { now: () => now });
    const replyBy = now + 100_000;
    const ask = (say: string, more: object = {}) => settled(gateway.complete(completionMessage(say, { replyBy, ...more }), never));
    expect(await ask('x', { model: 'absent' })).toMatchObject({ reason: 'no-server' });
    const going = [ask('a'), ask('a'), ask('b')];
    await server.call('b');
    expect(await ask('c')).toMatchObject({ reason: 'limited', detail: expect.stringContaining('again in 1000 ms') });
    const other = ask('d', { agent: 't:2' });
    (await server.call('d')).answer('D');
    expect(await other).toMatchObject({ value: { content: 'D' } });
    now += 1_000;
    const later = ask('e');
    (await server.call('e')).answer('E');
    expect(await later).toMatchObject({ value: { content: 'E' } });
    for (const name of ['a', 'b']) (await server.call(name)).answer(name);
    await Promise.all(going);
    expect(server.calls.map(({ last }) => last).toSorted()).toEqual(['a', 'b', 'd', 'e']);
  });

  it('counts requests with unusable schemas, and leaves no reservation', async () => {
    const now = Date.now();
    const gateway = await startScheduler(
      { servers: [serverAt(server.url)], agentRpm: 60, agentBurst: 2, agentTpm: 10_000, gameTokens: 10_000 },
      { now: () => now },
    );
    const ask = (say: string) =>
      settled(gateway.complete(completionMessage(say, { replyBy: now + 60_000, format: { $ref: '#/nowhere' } }), never));
    expect([await ask('a'), await ask('b'), await ask('c')]).toMatchObject(
      ['unreadable', 'unreadable', 'limited'].map((reason) => ({ reason })),
    );
    expect(Object.values(gateway.debugCounters()).every((count) => count === 0)).toBe(true);
    expect(server.calls).toEqual([]);
  });
});

describe('a server', () => {
  it('that dies is marked down at once and used again when it returns', async () => {
    const gateway = await startScheduler({ servers: [serverAt(server.url)] });
    const dying = settled(gateway.complete(completionMessage('dying'), never));
    await server.call('dying');
    await server.close();
    expect(await dying).toMatchObject({ reason: 'failed', detail: expect.stringContaining('the connection was closed') });
    await eventually('the server to be marked down', () => !gateway.registry.all[0]!.health.isUp);
    const waiting = gateway.complete(completionMessage('patient'), never);
    await gateway.registry.checkAll();
    gateway.recheck();
    expect(gateway.waiting).toBe(1);

    const again = keep(await fakeOllama(undefined, Number(new URL(server.url).port)));
    await gateway.registry.checkAll();
    gateway.recheck();
    (await again.call('patient')).answer('at last');
    expect((await waiting).content).toBe('at last');
  });

  it('that is unreachable gets no work before its next check', async () => {
    const gateway = await startScheduler({ servers: [serverAt(server.url, 2)] });
    await server.close();
    const [first] = await Promise.all(['a', 'b'].map((name) => settled(gateway.complete(completionMessage(name), never))));
    expect(first).toMatchObject({ reason: 'failed' });
    await eventually('the server to be marked down', () => !gateway.registry.all[0]!.health.isUp);
    const third = settled(gateway.complete(completionMessage('c'), never));
    expect(gateway.waiting).toBe(1);
    gateway.cancel('id of c', 'enough');
    expect(await third).toMatchObject({ detail: 'cancelled: enough' });
  });

  it('that stays down is named in the refusal after the patience time', async () => {
    let now = Date.now();
    await server.close();
    const gateway = await startScheduler({ servers: [serverAt(server.url)], patienceMs: 5_000 }, { now: () => now });
    const answer = settled(gateway.complete(completionMessage('a'), never));
    now += 4_999;
    gateway.recheck();
    expect(gateway.waiting).toBe(1);
    now += 1;
    gateway.recheck();
    expect(await answer).toMatchObject({ reason: 'no-server', detail: expect.stringMatching(/127\.0\.0\.1:\d+ is down: .*ECONNREFUSED/) });
  });

  it('without the model refuses at once with the list of models', async () => {
    const gateway = await startScheduler({ servers: [serverAt(server.url)] });
    for (const model of ['absent', 'm:cloud', 'big:120b-cloud', 'no such\u202e\nname']) {
      const refused = await settled(gateway.complete(completionMessage(model, { model }), never));
      expect(refused).toMatchObject({ reason: 'no-server', detail: expect.stringContaining('m:latest on 127.0.0.1') });
      expect(refused).not.toMatchObject({ detail: expect.stringMatching(/[\n\u202e]/) });
    }
    expect(server.calls).toEqual([]);
  });

  it('lists only local models with valid names', async () => {
    const names = ['m', 'big:cloud', 'far', 'bad\nname', 'x'.repeat(300)];
    const odd = keep(
      await fakeOllama([
        ...names.map((name) => ({ name, digest: name, ...(name === 'far' ? { remote_host: 'https://x' } : {}) })),
        7,
        { name: 8 },
      ]),
    );
    const gateway = await startScheduler({ servers: [serverAt(odd.url)] });
    expect([...gateway.registry.all[0]!.models.values()].map(({ name }) => name)).toEqual(['m']);
  });

  it('that lost a model is not asked for it again', async () => {
    const gateway = await startScheduler({ servers: [serverAt(server.url)] });
    const first = settled(gateway.complete(completionMessage('a', { model: 'm' }), never));
    (await server.call('a')).fail(404, "model 'm:latest' not found");
    expect(await first).toMatchObject({ reason: 'no-server', detail: expect.stringContaining('not found; available: no model on') });
    expect(await settled(gateway.complete(completionMessage('b', { model: 'm' }), never))).toMatchObject({ reason: 'no-server' });
    expect(server.calls).toHaveLength(1);
  });

  it('exports slots, queue length, outcomes and tokens', async () => {
    const gateway = await startScheduler({ servers: [serverAt(server.url)] });
    const name = server.url.slice(7);
    const value = async (metric: { get(): Promise<{ values: { value: number; labels: object }[] }> }, labels: object) =>
      (await metric.get()).values.find((one) =>
        Object.entries(labels).every(([key, is]) => (one.labels as Record<string, unknown>)[key] === is),
      )?.value ?? 0;
    const written = async () => {
      const { values } = await metrics.tokenUsage.get();
      return (
        values.find(
          ({ metricName = '', labels }) => metricName.endsWith('_sum') && labels.model === 'm:latest' && labels.token_type === 'output',
        )?.value ?? 0
      );
    };
    const before = await written();
    const answers = ['a', 'b'].map((say) => gateway.complete(completionMessage(say), never));
    await server.call('a');
    expect(await value(metrics.slotsBusy, { server: name })).toBe(1);
    expect(await value(metrics.completionsWaiting, { service: 'llm-gateway', urgency: 'talk' })).toBe(1);
    expect(await value(metrics.serverUp, { server: name })).toBe(1);
    for (const say of ['a', 'b']) (await server.call(say)).answer(say);
    await Promise.all(answers);
    await eventually('the slot', async () => (await value(metrics.slotsBusy, { server: name })) === 0);
    expect(await written()).toBe(before + 4);
    expect(await value(metrics.completions, { model: 'm:latest', outcome: 'done' })).toBeGreaterThanOrEqual(2);
  });
});

describe('an answer', () => {
  const asked = async (script: (call: Awaited<ReturnType<FakeOllama['call']>>) => void, options: Partial<GatewayOptions> = {}) => {
    const printed = [jest.spyOn(console, 'warn'), jest.spyOn(console, 'log')].map((spy) => spy.mockImplementation(() => undefined));
    const gateway = await startScheduler({ servers: [serverAt(server.url)], ...options });
    const format = { type: 'object', properties: { vote: { enum: ['Ada'] } }, required: ['vote'] };
    const answer = settled(gateway.complete(completionMessage('q', { format }), never));
    let what: Awaited<typeof answer> | undefined;
    void answer.then((came) => (what = came));
    const scripted = new Set<unknown>();
    // An invalid answer is requested again: every call gets the script.
    await eventually('the end', () => {
      for (const call of server.open()) {
        if (scripted.has(call)) continue;
        scripted.add(call);
        script(call);
      }
      return what !== undefined;
    });
    await eventually('the slot', () => gateway.busySlots(server.url.slice(7)) === 0);
    for (const print of printed) expect(print).not.toHaveBeenCalled();
    return what;
  };

  it.each<[string, string, (call: Awaited<ReturnType<FakeOllama['call']>>) => void]>([
    ['empty', 'it is empty', (call) => call.answer('  \n')],
    ['against the schema', '/vote must be equal', (call) => call.answer('{"vote":"Bo"}')],
    ['truncated', 'not JSON, cut after 2 tokens', (call) => call.answer('{"vote":"A', { done_reason: 'length' })],
    ['prefixed with thoughts', 'not JSON', (call) => call.answer('<think>Bo is a wolf</think>{"vote":"Ada"}')],
    ['only loaded', 'it ended with "load"', (call) => call.answer('{"vote":"Ada"}', { done_reason: 'load' })],
    ['not JSON lines', 'a line of the stream is not JSON', (call) => call.write('{"message":{"content":"I am the wolf"},,}\n')],
    ['lines that are not objects', 'a line of the stream is not an object', (call) => call.write('null\n')],
  ])('that is %s is refused as invalid with its cause: %s', async (_, detail, script) => {
    expect(await asked(script)).toMatchObject({ reason: 'invalid-answer', detail: expect.stringContaining(detail) });
  });

  it.each<[string, string, (call: Awaited<ReturnType<FakeOllama['call']>>) => void]>([
    ['an error mid-stream', 'in the middle of its answer: out of memory', (call) => call.write({ error: 'out of memory' })],
    ['a reset', 'the connection was', (call) => call.cut()],
    [
      'a nested error',
      'answered with 400: request (9 tokens) exceeds',
      (call) => call.fail(400, JSON.stringify({ error: { code: 400, message: 'request (9 tokens) exceeds' } })),
    ],
    ['a redirect', 'answered with 301', (call) => call.fail(301, '')],
    ['empty', 'answered with 500: Internal Server Error', (call) => call.fail(500, '')],
  ])('that is %s is refused as failed with its cause: %s', async (_, detail, script) => {
    expect(await asked(script)).toMatchObject({ reason: 'failed', detail: expect.stringContaining(detail) });
  });

  it('that stalls is aborted', async () => {
    const what = await asked((call) => call.write({ message: { content: '{' }, done: false }), { stallMs: 50 });
    expect(what).toMatchObject({ reason: 'failed', detail: expect.stringContaining('the stream has stalled') });
    await eventually('the close', () => server.calls[0]!.isAborted);
  });

  it('of a hostile server is truncated and sanitised', async () => {
    const hostile = `\u001b[2J\u202eevil\r\n{"level":"info"}${'x'.repeat(50_000)}`;
    const what = (await asked((call) => call.fail(500, hostile))) as { detail: string };
    expect(what.detail.length).toBeLessThan(700);
    expect(what.detail).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(what.detail).toContain('evil {"level":"info"}xxx');
  });

  it('with bad counters, lone surrogates and null characters is sanitised', async () => {
    const gateway = await startScheduler({ servers: [serverAt(server.url)] });
    const answer = gateway.complete(completionMessage('q'), never);
    const odd = { eval_count: -3, prompt_eval_count: 'many', eval_duration: -1, load_duration: null, model: 'm\n\u202e' };
    (await server.call('q')).answer('a\ud800b\0c', odd);
    expect(await answer).toMatchObject({
      content: 'a\ufffdb\ufffdc',
      model: 'm',
      tokens: { prompt: 0, completion: 0 },
      times: { prefill: 0, decode: 0 },
    });
  });

  it('returns its connection for reuse, also when it ends late', async () => {
    const gateway = await startScheduler({ servers: [serverAt(server.url)] });
    const before = server.connections;
    for (const name of ['a', 'b', 'c', 'd']) {
      const answer = gateway.complete(completionMessage(name), never);
      const call = await server.call(name);
      call.write({ message: { content: name }, done: true });
      expect((await answer).content).toBe(name);
      call.end();
      // The end must reach the client before the next call; a health check round-trip ensures it.
      await gateway.registry.checkAll();
    }
    expect(server.connections).toBeLessThanOrEqual(before + 2);
  });

  it('that is complete closes a connection left open by the server', async () => {
    const gateway = await startScheduler({ servers: [serverAt(server.url)] });
    const answer = gateway.complete(completionMessage('q'), never);
    const call = await server.call('q');
    call.write({ message: { content: 'A' }, done: true });
    expect((await answer).content).toBe('A');
    expect(call.isAborted).toBe(false);
    await eventually('the close', () => call.isAborted);
  });

  it('without a line break is aborted at the size limit', async () => {
    const what = await asked((call) => call.write('x'.repeat(3_000_000)));
    expect(what).toMatchObject({ reason: 'invalid-answer', detail: expect.stringContaining('far too long') });
    await eventually('the close', () => server.calls[0]!.isAborted);
  });

  it('is decoded byte by byte, for a model named without its tag', async () => {
    const gateway = await startScheduler({ servers: [serverAt(server.url)] });
    const answer = gateway.complete(completionMessage('q', { model: 'M' }), never);
    const call = await server.call('q');
    const bytes = Buffer.from(`${JSON.stringify({ message: { content: 'Grüße 😀' }, done: false })}\n`);
    for (const byte of bytes) call.write(Buffer.of(byte));
    call.answer('!');
    expect((await answer).content).toBe('Grüße 😀!');
  });
});
