import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'amqplib';
import { parse, stringify } from 'yaml';
import { pollUntil } from '@maw/async/poll-until.ts';
import { createWebClient } from '@maw/cli/clients/web-client.ts';
import { startSystem, type System } from '@maw/cli/up/system.ts';
import { isTableKept } from '@maw/telemetry/kept-tables.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { attribute, span } from '@maw/telemetry/span-names.ts';
import { alerts } from '../../infra/prometheus/alerts.ts';
import { nameOf } from '../../infra/prometheus/promql.ts';
import { runbookUrl } from '../../infra/prometheus/rule-file.ts';
import { edges } from '../e2e/expected-traces.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../equipment/fakes/otlp-receiver.ts';
import { root } from '../equipment/source/repository.ts';
import { expressions, filled, metricsIn } from '../observability/expressions.ts';
import { type Prometheus, startPrometheus } from '../observability/prometheus.ts';
import { scrapeConfig } from '../observability/scrape-config.ts';
import { type Servers, startServers } from '../observability/servers.ts';
import { isKept, type SampledSpan } from '../observability/tail-sampling.ts';
import { allTraces, type JaegerTrace, serviceGraph, servicesOf } from './jaeger-api.ts';
import { type Jaeger, startAlertmanager, startJaeger, startTraceCollector, type TraceCollector } from './programs.ts';

const MINUTE = 60_000;
/** Of the tables, half are kept. */
const SHARE = 0.5;
/** In seconds: a day of the game, how long the collector waits, and a trace that lasts longer than that may have been decided before it was complete. */
const SIMULATED = { day: 15, wait: 40, longest: 25 };
/** A real model on a busy machine takes long to answer. */
const REAL = { day: 75, wait: 100, longest: 85 };

