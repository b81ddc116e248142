import { once } from 'node:events';
import { createServer, Server, Socket } from 'node:net';
import { hostname } from 'node:os';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '@maw/tests/equipment/fakes/otlp-receiver.ts';
import { contextFromHeaders, traceHeaders } from './trace-context.ts';
import { logger } from './log.ts';
import { inSpan } from './spans.ts';
import { metrics } from './metrics.ts';
import { startTelemetry, type TelemetryOptions } from './start.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  jest.restoreAllMocks();
});

async function tracing(options: Partial<TelemetryOptions> = {}, answers: { status?: number } = {}) {
  const receiver = await startOtlpReceiver(answers);
  const lines: string[] = [];
  const log = logger('maw', { destination: { write: (line) => void lines.push(line) } });
  const telemetry = startTelemetry({ service: 'maw', endpoint: receiver.url, protocol: 'http/json', log, ...options });
  opened.push(telemetry, receiver);
  return { receiver, telemetry, lines };
}

const named = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
  const found = spans.find((span) => span.name === name);
  if (!found) throw new Error(`no span ${name}`);
  return found;
};
const sent = async ({ telemetry, receiver }: { telemetry: { close(): Promise<void> }; receiver: OtlpReceiver }) => {
  await telemetry.close();
  return receiver.spans();
};

