import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { contracts, type Data } from '@maw/contracts/contracts.ts';
import { logger } from '@maw/telemetry/log.ts';
import { metrics, registry } from '@maw/telemetry/metrics.ts';
import { startTelemetry } from '@maw/telemetry/start.ts';
import { type ReceivedSpan, startOtlpReceiver } from '@maw/tests/equipment/fakes/otlp-receiver.ts';
import { ClientDisconnected } from '../../request.ts';
import { type TestScheduler, settled, never, testResources } from '../completions.suite.ts';
import { newRequest } from '../../request.ts';
import { countEnd } from './request-metrics.ts';
import { completionMessage, serverAt, eventually, type FakeOllama, fakeOllama } from '../../fake-ollama.suite.ts';

const { keep, startScheduler } = testResources();
let server: FakeOllama;
beforeEach(async () => {
  server = keep(await fakeOllama());
  registry.resetMetrics();
});

const format = { type: 'object', properties: { vote: { enum: ['Ada'] } }, required: ['vote'] };
const nameOf = ({ url }: { readonly url: string }) => url.slice('http://'.length);

/** The value of a counter or gauge; the count of a histogram, or its sum with `_sum`. Undefined when it is not exported. */
async function value(metric: keyof typeof metrics, labels: Readonly<Record<string, string>>, ending = '_count') {
  const { values } = await metrics[metric].get();
  const wanted = Object.entries(labels);
  const found = values.find(
    (one) =>
      Object.keys(one.labels).length === wanted.length &&
      wanted.every(([key, is]) => (one.labels as Readonly<Record<string, unknown>>)[key] === is) &&
      (!('metricName' in one) || one['metricName']?.endsWith(ending)),
  );
  return found?.value;
}
const seconds = async (metric: keyof typeof metrics, labels: Readonly<Record<string, string>>) => [
  await value(metric, labels),
  Number((await value(metric, labels, '_sum'))?.toFixed(6)),
];
const CHAT = { model: 'm:latest', operation: 'chat' };

/** A request in the given game. */
const inGame = (game: string, say: string, given: Partial<Data<'llm.complete'>> = {}) => ({
  ...completionMessage(say, given),
  subject: game,
});

/** A scheduler with a frozen clock. */
async function stopped(given: Partial<Parameters<typeof startScheduler>[0]> = {}): Promise<TestScheduler> {
  const gateway = await startScheduler({ servers: [serverAt(server.url)], ...given });
  gateway.freeze();
  return gateway;
}

/** Answers `say` after `ms` milliseconds on the clock of the gateway. */
async function answered(gateway: TestScheduler, say: string, more: object = {}, ms = 0, from = server): Promise<void> {
  const call = await from.call(say);
  gateway.advance(ms);
  call.answer(say, more);
}

/** A request over HTTP, whose spans have tokens and times. */
const httpMessage = (...given: Parameters<typeof completionMessage>) => ({
  ...completionMessage(...given),
  source: 'llm-gateway' as const,
});