describe('a system that is watched by the real programs', () => {
  let servers: Servers;
  let jaeger: Jaeger;
  let collector: TraceCollector;
  /** Between the services and the collector: what was sent. */
  let receiver: OtlpReceiver;
  let system: System;
  let prometheus: Prometheus;
  let alertmanager: Awaited<ReturnType<typeof startAlertmanager>>;
  let hook: Webhook;
  let model: { readonly url: string; readonly name: string; close(): Promise<void> } | undefined;
  let times = SIMULATED;
  let folder: string;
  /** The tables that were played. */
  let kept: string;
  let left: string;
  /** What Jaeger has once everything that was sent is decided. */
  let found: ReadonlyMap<string, JaegerTrace>;
  /** The trace of a message that nobody can read. */
  const broken = randomBytes(16).toString('hex');
  const log: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'maw-real-'));
    await findModel();
    [servers, jaeger, hook] = await Promise.all([startServers(), startJaeger(), startWebhook()]);
    collector = await startTraceCollector(jaeger.otlp, { decisionWait: `${times.wait}s`, share: SHARE });
    receiver = await startOtlpReceiver({ forwardTo: collector.url });
    alertmanager = await startAlertmanager(toWebhook(hook.url));
    system = await startWatched();
    const rules = join(folder, 'alerts.yml');
    await writeFile(rules, soon(readFileSync(join(root, 'infra/prometheus/alerts.yml'), 'utf8')));
    const alerting = { alertmanagers: [{ static_configs: [{ targets: [alertmanager.at] }] }] };
    prometheus = await startPrometheus({ ...scrapeConfig(system.ops, servers.brokerMetrics, rules), alerting });
    await play();
    await sendUnreadable();
    found = await decided();
  }, 20 * MINUTE);
  afterAll(async () => {
    for (const each of [prometheus, alertmanager, system, model, receiver, collector, jaeger, servers, hook]) await each?.close();
    await rm(folder, { recursive: true, force: true });
  }, 10 * MINUTE);

  /** The model of the engine's tests, where one is ready; else the simulated one plays. */
  async function findModel(): Promise<void> {
    const { findModelServer, SMALL_MODEL } = await import('../engine/model-server.ts');
    const engine = await findModelServer();
    const isReal = typeof engine !== 'string';
    if (isReal) [model, times] = [{ ...engine, name: SMALL_MODEL }, REAL];
    process.stderr.write(`real: minds ask ${isReal ? `${SMALL_MODEL} of a real Ollama` : `the simulator: ${engine}`}\n`);
  }

  /** Every service as a process of its own. */
  async function startWatched(): Promise<System> {
    const of = (user: string, more: Readonly<Record<string, string>> = {}) => ({ AMQP_URL: servers.amqpUrlOf(user), ...more });
    const started = await startSystem({
      amqpUrl: servers.amqpUrlOf('web'),
      databaseUrl: servers.databaseUrl,
      ...(model && { ollamaUrl: model.url, model: model.name }),
      port: 0,
      base: process.env,
      env: {
        'all': {
          OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
          OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
          OTEL_BSP_SCHEDULE_DELAY: '500',
          TRACED_TABLES: String(SHARE),
          AMQP_DECLARE: 'no',
          AMQP_CHECK_SENDER: 'yes',
        },
        'gamemaster': of('gamemaster', { OBEY_CAPACITY: 'no' }),
        'chatroom': of('chatroom'),
        'llm-gateway': of('llm-gateway'),
        'player': of('player', { MAX_WAIT_S: '1' }),
        'contest': of('contest'),
        'ollama-sim': { SIM_DECODE_MS_PER_TOKEN: '2' },
      },
      graceMs: 3_000,
      say: (line) => void log.push(line),
    });
    if (await started.isOpen(5 * MINUTE)) return started;
    await started.close();
    throw new Error(`the services did not start:\n${log.slice(-30).join('\n')}`);
  }

  /** A game of a table that is kept and of one that is not, side by side. */
  async function play(): Promise<void> {
    const at = createWebClient(system.url, system.adminToken);
    const seats = Array.from({ length: 6 }, (_, seat) => ({ kind: 'mind' as const, recipe: seat % 2 ? 'algorithm-1' : 'rules' }));
    const options = { dayMs: times.day * 1_000, nightMs: 5_000, maxDays: 1, pace: 'machines' };
    const tables = new Map<boolean, string>();
    while (tables.size < 2) {
      const { table } = await at.open({ rules: 'maw', players: 6, seats, rounds: 1, lobbyMs: 30_000, options });
      const isFirst = !tables.has(isTableKept(table, SHARE));
      if (isFirst) tables.set(isTableKept(table, SHARE), table);
      else await at.abort(table);
    }
    [kept, left] = [tables.get(true)!, tables.get(false)!];
    const follow = async (table: string) => {
      for await (const news of at.follow(table, { as: 'narrator' })) if (news.kind === 'over') break;
    };
    await Promise.all([follow(kept), follow(left)]);
  }

  /** A message to the player that nobody can read: the span that takes it has an error, and it lies in the queue of dead letters. */
  async function sendUnreadable(): Promise<void> {
    const connection = await connect(servers.amqpUrlOf('gamemaster'));
    const channel = await connection.createConfirmChannel();
    const headers = { traceparent: `00-${broken}-${randomBytes(8).toString('hex')}-01` };
    channel.publish('commands', 'seat.decide', Buffer.from('no JSON'), { userId: 'gamemaster', headers });
    await channel.waitForConfirms();
    await connection.close();
  }

  const sentTraces = () => Map.groupBy(receiver.spans(), ({ traceId }) => traceId);
  const isOf = (table: string, spans: readonly ReceivedSpan[]) => spans.some(({ attributes }) => attributes[attribute.table] === table);

  /** Waits until Jaeger has of the traces of both games what the policies say, in which each is decided. */
  async function decided(): Promise<ReadonlyMap<string, JaegerTrace>> {
    let all: ReadonlyMap<string, JaegerTrace> = new Map();
    let wrong: readonly string[] = [];
    const isSettled = async () => {
      all = await allTraces(jaeger.url);
      wrong = misjudged(all);
      const isDue = [...sentTraces().values()]
        .filter((spans) => isOf(kept, spans) || isOf(left, spans))
        .every((spans) => age(spans) > times.wait + 10);
      return isDue && all.has(broken) && wrong.length === 0;
    };
    await pollUntil('Jaeger having what is to be kept', isSettled, {
      timeoutMs: 5 * MINUTE,
      everyMs: 2_000,
      lastSeen: () => ({ wrong, said: collector.said().slice(-2_000) }),
    }).catch((error: unknown) => process.stderr.write(`${String(error)}\n`)); // Told below.
    return all;
  }

  /** Of the traces that are decided, those that are there and should not be, are not and should, or lack spans. */
  function misjudged(all: ReadonlyMap<string, JaegerTrace>): readonly string[] {
    return [...sentTraces()].flatMap(([id, spans]) => {
      if (age(spans) < times.wait + 10 || lasting(spans) > times.longest) return [];
      const about = `${id} of ${spans.map(({ service, name }) => `${service}: ${name}`).join(', ')}`;
      const isWanted = isKept(spans.map(sampled), SHARE);
      if (isWanted !== all.has(id)) return [`${isWanted ? 'missing' : 'too many'}: ${about}`];
      const there = new Set(all.get(id)?.spans.map(({ spanID }) => spanID));
      return isWanted && spans.some(({ spanId }) => !there.has(spanId)) ? [`not whole: ${about}`] : [];
    });
  }

  it('keeps a chosen table as a whole, and of another only what failed or was slow', () => {
    expect(misjudged(found)).toEqual([]);
    const of = (table: string) => [...sentTraces().values()].filter((spans) => isOf(table, spans));
    const [ours, others] = [of(kept), of(left)];
    expect([ours.length > 10, others.length > 10]).toEqual([true, true]);
    expect(ours.filter(([first]) => !found.has(first!.traceId))).toEqual([]);
    expect(others.filter(([first]) => !found.has(first!.traceId)).length).toBeGreaterThan(0);
  });

  it('keeps what failed, though it is of no table and begins nowhere', () => {
    const spans = found.get(broken)?.spans ?? [];
    expect(spans.map(({ operationName }) => operationName)).toEqual(['process player']);
    expect(spans[0]!.tags).toContainEqual(expect.objectContaining({ key: 'otel.status_code', value: 'ERROR' }));
  });

  it('shows one decision through five services', () => {
    const widest = [...found.values()]
      .map((trace) => [...servicesOf(trace)].toSorted().join(', '))
      .toSorted((a, b) => b.length - a.length)[0];
    expect(widest).toBe('chatroom, gamemaster, llm-gateway, player, web');
  });

  it('links questions to what they follow from, which is there too', () => {
    const asked = [...found.values()].flatMap(({ spans }) => spans.filter(({ operationName }) => operationName === span.ask));
    const ofKept = asked.filter(({ tags }) => tags.some(({ key, value }) => key === attribute.table && value === kept));
    const links = ofKept.flatMap(({ references }) => references.filter(({ refType }) => refType === 'FOLLOWS_FROM'));
    expect([ofKept.length > 0, links.length > 0]).toEqual([true, true]);
    const causes = links.map(({ traceID, spanID }) => found.get(traceID)?.spans.find((one) => one.spanID === spanID)?.operationName);
    expect(causes.filter((name) => name === undefined)).toEqual([]);
    process.stderr.write(`real: ${links.length} links of ${ofKept.length} questions, to ${[...new Set(causes)].join(', ')}\n`);
  });

  it('draws who sends to whom in the service graph', async () => {
    const serviceOf = (end: string): string => end.split(': ')[0]!;
    const wanted = new Set(edges.map(({ parent, child }) => `${serviceOf(parent)} to ${serviceOf(child)}`));
    const arrows = [...wanted].filter((arrow) => new Set(arrow.split(' to ')).size === 2);
    expect(await serviceGraph(jaeger.url)).toEqual(expect.arrayContaining([...arrows, 'gamemaster to web']));
  });

  it('leads from points of histograms to traces that are there', async () => {
    for (const metric of [metrics.decisionSeconds, metrics.appendSeconds, metrics.completionWait, metrics.messageSeconds]) {
      const points = (await prometheus.exemplars(`${nameOf(metric)}_bucket`)).flatMap(({ exemplars }) => exemplars);
      const sent = sentTraces();
      const ids = [...new Set(points.map(({ labels }) => labels['trace_id']!))].filter(
        (id) => sent.has(id) && age(sent.get(id)!) > times.wait + 10,
      );
      const there = await allTraces(jaeger.url);
      const lost = ids.filter((id) => !there.has(id)).map((id) => sent.get(id)!.map(({ name }) => name));
      expect([nameOf(metric), ids.length > 0, lost]).toEqual([nameOf(metric), true, []]);
    }
  });

  it('answers every expression of every panel, those about the broker with data', async () => {
    const answers: { readonly panel: string; readonly expr: string; readonly series: number }[] = [];
    for (const { panel, expr } of expressions) {
      const text = filled(expr, '5m');
      answers.push({ panel, expr, series: (await prometheus.query(text)).length }); // it throws for what is no answer
    }
    const aboutBroker = answers.filter(({ expr }) => metricsIn(filled(expr)).some((name) => name.startsWith('rabbitmq_')));
    expect(aboutBroker.length).toBeGreaterThan(10);
    expect(aboutBroker.filter(({ series }) => series === 0)).toEqual([]);
    process.stderr.write(`real: ${answers.filter(({ series }) => series > 0).length} of ${answers.length} expressions have data\n`);
  });

  it('tells the receiver of an alert, with the link to its runbook', async () => {
    const alert = alerts.find(({ name }) => name === 'DeadLetters')!;
    const isTold = () => hook.told().find(({ labels }) => labels['alertname'] === alert.name);
    const told = await pollUntil('the alert at the webhook', isTold, { timeoutMs: 3 * MINUTE, lastSeen: () => alertmanager.said() });
    expect(told).toMatchObject({
      receiver: alert.severity === 'critical' ? 'pager' : 'daily',
      labels: { severity: alert.severity, queue: 'player.dead' },
      annotations: { runbook_url: runbookUrl(alert) },
    });
  });
});

