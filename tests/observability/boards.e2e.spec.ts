import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'amqplib';
import { join } from 'node:path';
import { metrics } from '@maw/telemetry/metrics.ts';
import { door } from '../../apps/cli/door.ts';
import { startSystem, type System } from '../../apps/cli/system.ts';
import { alerts } from '../../infra/prometheus/alerts.ts';
import { nameOf } from '../../infra/grafana/promql.ts';
import { conditionOf } from '../../infra/prometheus/rules.ts';
import { eventually } from '../eventually.ts';
import { root } from '../floor/tree.ts';
import { hasPostgres, hasRabbitmq } from '../infra/own-servers.ts';
import { type ReceivedSpan, type Receiver, startReceiver } from '../telemetry/receiver.ts';
import { whyEmpty } from './empty.ts';
import { errorsIn, expressions, filled } from './expressions.ts';
import { startServers, type Servers } from './playing.ts';
import { hasPrometheus, type Prometheus, startPrometheus } from './prometheus.ts';
import { scraping } from './scraping.ts';

const MINUTE = 60_000;
const missing = [
  ...(hasPrometheus ? [] : ['prometheus']),
  ...(hasRabbitmq ? [] : ['rabbitmq-server']),
  ...(hasPostgres ? [] : ['postgres']),
].join(', ');
// oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
const here = missing ? describe.skip : describe;

