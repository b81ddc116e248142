import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isTableKept } from '@maw/telemetry/kept-tables.ts';
import { attribute, span } from '@maw/telemetry/span-names.ts';
import { pollUntil } from '@maw/async/poll-until.ts';
import { isKept, type SampledSpan } from '../observability/tail-sampling.ts';
import { allTraces } from './jaeger-api.ts';
import { type Jaeger, sendTraces, startJaeger, startLogCollector, startTraceCollector, type TraceCollector } from './programs.ts';

const MINUTE = 60_000;
const SHARE = 0.1;

describe('the collector of traces that is shipped', () => {
  let jaeger: Jaeger;
  let collector: TraceCollector;
  beforeAll(async () => {
    jaeger = await startJaeger();
    collector = await startTraceCollector(jaeger.otlp, { decisionWait: '5s', share: SHARE });
  }, 10 * MINUTE);
  afterAll(async () => {
    await collector?.close();
    await jaeger?.close();
  });

  const ids = Array.from({ length: 60 }, (_, i) => `${i}247754f-1192-459f-bc3a-1fe06af9b7c1`);
  const left = ids.find((id) => !isTableKept(id, SHARE))!;
  const at = (table: string) => ({ [attribute.table]: table });
  /** A decision at a table that is not kept, with one more span. */
  const beside = (more: SampledSpan): readonly SampledSpan[] => [{ name: span.ask, isRoot: true, attributes: at(left) }, more];
  const sending = { [attribute.messagingOperation]: 'send' };
  const model = { [attribute.model]: 'm' };
  const choosing = { [attribute.verb]: 'choose' };
  const cases: readonly (readonly [what: string, trace: readonly SampledSpan[], isWanted: boolean])[] = [
    ...ids.map((id) => [`of table ${id}`, [{ name: span.ask, isRoot: true, attributes: at(id) }], isTableKept(id, SHARE)] as const),
    ['with an error', beside({ name: 'process commands:table.act:gamemaster', isError: true }), true],
    ['with a slow act', beside({ name: span.act, lasts: 1.1 }), true],
    ['with an act that is not slow', beside({ name: span.act, lasts: 0.9 }), false],
    ['with a slow message', beside({ name: 'publish commands:table.act', lasts: 1.1, attributes: sending }), true],
    ['with a slow model', beside({ name: 'chat m', lasts: 31, attributes: model }), true],
    ['with a model that is not slow', beside({ name: 'chat m', lasts: 29, attributes: model }), false],
    ['with a slow vote', beside({ name: span.decide, lasts: 31, attributes: choosing }), true],
    ['with a talk that lasts', beside({ name: span.decide, lasts: 600, attributes: { [attribute.verb]: 'say' } }), false],
    ['of no table', [{ name: 'GET /leaderboard', isRoot: true }], true],
    ['of the gateway', [{ name: 'publish events:llm.capacity', isRoot: true }], false],
    ['of the status', [{ name: 'publish commands:llm.status', isRoot: true }], false],
  ];

  it('keeps the traces that it promises, all their spans, and no others', async () => {
    const sent = cases.map(([what, spans, isWanted]) => ({ what, spans, isWanted, id: randomBytes(16).toString('hex') }));
    // What tests of every run evaluate in its place says the same.
    for (const { what, spans, isWanted } of sent) expect([what, isKept(spans, SHARE)]).toEqual([what, isWanted]);
    for (const { id, spans } of sent) expect((await sendTraces(collector.url, traces(id, spans))).status).toBe(200);
    // Decisions are made in the order in which traces came: once the last one is there, all others are decided.
    const last = randomBytes(16).toString('hex');
    expect((await sendTraces(collector.url, traces(last, [{ name: 'GET /last', isRoot: true }]))).status).toBe(200);
    let kept = await allTraces(jaeger.url);
    const wanted = sent.filter(({ isWanted }) => isWanted);
    const areThere = async () => {
      kept = await allTraces(jaeger.url);
      return [last, ...wanted.map(({ id }) => id)].every((id) => kept.has(id));
    };
    await pollUntil('the traces that are kept', areThere, { timeoutMs: 2 * MINUTE }).catch(() => undefined); // Told below.
    expect(sent.flatMap(({ id, what }) => (kept.has(id) ? [what] : []))).toEqual(wanted.map(({ what }) => what));
    for (const { id, spans } of wanted) expect(kept.get(id)!.spans).toHaveLength(spans.length);
  });

  it('lets spans that come after the decision stay with their trace', async () => {
    const [kept] = ids.filter((id) => isTableKept(id, SHARE));
    const id = randomBytes(16).toString('hex');
    await sendTraces(collector.url, traces(id, [{ name: span.ask, isRoot: true, attributes: at(kept!) }]));
    const has = (many: number) => async () => (await allTraces(jaeger.url)).get(id)?.spans.length === many;
    await pollUntil('the trace', has(1), { timeoutMs: 2 * MINUTE });
    await sendTraces(collector.url, traces(id, [{ name: 'chat m', attributes: model }]));
    await pollUntil('its late span', has(2), { timeoutMs: 2 * MINUTE });
  });
});