const seconds = (nanoseconds: bigint): number => Number(nanoseconds) / 1e9;
/** How long a trace has lasted, from its first span to its last. */
const lasting = (spans: readonly ReceivedSpan[]): number =>
  Math.max(...spans.map(({ end }) => seconds(end))) - Math.min(...spans.map(({ start }) => seconds(start)));
const age = (spans: readonly ReceivedSpan[]): number => Date.now() / 1_000 - Math.max(...spans.map(({ end }) => seconds(end)));

const sampled = ({ name, parentSpanId, status, start, end, attributes }: ReceivedSpan): SampledSpan => ({
  name,
  isRoot: parentSpanId === undefined,
  isError: status.code === 'error',
  lasts: seconds(end - start),
  attributes: attributes as Record<string, string | number>,
});

interface RuleFile {
  readonly groups: readonly { readonly rules: readonly { readonly for?: string }[] }[];
}

/** The same rules, which fire after a second. */
function soon(text: string): string {
  const { groups } = parse(text) as RuleFile;
  return stringify({
    groups: groups.map((group) => ({ ...group, rules: group.rules.map((rule) => (rule.for ? { ...rule, for: '1s' } : rule)) })),
  });
}

interface AlertRouting {
  readonly route: { readonly routes: readonly object[] };
  readonly receivers: readonly { readonly name: string }[];
}

/** The example for Alertmanager, with its receivers here, and soon. */
function toWebhook(url: string): object {
  const given = parse(readFileSync(join(root, 'infra/alertmanager/alertmanager.yml'), 'utf8')) as AlertRouting;
  const often = { group_wait: '1s', group_interval: '1s' };
  return {
    ...given,
    route: { ...given.route, ...often, routes: given.route.routes.map((route) => ({ ...route, ...often })) },
    receivers: given.receivers.map(({ name }) => ({ name, webhook_configs: [{ url }] })),
  };
}

interface Told {
  readonly receiver: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}
interface Webhook {
  readonly url: string;
  /** The alerts of all messages. */
  told(): readonly Told[];
  close(): Promise<void>;
}

async function startWebhook(): Promise<Webhook> {
  const all: Told[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { receiver, alerts: some } = JSON.parse(Buffer.concat(chunks).toString()) as { receiver: string; alerts: readonly Told[] };
      all.push(...some.map((alert) => ({ ...alert, receiver })));
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, told: () => all, close };
}