here(`what Prometheus knows of a game of separate processes${missing ? ` (skipped: there is no ${missing} here)` : ''}`, () => {
  let servers: Servers;
  let receiver: Receiver;
  let system: System;
  let prometheus: Prometheus;
  const log: string[] = [];

  beforeAll(async () => {
    [servers, receiver] = await Promise.all([startServers(), startReceiver()]);
    system = await startSystem({
      amqpUrl: servers.amqpUrl,
      databaseUrl: servers.databaseUrl,
      port: 0,
      base: process.env,
      env: {
        'all': { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' },
        'player': { MAX_WAIT_S: '1' },
        'ollama-sim': { SIM_DECODE_MS_PER_TOKEN: '2' },
      },
      graceMs: 3_000,
      say: (line) => void log.push(line),
    });
    if (!(await system.isOpen(MINUTE))) throw new Error(`the services did not start:\n${log.slice(-30).join('\n')}`);
    prometheus = await startPrometheus(scraping(system.ops, servers.brokerMetrics, join(root, 'infra/prometheus/alerts.yml')));
    await eventually(async () => (await prometheus.query('up == 1')).length === system.ops.size + 2, 'a first scrape of everything');
    await play();
  }, 5 * MINUTE);
  afterAll(async () => {
    await prometheus?.close();
    await system?.close();
    await receiver?.close();
    await servers?.close();
  }, MINUTE);

  /** A whole game of minds with a model and without, a message that nobody can read, and whoever follows the table. */
  async function play(): Promise<void> {
    const at = door(system.url, system.adminToken);
    const connection = await connect(servers.amqpUrl);
    const channel = await connection.createConfirmChannel();
    channel.sendToQueue('player', Buffer.from('no JSON'), {});
    await channel.waitForConfirms();
    await connection.close();
    await expect(at.table('nonesuch')).rejects.toThrow(/nonesuch|no such|unknown/i);
    const seats = [{ kind: 'person' as const }, ...Array.from({ length: 5 }, () => ({ kind: 'mind' as const, recipe: 'rules' }))];
    const { table: awaited } = await at.open({ rules: 'maw', players: 6, seats, rounds: 1, lobbyMs: 1_000, options: {} });
    const { table: played } = await at.open({
      rules: 'maw',
      players: 6,
      seats: Array.from({ length: 6 }, (_, seat) => ({ kind: 'mind' as const, recipe: seat % 2 ? 'algorithm-1' : 'rules' })),
      rounds: 1,
      seed: 'watched',
      options: { dayMs: 5_000, nightMs: 4_000, maxDays: 3 },
    });
    for await (const news of at.follow(played, { as: 'narrator' })) if (news.kind === 'over') break;
    await eventually(async () => (await at.table(awaited)).stage !== 'lobby', 'the end of the time to come in');
  }

  it(
    'answers every expression of every panel, with data wherever the game has made some',
    async () => {
      const wanted = expressions.map((one) => ({ ...one, text: filled(one.expr, '5m'), reason: whyEmpty(one.expr) }));
      for (const { text } of wanted) expect([text, errorsIn(text)]).toEqual([text, []]);
      const found = await allWithData(wanted);
      process.stdout.write(
        `${table(wanted.map(({ board, panel, reason }, i) => [board, panel, String(found[i]), said(found[i]!, reason)]))}\n`,
      );
      expect(wanted.flatMap(({ panel, text, reason }, i) => (found[i] === 0 && reason === undefined ? [`${panel}: ${text}`] : []))).toEqual(
        [],
      );
    },
    2 * MINUTE,
  );

  it(
    'can tell of every alert whether it fires',
    async () => {
      const wanted = alerts.map((alert) => ({ alert, text: alert.measure, reason: whyEmpty(alert.measure) }));
      const found = await allWithData(wanted);
      const firing = await Promise.all(alerts.map((alert) => prometheus.query(conditionOf(alert))));
      process.stdout.write(
        `${table(wanted.map(({ alert, reason }, i) => [alert.name, String(found[i]), String(firing[i]!.length), said(found[i]!, reason)]))}\n`,
      );
      expect(
        wanted.flatMap(({ alert, text, reason }, i) => (found[i] === 0 && reason === undefined ? [`${alert.name}: ${text}`] : [])),
      ).toEqual([]);
      expect(alerts.flatMap(({ name }, i) => (firing[i]!.length ? [name] : []))).toEqual(['DeadLetters']); // of the message that nobody can read
      const { data } = (await (await fetch(`${prometheus.url}/api/v1/rules`)).json()) as Rules;
      expect(data.groups.flatMap(({ rules }) => rules.map(({ name, health }) => [name, health]))).toEqual(
        alerts.map(({ name }) => [name, 'ok']),
      );
    },
    2 * MINUTE,
  );

  it(
    'leads from times to traces that were recorded, and from that of a decision to its question',
    async () => {
      for (const metric of [metrics.decisionSeconds, metrics.appendSeconds, metrics.completionWait, metrics.messageSeconds]) {
        const found = await eventually(
          async () => {
            const all = await prometheus.exemplars(`${nameOf(metric)}_bucket`);
            return all.length ? all : undefined;
          },
          `an exemplar of ${nameOf(metric)}`,
        );
        const [labels] = found.flatMap(({ exemplars }) => exemplars.map((one) => one.labels));
        const isIt = ({ traceId, spanId }: ReceivedSpan) => traceId === labels!['trace_id'] && spanId === labels!['span_id'];
        await eventually(
          () => receiver.spans().some(isIt),
          `the span ${JSON.stringify(labels)} of an exemplar of ${nameOf(metric)}`,
          MINUTE,
        );
      }
      const decided = (await prometheus.exemplars(`${nameOf(metrics.decisionSeconds)}_bucket`)).flatMap(({ exemplars }) => exemplars);
      const namesIn = (id: string | undefined) => receiver.spans().flatMap(({ traceId, name }) => (traceId === id ? [name] : []));
      const isWhole = (names: readonly string[]) => ['ask seat', 'process seat.decide', 'decide'].every((name) => names.includes(name));
      await eventually(
        () => decided.some(({ labels }) => isWhole(namesIn(labels['trace_id']))),
        `a whole trace behind one of ${JSON.stringify(decided.map(({ labels }) => namesIn(labels['trace_id'])))}`,
        MINUTE,
      );
    },
    2 * MINUTE,
  );

  /** How many series each finds, once all that must find some do. What was counted last may not have been read yet. */
  async function allWithData(
    wanted: readonly { readonly text: string; readonly reason: string | undefined }[],
  ): Promise<readonly number[]> {
    for (const until = Date.now() + 20_000; ; await new Promise((resolve) => setTimeout(resolve, 500))) {
      const found: number[] = [];
      for (const { text } of wanted) found.push((await prometheus.query(text)).length);
      if (wanted.every(({ reason }, i) => reason !== undefined || found[i]! > 0) || Date.now() > until) return found;
    }
  }
});

interface Rules {
  readonly data: { readonly groups: readonly { readonly rules: readonly { readonly name: string; readonly health: string }[] }[] };
}

const said = (series: number, reason: string | undefined): string => (series ? '' : (reason ?? 'NOTHING'));

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