describe('the spans of a request', () => {
  let spansOf: () => Promise<readonly ReceivedSpan[]>;
  let telemetry: ReturnType<typeof startTelemetry>;
  beforeEach(async () => {
    const receiver = keep(await startOtlpReceiver());
    const log = logger('llm-gateway', { level: 'silent' });
    telemetry = startTelemetry({ service: 'llm-gateway', endpoint: receiver.url, protocol: 'http/json', log });
    spansOf = () => telemetry.close().then(() => receiver.spans());
  });
  afterEach(() => telemetry.close());
  const where = () => ({
    'gen_ai.provider.name': 'ollama',
    'server.address': '127.0.0.1',
    'server.port': Number(new URL(server.url).port),
  });

  it('record the request, wait and slot times, and time left', async () => {
    const gateway = await stopped();
    const replyBy = gateway.now() + 60_000;
    const first = gateway.complete(httpMessage('a', { replyBy }), never);
    await server.call('a');
    let heard: () => void = () => undefined;
    const begins = new Promise<void>((resolve) => (heard = resolve));
    const dials = { temperature: 0.5, seed: 7, topP: 0.25, stop: ['END'], maxTokens: 64, format };
    const second = gateway.complete(httpMessage('the secret', { id: 'm2', replyBy, ...dials }), never, { onPiece: () => heard() });
    await answered(gateway, 'a', { prompt_eval_count: 5 }, 300);
    await first;
    const call = await server.call('the secret');
    gateway.advance(50);
    call.write({ model: 'm:latest', message: { role: 'assistant', content: '{"vote":' }, done: false });
    await begins;
    gateway.advance(100);
    call.answer('"Ada"}', { prompt_eval_count: 9 });
    await second;

    const spans = await spansOf();
    const request = spans.find(({ attributes }) => attributes['messaging.message.id'] === 'm2')!;
    expect([request.name, request.kind, request.status.code]).toEqual(['chat m:latest', 'client', 'unset']);
    expect(request.attributes).toEqual({
      ...where(),
      'messaging.message.id': 'm2',
      'gen_ai.operation.name': 'chat',
      'gen_ai.conversation.id': 't',
      'gen_ai.agent.id': 't:1',
      'gen_ai.request.model': 'm:latest',
      'gen_ai.output.type': 'json',
      'gen_ai.request.max_tokens': 64,
      'gen_ai.request.temperature': 0.5,
      'gen_ai.request.top_p': 0.25,
      'gen_ai.request.seed': 7,
      'gen_ai.request.stop_sequences': ['END'],
      'gen_ai.request.stream': true,
      'gen_ai.response.model': 'm:latest',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.response.time_to_first_chunk': 0.35,
      'gen_ai.usage.input_tokens': 9,
      'gen_ai.usage.output_tokens': 2,
      'llmgw.queue.wait_ms': 300,
      'llmgw.deadline.slack_ms': 59_550,
      'llmgw.slot.ms': 150,
      'llmgw.affinity.hit': true,
      'llmgw.attempt': 1,
    });
    const attempt = spans.find(({ parentSpanId }) => parentSpanId === request.spanId)!;
    expect([attempt.name, attempt.kind]).toEqual(['attempt', 'client']);
    expect(attempt.attributes).toEqual({
      ...where(),
      'gen_ai.request.model': 'm:latest',
      'gen_ai.response.model': 'm:latest',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.response.time_to_first_chunk': 0.05,
      'gen_ai.usage.input_tokens': 9,
      'gen_ai.usage.output_tokens': 2,
      'llmgw.slot.ms': 150,
      'llmgw.affinity.hit': true,
      'llmgw.attempt': 1,
    });
    // The first request of a game has no affinity, and its span has no attributes for unset options.
    const other = spans.find(({ attributes }) => attributes['messaging.message.id'] === 'id of a')!;
    expect(other.attributes).toEqual({
      ...where(),
      'messaging.message.id': 'id of a',
      'gen_ai.operation.name': 'chat',
      'gen_ai.conversation.id': 't',
      'gen_ai.agent.id': 't:1',
      'gen_ai.request.model': 'm:latest',
      'gen_ai.output.type': 'text',
      'gen_ai.request.max_tokens': 512,
      'gen_ai.response.model': 'm:latest',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.response.time_to_first_chunk': 0.3,
      'gen_ai.usage.input_tokens': 5,
      'gen_ai.usage.output_tokens': 2,
      'llmgw.queue.wait_ms': 0,
      'llmgw.deadline.slack_ms': 59_700,
      'llmgw.slot.ms': 300,
      'llmgw.affinity.hit': false,
      'llmgw.attempt': 1,
    });
    expect(JSON.stringify(spans.map(({ name, attributes, events }) => [name, attributes, events]))).not.toMatch(/secret|Ada/);
  });

  it('sum the attempts, each of which has its own span', async () => {
    const gateway = await stopped();
    const asked = gateway.complete(httpMessage('q', { format, replyBy: gateway.now() + 60_000 }), never);
    const first = await server.call('q');
    gateway.advance(20);
    first.answer('nothing', { prompt_eval_count: 3 });
    const again = await eventually('the repair', () => server.open()[0]);
    gateway.advance(30);
    again.answer('{"vote":"Ada"}', { prompt_eval_count: 8 });
    await asked;
    const spans = await spansOf();
    const request = spans.find(({ name }) => name === 'chat m:latest')!;
    expect(request.attributes).toMatchObject({
      'llmgw.attempt': 2,
      'llmgw.slot.ms': 50,
      'llmgw.queue.wait_ms': 0,
      'gen_ai.response.time_to_first_chunk': 0.05,
    });
    const attempts = spans.filter(({ name }) => name === 'attempt').map(({ attributes }) => attributes);
    expect(attempts).toMatchObject([
      { 'llmgw.attempt': 1, 'llmgw.slot.ms': 20, 'error.type': 'invalid-answer' },
      { 'llmgw.attempt': 2, 'llmgw.slot.ms': 30, 'gen_ai.response.time_to_first_chunk': 0.03 },
    ]);
    expect([request.attributes, attempts[1]].filter((one) => 'error.type' in one!)).toEqual([]);
    expect(attempts.filter((one) => 'gen_ai.operation.name' in one)).toEqual([]);
  });

  it('record a missed deadline and by how much, for aborted and never-started requests', async () => {
    const gateway = await stopped();
    const replyBy = gateway.now() + 40;
    const both = ['cut', 'waits'].map((say) => settled(gateway.complete(httpMessage(say, { replyBy }), never)));
    await server.call('cut');
    gateway.advance(100);
    expect(await Promise.all(both)).toMatchObject([{ reason: 'late' }, { reason: 'late' }]);
    await eventually('the slot', () => gateway.busySlots(nameOf(server)) === 0);
    const spans = await spansOf();
    const of = (say: string) => spans.find(({ attributes }) => attributes['messaging.message.id'] === `id of ${say}`)!;
    expect(of('cut').attributes).toMatchObject({
      'error.type': 'late',
      'maw.reason': 'late',
      'llmgw.deadline.slack_ms': -60,
      'llmgw.slot.ms': 100,
      'llmgw.queue.wait_ms': 0,
    });
    expect(of('waits').attributes).toMatchObject({ 'error.type': 'late', 'llmgw.deadline.slack_ms': -60, 'llmgw.queue.wait_ms': 100 });
    expect(Object.keys(of('waits').attributes).filter((key) => /slot|attempt|affinity|server|usage|chunk/.test(key))).toEqual([]);
    expect(spans.find(({ name }) => name === 'attempt')!.attributes).toMatchObject({ 'error.type': 'late', 'llmgw.slot.ms': 100 });
  });

  it('name the error: server status, disconnect, or unknown model without its name', async () => {
    const gateway = await stopped();
    const failed = settled(gateway.complete(httpMessage('fails'), never));
    (await server.call('fails')).fail(500, 'cannot read: You are the Werewolf');
    await failed;
    const hangUp = new AbortController();
    const left = settled(gateway.complete(httpMessage('leaves'), hangUp.signal));
    await server.call('leaves');
    hangUp.abort(new ClientDisconnected());
    await left;
    await settled(gateway.complete(httpMessage('none', { model: 'whatever-a-stranger-writes' }), never));
    await eventually('the slot', () => gateway.busySlots(nameOf(server)) === 0);
    const spans = await spansOf();
    const errors = (name: string) => spans.filter((one) => one.name === name).map(({ attributes }) => attributes['error.type']);
    expect(errors('attempt')).toEqual(['500', 'cancelled']);
    expect(errors('chat m:latest')).toEqual(['failed', 'cancelled']);
    expect(errors('chat')).toEqual(['no-server']);
    const { attributes } = spans.find(({ name }) => name === 'chat')!;
    expect(attributes).not.toHaveProperty('gen_ai.request.model');
    // A server may quote the prompt in its error.
    expect(spans.map(({ status }) => status.message)).toContain('a model server answered with an error, 500');
    expect(JSON.stringify(spans.map(({ attributes: own, events, status }) => [own, events, status]))).not.toContain('Werewolf');
  });

  it('of a duplicate do not repeat the work', async () => {
    const gateway = await stopped();
    const asked = [gateway.complete(httpMessage('once'), never), gateway.complete(httpMessage('once'), never)];
    await answered(gateway, 'once', {}, 10);
    await Promise.all(asked);
    await gateway.complete(httpMessage('once'), never);
    const chats = (await spansOf()).filter(({ name }) => /^chat/.test(name));
    expect(chats.map(({ attributes }) => attributes['llmgw.slot.ms'])).toEqual([10, undefined, undefined]);
    expect(chats.map(({ attributes }) => attributes['gen_ai.response.finish_reasons'])).toEqual([['stop'], undefined, undefined]);
    expect(await value('deadlines', { urgency: 'talk', outcome: 'met' })).toBe(1);
  });

  it('contain token counts and times for HTTP callers but not for seats', async () => {
    const gateway = await stopped();
    for (const source of ['llm-gateway', 'player'] as const) {
      const asked = gateway.complete({ ...completionMessage(source), source }, never);
      await answered(gateway, source, {}, 10);
      await asked;
    }
    const counts = (await spansOf()).map(
      ({ attributes }) => Object.keys(attributes).filter((name) => /usage|first_chunk|slot\.ms/.test(name)).length,
    );
    expect(counts.toSorted((a, b) => a - b)).toEqual([0, 0, 4, 4]);
  });

  it('use their own operation name for embeddings', async () => {
    const answers: Readonly<Record<string, object>> = {
      '/api/version': { version: '0.33.0' },
      '/api/tags': { models: [{ name: 'e:latest', digest: '1', capabilities: ['embedding'] }] },
      '/api/ps': { models: [{ name: 'e:latest' }] },
      '/api/embed': { model: 'e:latest', embeddings: [[1, 0]], total_duration: 5e6, prompt_eval_count: 7 },
    };
    const vectors = createServer((request, response) => {
      request
        .resume()
        .on('end', () => void response.setHeader('content-type', 'application/json').end(JSON.stringify(answers[request.url!])));
    }).listen(0, '127.0.0.1');
    await once(vectors, 'listening');
    keep({ close: () => new Promise<void>((resolve) => (vectors.closeAllConnections(), vectors.close(() => resolve()))) });
    const { port } = vectors.address() as AddressInfo;
    const gateway = await stopped({ servers: [serverAt(`http://127.0.0.1:${port}`)] });
    const about = { id: 'v', source: 'player', subject: 't', at: Date.now(), replyBy: gateway.now() + 60_000 };
    await gateway.embed(contracts.write('llm.embed', { agent: 't:1', model: 'e', input: ['the secret'] }, about), never);
    const spans = await spansOf();
    const request = spans.find(({ name }) => name === 'embeddings e:latest')!;
    expect(request.attributes).toEqual({
      ...where(),
      'server.port': port,
      'maw.table': 't',
      'messaging.message.id': 'v',
      'gen_ai.operation.name': 'embeddings',
      'gen_ai.conversation.id': 't',
      'gen_ai.agent.id': 't:1',
      'gen_ai.request.model': 'e:latest',
      'gen_ai.response.model': 'e:latest',
      'llmgw.queue.wait_ms': 0,
      'llmgw.deadline.slack_ms': 60_000,
      'llmgw.affinity.hit': false,
      'llmgw.attempt': 1,
    });
    expect(spans.find(({ name }) => name === 'attempt')!.parentSpanId).toBe(request.spanId);
    expect(await value('operationSeconds', { model: 'e:latest', operation: 'embeddings' })).toBe(1);
    expect(await value('serverSeconds', { model: 'e:latest', operation: 'embeddings' })).toBe(1);
    expect((await metrics.affinity.get()).values).toEqual([]);
  });
});