describe('spans', () => {
  it('are exported complete when telemetry closes', async () => {
    const started = await tracing();
    await inSpan('gamemaster', 'ask seat', { kind: 'producer', attributes: { 'maw.seat': 3, 'maw.phase': undefined } }, () =>
      inSpan('gamemaster', 'inner', {}, (span) => void span.setAttribute('late', true)),
    );
    const spans = await sent(started);
    expect(spans).toHaveLength(2);
    const [outer, inner] = [named(spans, 'ask seat'), named(spans, 'inner')];
    expect(outer).toMatchObject({ service: 'gamemaster', kind: 'producer', parentSpanId: undefined, status: { code: 'unset' } });
    expect(Object.entries(outer.attributes)).toEqual([['maw.seat', 3]]);
    expect(inner).toMatchObject({ traceId: outer.traceId, parentSpanId: outer.spanId, kind: 'internal', attributes: { late: true } });
    expect(inner.end >= inner.start && outer.start > 0n).toBe(true);
  });

  it('belong to the service that made them, in a shared process too', async () => {
    const started = await tracing();
    await inSpan('gamemaster', 'ask seat', {}, () => inSpan('player', 'decide', {}, () => inSpan('player', 'recall', {}, () => 1)));
    const spans = await sent(started);
    expect(spans.map(({ name, service }) => `${service}: ${name}`).toSorted()).toEqual([
      'gamemaster: ask seat',
      'player: decide',
      'player: recall',
    ]);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    const { resource } = named(spans, 'decide');
    expect(resource).toMatchObject({ 'service.version': '0.1.0', 'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });

  it('say which machine and process they are of, and what the operator adds, but not its command line', async () => {
    const added = 'deployment.environment.name=night%2C one, service.namespace=maw-2,service.name=other';
    const started = await tracing({ resourceAttributes: added });
    await inSpan('player', 'decide', {}, () => undefined);
    const [span] = await sent(started);
    expect(span!.resource).toEqual({
      'service.name': 'player',
      'service.namespace': 'maw-2',
      'service.version': '0.1.0',
      'service.instance.id': expect.any(String),
      'deployment.environment.name': 'night, one',
      'host.name': hostname(),
      'host.arch': expect.stringMatching(/^(amd64|arm64)$/),
      'process.pid': process.pid,
      'process.runtime.name': 'nodejs',
      'process.runtime.version': process.versions.node,
    });
  });

  it('continue the trace in headers', async () => {
    const started = await tracing();
    let headers: Record<string, string> = {};
    await inSpan('gamemaster', 'ask seat', {}, () => void (headers = traceHeaders()));
    expect(headers).toEqual({ traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/) });
    await inSpan('player', 'decide', { parent: contextFromHeaders({ ...headers, 'x-retry': 1 }) }, () => undefined);
    await inSpan('player', 'stray', { parent: contextFromHeaders({ traceparent: 7 }) }, () => undefined);
    const spans = await sent(started);
    const ask = named(spans, 'ask seat');
    expect(named(spans, 'decide')).toMatchObject({ traceId: ask.traceId, parentSpanId: ask.spanId });
    expect(named(spans, 'stray').parentSpanId).toBeUndefined();
  });

  it('record an error without credentials and rethrow it', async () => {
    const started = await tracing();
    const error = Object.assign(new TypeError('no way to amqp://u:opensesame@broker'), { detail: 'opensesame' });
    await expect(inSpan('player', 'decide', {}, () => Promise.reject(error))).rejects.toBe(error);
    const [span] = await sent(started);
    expect(span).toMatchObject({ status: { code: 'error', message: 'no way to amqp://broker' } });
    expect(span?.events).toEqual([
      { name: 'exception', attributes: { 'exception.type': 'TypeError', 'exception.message': 'no way to amqp://broker' } },
    ]);
  });

  it('do not fail on a refusal', async () => {
    const started = await tracing();
    const refusal = Object.assign(new Error('late: the bell rang'), { name: 'Refusal', reason: 'late' });
    await expect(inSpan('gamemaster', 'take act', {}, () => Promise.reject(refusal))).rejects.toBe(refusal);
    const [span] = await sent(started);
    expect(span).toMatchObject({ status: { code: 'unset' }, attributes: { 'maw.reason': 'late' }, events: [] });
  });

  it('are sent as protobuf by default', async () => {
    const { receiver, telemetry } = await tracing({ protocol: undefined });
    await inSpan('player', 'decide', {}, () => undefined);
    await telemetry.close();
    const [request] = receiver.requests();
    expect(request).toMatchObject({ path: '/v1/traces', contentType: 'application/x-protobuf' });
    expect(request?.body.includes('decide') && request.body.includes('player')).toBe(true);
  });

  it('are sampled by the ratio, or by the decision of the parent', async () => {
    const started = await tracing({ ratio: 0 });
    await inSpan('player', 'new', {}, () => undefined);
    const parent = contextFromHeaders({ traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` });
    await inSpan('player', 'known', { parent }, () => undefined);
    expect((await sent(started)).map(({ name }) => name)).toEqual(['known']);
  });
});

describe('without an endpoint', () => {
  it('connects nowhere and propagates incoming traces unchanged', async () => {
    const connect = jest.spyOn(Socket.prototype, 'connect');
    const telemetry = startTelemetry({ service: 'player' });
    opened.push(telemetry);
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    let headers: Record<string, string> = {};
    await inSpan('player', 'decide', { parent: contextFromHeaders({ traceparent }) }, async (span) => {
      await new Promise((resolve) => setImmediate(resolve));
      expect(span.isRecording()).toBe(false);
      headers = traceHeaders();
    });
    expect(traceHeaders()).toEqual({});
    await telemetry.close();
    expect(headers).toEqual({ traceparent });
    expect(connect).not.toHaveBeenCalled();
  });

  it('the same check sees the connection with an endpoint', async () => {
    const connect = jest.spyOn(Socket.prototype, 'connect');
    const started = await tracing();
    await inSpan('player', 'decide', {}, () => undefined);
    expect(await sent(started)).toHaveLength(1);
    expect(connect).toHaveBeenCalled();
  });
});

describe('a failed export', () => {
  const exported = async (outcome: string) =>
    (await metrics.spans.get()).values.reduce((sum, { labels, value }) => (labels.outcome === outcome ? sum + value : sum), 0);

  it('is logged once, counted, and fails neither the work nor close', async () => {
    const [before, sentBefore] = [await exported('failed'), await exported('sent')];
    const { telemetry, lines, receiver } = await tracing({}, { status: 400 });
    expect(await inSpan('player', 'decide', {}, () => 42)).toBe(42);
    await telemetry.close();
    await telemetry.close();
    expect([await exported('failed'), await exported('sent')]).toEqual([before + 1, sentBefore]);
    const next = await tracing();
    await inSpan('player', 'decide', {}, () => undefined);
    await sent(next);
    expect([await exported('failed'), await exported('sent')]).toEqual([before + 1, sentBefore + 1]);
    expect(receiver.requests()).toHaveLength(1);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({ level: 'warn', url: `${receiver.url}/v1/traces`, err: { message: expect.any(String) } });
  });

  it('does not delay close when nothing listens', async () => {
    const server: Server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    const { telemetry, lines } = await tracing({ endpoint: `http://127.0.0.1:${port}`, sendMs: 600_000, closeMs: 600_000 });
    await inSpan('player', 'decide', {}, () => undefined);
    await telemetry.close();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('ECONNREFUSED');
  });

  it('does not delay close when the receiver never responds', async () => {
    const { telemetry, lines, receiver } = await tracing({ sendMs: 4_000, closeMs: 1_000 }, { status: 0 });
    await inSpan('player', 'decide', {}, () => undefined);
    await telemetry.close();
    while (receiver.requests().length === 0) await new Promise((resolve) => setImmediate(resolve)); // a busy machine sends it late
    expect(receiver.requests()).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({ err: { message: 'not all spans were exported within 1000 ms' } });
  });
});

describe('startTelemetry', () => {
  it('rejects a second start until it is closed', async () => {
    const first = startTelemetry({ service: 'a' });
    expect(() => startTelemetry({ service: 'b' })).toThrow('already started');
    await first.close();
    const second = startTelemetry({ service: 'b' });
    await second.close();
  });
});