/** Spans as OTLP in JSON, the others within the first. */
function traces(traceId: string, spans: readonly SampledSpan[]): object {
  const parentSpanId = randomBytes(8).toString('hex');
  const now = BigInt(Date.now()) * 1_000_000n;
  const wire = spans.map(({ name, isRoot = false, isError = false, lasts = 0.01, attributes = {} }) => ({
    traceId,
    spanId: isRoot ? parentSpanId : randomBytes(8).toString('hex'),
    ...(!isRoot && { parentSpanId }),
    name,
    kind: 1,
    startTimeUnixNano: String(now - BigInt(Math.round(lasts * 1e9))),
    endTimeUnixNano: String(now),
    attributes: Object.entries(attributes).map(([key, value]) => ({
      key,
      value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
    })),
    ...(isError && { status: { code: 2 } }),
  }));
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'gamemaster' } }] };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'maw.gamemaster' }, spans: wire }] }] };
}

describe('the collector of logs that is shipped', () => {
  it(
    'takes lines of our containers with their service, trace and fields, and of no others',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'maw-logs-'));
      const loki = await startLoki();
      const [ours, others] = ['ours', 'others'].map((name) => join(folder, 'containers', name));
      for (const each of [ours!, others!, join(folder, 'positions')]) await mkdir(each, { recursive: true });
      const collector = await startLogCollector(join(folder, 'containers'), join(folder, 'positions'), loki.url);
      const trace = randomBytes(16).toString('hex');
      const within = randomBytes(8).toString('hex');
      const ofService = { attrs: { 'com.docker.compose.service': 'web' } };
      const line = (log: string, more: object) => `${JSON.stringify({ log: `${log}\n`, stream: 'stdout', time: now(), ...more })}\n`;
      const now = () => new Date().toISOString().replace('Z', '123456Z');
      try {
        // It reads from the end of files, so those that it has not found yet are written to again.
        const isTaken = async () => {
          await appendFile(join(others!, 'a-json.log'), line('of somebody else', {}));
          await appendFile(join(ours!, 'a-json.log'), line('plain', ofService));
          await appendFile(join(ours!, 'a-json.log'), line(JSON.stringify({ trace_id: trace, span_id: within, message: 'm' }), ofService));
          return loki.lines().some(({ traceId }) => traceId === trace) && loki.lines().some(({ body }) => body === 'plain\n');
        };
        await pollUntil('lines of ours', isTaken, {
          timeoutMs: 2 * MINUTE,
          everyMs: 500,
          lastSeen: () => [collector.said(), loki.lines()],
        });
        const traced = loki.lines().find(({ traceId }) => traceId === trace)!;
        expect(traced).toMatchObject({ service: 'web', spanId: within, attributes: expect.arrayContaining(['message']) });
        expect(loki.lines().filter(({ service, body }) => service !== 'web' || body.includes('somebody else'))).toEqual([]);
      } finally {
        await collector.close();
        await loki.close();
        await rm(folder, { recursive: true, force: true });
      }
    },
    10 * MINUTE,
  );
});

interface Line {
  readonly service: string | undefined;
  readonly body: string;
  readonly traceId: string | undefined;
  readonly spanId: string | undefined;
  readonly attributes: readonly string[];
}
interface Logs {
  readonly resourceLogs: readonly {
    readonly resource?: { readonly attributes?: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[] };
    readonly scopeLogs: readonly {
      readonly logRecords: readonly {
        readonly body?: { readonly stringValue?: string };
        readonly traceId?: string;
        readonly spanId?: string;
        readonly attributes?: readonly { readonly key: string }[];
      }[];
    }[];
  }[];
}

/** A receiver of log lines over OTLP in the place of Loki. */
async function startLoki(): Promise<{ readonly url: string; lines(): readonly Line[]; close(): Promise<void> }> {
  const lines: Line[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      lines.push(...linesOf(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body));
      response.writeHead(request.url === '/otlp/v1/logs' ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/otlp`, lines: () => lines, close };
}

const linesOf = (body: Buffer): readonly Line[] =>
  (JSON.parse(body.toString()) as Logs).resourceLogs.flatMap(({ resource, scopeLogs }) => {
    const service = resource?.attributes?.find(({ key }) => key === 'service.name')?.value.stringValue;
    return scopeLogs.flatMap(({ logRecords }) =>
      logRecords.map((record) => ({
        service,
        body: record.body?.stringValue ?? '',
        traceId: record.traceId,
        spanId: record.spanId,
        attributes: (record.attributes ?? []).map(({ key }) => key),
      })),
    );
  });