describe('the metrics of a request', () => {
  it('separate gateway time, server time, first token and output token', async () => {
    const gateway = await stopped();
    const first = gateway.complete(completionMessage('a'), never);
    await server.call('a');
    const second = gateway.complete(inGame('u', 'b'), never);
    await answered(gateway, 'a', { eval_count: 1, eval_duration: 1e7 }, 300); // one token: there is none after the first
    await first;
    await answered(gateway, 'b', { eval_count: 5, eval_duration: 2e9 }, 100);
    await second;
    const third = gateway.complete(completionMessage('c'), never);
    await answered(gateway, 'c', { eval_count: 5, eval_duration: 0 }, 0); // a server that reports no times
    await third;
    await eventually('the slot', () => gateway.busySlots(nameOf(server)) === 0);
    expect(await seconds('operationSeconds', CHAT)).toEqual([3, 0.7]);
    expect(await seconds('serverSeconds', CHAT)).toEqual([3, 0.4]);
    expect(await value('trueSeconds', { model: 'm:latest' })).toBeCloseTo(0.4, 6);
    expect(await seconds('firstChunkSeconds', CHAT)).toEqual([3, 0.7]);
    expect(await seconds('firstTokenSeconds', CHAT)).toEqual([3, 0.4]);
    expect(await seconds('outputTokenSeconds', CHAT)).toEqual([1, 0.5]);
    expect(await value('deadlines', { urgency: 'talk', outcome: 'met' })).toBe(3);
    expect((await metrics.wastedSlots.get()).values).toEqual([]);
  });

  it('compare expected and true time of answered requests only', async () => {
    const gateway = await stopped();
    const model = { model: 'm:latest' };
    const first = gateway.complete(completionMessage('a'), never);
    await server.call('a');
    // While a request runs, its game is charged with the expected time.
    const guess = gateway.queue.accounts().find(({ running }) => running === 1)!.spentMs;
    expect([guess > 0, guess === 300]).toEqual([true, false]);
    await answered(gateway, 'a', {}, 300);
    await first;
    expect(await value('expectedSeconds', model)).toBeCloseTo(guess / 1000, 6);
    expect(await value('trueSeconds', model)).toBeCloseTo(0.3, 6);
    const second = settled(gateway.complete(completionMessage('b'), never));
    (await server.call('b')).fail(400, 'not like this');
    await second;
    expect(await value('expectedSeconds', model)).toBeCloseTo(guess / 1000, 6);
    expect(await value('trueSeconds', model)).toBeCloseTo(0.3, 6);
  });

  it('leave out refused requests, except those that came too late', async () => {
    const gateway = await stopped({ agentConcurrency: 1 });
    const first = gateway.complete(completionMessage('a'), never);
    expect(await settled(gateway.complete(completionMessage('b'), never))).toMatchObject({ reason: 'limited' });
    expect(await settled(gateway.complete(completionMessage('c', { replyBy: gateway.now(), agent: 'x' }), never))).toMatchObject({
      reason: 'late',
    });
    await answered(gateway, 'a');
    await first;
    expect(await value('operationSeconds', CHAT)).toBe(1);
    expect((await metrics.deadlines.get()).values.map(({ labels, value: count }) => [labels.outcome, count])).toEqual([
      ['expired_waiting', 1],
      ['met', 1],
    ]);
  });

  it('count deadline outcomes by urgency, and aborted slot time', async () => {
    const gateway = await stopped();
    const replyBy = gateway.now() + 40;
    const cut = settled(gateway.complete(completionMessage('cut', { replyBy, urgency: 'critical' }), never));
    const waits = settled(gateway.complete(completionMessage('waits', { replyBy, urgency: 'background' }), never));
    await server.call('cut');
    gateway.advance(100);
    await Promise.all([cut, waits]);
    await eventually('the slot', () => gateway.busySlots(nameOf(server)) === 0);
    expect((await metrics.deadlines.get()).values).toEqual(
      expect.arrayContaining([
        { labels: { urgency: 'critical', outcome: 'cut_running' }, value: 1 },
        { labels: { urgency: 'background', outcome: 'expired_waiting' }, value: 1 },
      ]),
    );
    expect((await metrics.wastedSlots.get()).values).toEqual([{ labels: { why: 'cut' }, value: 0.1 }]);
  });

  it('separate infeasible requests from those that expired in the queue', async () => {
    const gateway = await stopped();
    const slow = { prompt_eval_count: 100, prompt_eval_duration: 1e9, eval_count: 10, eval_duration: 1e9 };
    const first = gateway.complete(completionMessage('a'), never);
    await answered(gateway, 'a', slow);
    await first;
    expect(await settled(gateway.complete(completionMessage('b', { replyBy: gateway.now() + 500 }), never))).toMatchObject({
      reason: 'late',
    });
    expect(await value('deadlines', { urgency: 'talk', outcome: 'dropped_infeasible' })).toBe(1);
    expect(await value('deadlines', { urgency: 'talk', outcome: 'expired_waiting' })).toBeUndefined();
  });

  it.each([
    ['at its deadline', 'done', 1000, false, 'met'],
    ['after it', 'done', 1001, true, 'cut_running'],
    ['refused before it', 'late', 999, true, 'dropped_infeasible'],
    ['refused at it in its slot', 'late', 1000, true, 'cut_running'],
    ['dropped before it', 'dropped', 999, false, 'dropped_infeasible'],
    ['dropped at it', 'dropped', 1000, false, 'expired_waiting'],
    ['cancelled', 'cancelled', 500, true, 'client_cancel'],
    ['limited', 'limited', 500, false, undefined],
    ['failed', 'failed', 500, true, undefined],
    ['invalid', 'invalid', 500, true, undefined],
  ] as const)('classify a request that ended %s', async (_, end, when, isRunning, outcome) => {
    const request = newRequest({ message: completionMessage('x'), arrivedAt: 0, deadline: 1000 });
    request.state = { phase: 'ended', wasRunning: isRunning, at: when };
    countEnd(request, end, 'm:latest', when);
    expect((await metrics.deadlines.get()).values).toEqual(outcome ? [{ labels: { urgency: 'talk', outcome }, value: 1 }] : []);
    expect(await value('completions', { model: 'm:latest', outcome: end })).toBe(1);
  });

  it('count wasted slot time by cause, and none for delivered answers', async () => {
    const gateway = await stopped();
    const name = nameOf(server);
    const asked = gateway.complete(completionMessage('q', { format }), never);
    await answered(gateway, 'q', {}, 70);
    const repair = await eventually('the repair', () => server.open()[0]);
    gateway.advance(500);
    repair.answer('{"vote":"Ada"}');
    await asked;
    const cancelled = settled(gateway.complete(completionMessage('c'), never));
    await server.call('c');
    gateway.advance(20);
    gateway.cancel('id of c', 'over');
    await cancelled;
    const hangUp = new AbortController();
    const left = settled(gateway.complete(completionMessage('l'), hangUp.signal));
    await server.call('l');
    gateway.advance(3);
    hangUp.abort(new ClientDisconnected());
    await left;
    const failed = settled(gateway.complete(completionMessage('f'), never));
    const call = await server.call('f');
    gateway.advance(30);
    call.fail(500, 'model runner has unexpectedly stopped');
    await failed;
    await eventually('the slot', () => gateway.busySlots(name) === 0);
    const { values } = await metrics.wastedSlots.get();
    expect(Object.fromEntries(values.map((one) => [one.labels.why, Number(one.value.toFixed(6))]))).toEqual({
      invalid: 0.07,
      cancelled: 0.023,
      failed: 0.03,
    });
    expect(await value('deadlines', { urgency: 'talk', outcome: 'client_cancel' })).toBe(2);
    expect(await value('completions', { model: 'm:latest', outcome: 'cancelled' })).toBe(2);
    expect(await value('schemaFailures', { kind: 'not_json' })).toBe(1);
  });

  it('count the grace time of a slot as wasted', async () => {
    const gateway = await stopped({ graceMs: 60_000 });
    const first = gateway.complete(completionMessage('a'), never);
    const slow = { prompt_eval_count: 100, prompt_eval_duration: 1e9, eval_count: 10, eval_duration: 1e7 };
    await answered(gateway, 'a', slow);
    await first;
    const words = 'w '.repeat(2_000); // 1,000 tokens: ten seconds
    const cancelled = settled(gateway.complete(completionMessage(words, { id: 'c' }), never));
    await server.call(words);
    gateway.advance(20);
    gateway.cancel('c', 'over');
    await cancelled;
    await eventually('the hold', () => gateway.debugCounters().held === 1);
    expect(await value('wastedSlots', { why: 'cancelled' })).toBe(0.02);
    gateway.advance(1_000);
    gateway.close();
    expect(await value('wastedSlots', { why: 'cancelled' })).toBeCloseTo(1.02, 6);
  });

  it('do not count a change of leader as callers hanging up', async () => {
    const gateway = await stopped();
    const left = new AbortController();
    const asked = settled(gateway.complete(completionMessage('a'), left.signal));
    await server.call('a');
    left.abort(new Error('another gateway schedules now'));
    await asked;
    await eventually('the slot', () => gateway.busySlots(nameOf(server)) === 0);
    expect((await metrics.deadlines.get()).values).toEqual([]);
    expect((await metrics.completions.get()).values).toEqual([]);
  });
});

describe('the metrics of servers', () => {
  it('count requests as first, hit (same server) or miss (another server)', async () => {
    const other = keep(await fakeOllama());
    const gateway = await stopped({ servers: [serverAt(server.url), serverAt(other.url)] });
    const outcomes = async () =>
      Object.fromEntries((await metrics.affinity.get()).values.map(({ labels, value: count }) => [labels.outcome, count]));
    const first = gateway.complete(completionMessage('a'), never);
    await answered(gateway, 'a');
    await first;
    expect(await outcomes()).toEqual({ first: 1 });
    const two = ['b', 'c'].map((say) => gateway.complete(completionMessage(say), never));
    await answered(gateway, 'b');
    await answered(gateway, 'c', {}, 0, other);
    await Promise.all(two);
    expect(await outcomes()).toEqual({ first: 1, hit: 1, miss: 1 });
  });

  it('count prompt cache hits by prefill time', async () => {
    const gateway = await stopped();
    for (const [say, prompt_eval_duration] of [
      ['a', 1e9],
      ['b', 0.4e9],
      ['c', 0.9e9],
    ] as const) {
      const asked = gateway.complete(completionMessage(say), never);
      await answered(gateway, say, { prompt_eval_count: 100, prompt_eval_duration });
      await asked;
    }
    expect(await value('prefixes', { model: 'm:latest', outcome: 'hit' })).toBe(1);
    expect(await value('prefixes', { model: 'm:latest', outcome: 'miss' })).toBe(1);
  });

  it('count loads over 500 ms that delayed an answer', async () => {
    const gateway = await stopped();
    for (const [say, load_duration] of [
      ['a', 0.5e9],
      ['b', 0.501e9],
    ] as const) {
      const asked = gateway.complete(completionMessage(say), never);
      await answered(gateway, say, { load_duration });
      await asked;
    }
    expect(await value('reloads', { server: nameOf(server), model: 'm:latest' })).toBe(1);
  });

  it('show the breakers of servers and models until the server is removed', async () => {
    const gateway = await stopped();
    const name = nameOf(server);
    const breakers = async () => [await value('breakers', { server: name }), await value('breakers', { server: name, model: 'm:latest' })];
    expect(await breakers()).toEqual([0, undefined]); // a model has a label once it was given work
    const failed = settled(gateway.complete(completionMessage('a'), never));
    (await server.call('a')).fail(500, 'CUDA out of memory');
    await failed;
    expect(await breakers()).toEqual([1, 0]);
    gateway.advance(29_999);
    expect(await breakers()).toEqual([1, 0]);
    gateway.advance(1);
    expect(await breakers()).toEqual([0.5, 0]);
    await gateway.registry.all[0]!.check();
    const asked = gateway.complete(completionMessage('b'), never);
    await answered(gateway, 'b', { load_duration: 2e9 });
    await asked;
    expect(await breakers()).toEqual([0, 0]);
    gateway.registry.remove(name);
    expect((await registry.metrics()).split('\n').filter((line) => line.includes(`server="${name}"`))).toEqual([]);
  });

  it('sum the debts of overspent accounts, whatever others have left', async () => {
    const gateway = await stopped({ gameTokens: 100, tenantTokensPerDay: 1_000 });
    const debts = async () => [await value('budgetDebt', { of: 'game' }), await value('budgetDebt', { of: 'tenant' })];
    const ask = async (game: string, say: string, tokens: number) => {
      const asked = gateway.complete(inGame(game, say, { maxTokens: 10 }), never);
      await answered(gateway, say, { prompt_eval_count: tokens - 2 });
      await asked;
    };
    await ask('t', 'a', 100);
    expect(await debts()).toEqual([0, 0]);
    await ask('u', 'b', 130);
    await ask('v', 'c', 10);
    await ask('w', 'd', 105);
    expect(await debts()).toEqual([35, 0]);
    await ask('x', 'e', 1_000);
    expect(await debts()).toEqual([935, 345]);
    gateway.admission.setLimits({ gameTokens: 0 });
    expect(await debts()).toEqual([0, 345]);
  });
});
