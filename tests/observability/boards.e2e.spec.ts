import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'amqplib';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Wirecutter, wirecutter } from '@maw/bus/rabbitmq/wirecutter.suite.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { createWebClient } from '@maw/cli/clients/web-client.ts';
import { freePorts } from '@maw/dev-servers/ports.ts';
import type { KeptProcess } from '@maw/dev-servers/keep-running.ts';
import { startSystem, type System } from '@maw/cli/up/system.ts';
import { alerts } from '../../infra/prometheus/alerts.ts';
import { recordings } from '../../infra/prometheus/objectives.ts';
import { nameOf } from '../../infra/prometheus/promql.ts';
import { conditionOf } from '../../infra/prometheus/rule-file.ts';
import { pollUntil } from '@maw/async/poll-until.ts';
import { root } from '../equipment/source/repository.ts';
import { type ReceivedSpan, type OtlpReceiver, startOtlpReceiver } from '../equipment/fakes/otlp-receiver.ts';
import { errorsIn, expressions, filled } from './expressions.ts';
import { startServers, type Servers } from './servers.ts';
import { missingServers as missing, type Prometheus, startPrometheus } from './prometheus.ts';
import { scrapeConfig } from './scrape-config.ts';
import { injectFaults, eventuallyKnown, scrapes } from './fault-injection.ts';

const MINUTE = 60_000;
// oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
const here = missing ? describe.skip : describe;

here(`the metrics of a game of separate processes in Prometheus${missing ? ` (skipped: there is no ${missing} here)` : ''}`, () => {
  let servers: Servers;
  let receiver: OtlpReceiver;
  let system: System;
  let prometheus: Prometheus;
  let wire: Wirecutter;
  let second: KeptProcess | undefined;
  let folder: string;
  let agentsPort: number;
  const log: string[] = [];
  const say = (line: string): void => void log.push(line);
  const forAll = () => ({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    AMQP_DECLARE: 'no',
    AMQP_CHECK_SENDER: 'yes',
  });
  /** A slow machine looks as if its models had no room for another table. */
  const forGamemaster = () => ({ AMQP_URL: servers.amqpUrlOf('gamemaster'), OBEY_CAPACITY: 'no', DATABASE_DISK_GB: '20' });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'maw-watched-'));
    [servers, receiver] = await Promise.all([startServers(), startOtlpReceiver()]);
    [agentsPort] = (await freePorts(1)) as [number];
    wire = await wirecutter(servers.amqpUrlOf('web'));
    system = await startSystem({
      amqpUrl: wire.url,
      databaseUrl: servers.databaseUrl,
      port: 0,
      base: process.env,
      env: {
        'all': forAll(),
        'gamemaster': forGamemaster(),
        'chatroom': { AMQP_URL: servers.amqpUrlOf('chatroom') },
        'llm-gateway': { AMQP_URL: servers.amqpUrlOf('llm-gateway') },
        'player': { AMQP_URL: servers.amqpUrlOf('player'), MAX_WAIT_S: '1' },
        'aiwolf': {
          AMQP_URL: servers.amqpUrlOf('aiwolf'),
          AIWOLF_SERVERS: JSON.stringify([{ division: 'protocol', port: agentsPort, agents: 1, games: 1 }]),
        },
        'contest': { AMQP_URL: servers.amqpUrlOf('contest') },
        'ollama-sim': { SIM_DECODE_MS_PER_TOKEN: '2' },
      },
      graceMs: 3_000,
      say,
    });
    if (!(await system.isOpen(5 * MINUTE))) throw new Error(`the services did not start:\n${log.slice(-30).join('\n')}`);
    prometheus = await startPrometheus(
      open(scrapeConfig(system.ops, servers.brokerMetrics, join(root, 'infra/prometheus/alerts.yml')), latecomers()),
    );
    await pollUntil('a first scrape of everything', async () => (await prometheus.query('up == 1')).length === system.ops.size + 2, {
      timeoutMs: 600_000,
    });
    await play();
  }, 10 * MINUTE);
  afterAll(async () => {
    await prometheus?.close();
    await second?.close();
    await system?.close();
    await wire?.close();
    await receiver?.close();
    await servers?.close();
    await rm(folder, { recursive: true, force: true });
  }, 10 * MINUTE);

  const latecomers = () => join(folder, 'latecomers.json');

  /** A whole game of minds with a model and without, a message that nobody can read, and whoever follows the table. */
  async function play(): Promise<void> {
    const at = createWebClient(system.url, system.adminToken);
    const connection = await connect(servers.amqpUrlOf('gamemaster'));
    const channel = await connection.createConfirmChannel();
    channel.publish('commands', 'seat.decide', Buffer.from('no JSON'), { userId: 'gamemaster' });
    await channel.waitForConfirms();
    await connection.close();
    await expect(at.table('nonesuch')).rejects.toThrow(/nonesuch|no such|unknown/i);
    const seats = [{ kind: 'person' as const }, ...Array.from({ length: 5 }, () => ({ kind: 'mind' as const, recipe: 'rules' }))];
    // Long enough for minds on a busy machine: an answer that comes too late is a default, of which the alert tells.
    const options = { dayMs: 20_000, nightMs: 6_000, maxDays: 1, pace: 'machines' };
    const { table: awaited } = await at.open({ rules: 'maw', players: 6, seats, rounds: 1, lobbyMs: 1_000, options });
    const { table: played } = await at.open({
      rules: 'maw',
      players: 6,
      seats: Array.from({ length: 6 }, (_, seat) => ({ kind: 'mind' as const, recipe: seat % 2 ? 'algorithm-1' : 'rules' })),
      rounds: 1,
      seed: 'watched',
      options,
    });
    for await (const news of at.follow(played, { as: 'narrator' })) if (news.kind === 'over') break;
    await pollUntil('the end of the time to come in', async () => (await at.table(awaited)).stage !== 'lobby', { timeoutMs: 600_000 });
  }

  it(
    'fires after a good game only for the unreadable message',
    async () => {
      await scrapes(prometheus, 2);
      let all: readonly string[] = [];
      const isAlone = async () => String((all = await firing())) === 'DeadLetters';
      await eventuallyKnown(isAlone, 'the dead letter, alone', 15 * MINUTE).catch(() => undefined); // Told below.
      expect(all).toEqual(['DeadLetters']);
      let rules: Rules['data']['groups'][number]['rules'] = [];
      const areEvaluated = async () => {
        const { data } = (await (await fetch(`${prometheus.url}/api/v1/rules`)).json()) as Rules;
        rules = data.groups.flatMap((group) => group.rules);
        return rules.every(({ health }) => health !== 'unknown');
      };
      await eventuallyKnown(areEvaluated, 'every rule evaluated once', 5 * MINUTE).catch(() => undefined); // Told below.
      expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
      expect(rules.map(({ name }) => name).toSorted()).toEqual(
        [...recordings.map(({ record }) => record), ...alerts.map(({ name }) => name)].toSorted(),
      );
    },
    20 * MINUTE,
  );

  it(
    "leads from latencies to recorded traces, and from a decision's to its question",
    async () => {
      for (const metric of [metrics.decisionSeconds, metrics.appendSeconds, metrics.completionWait, metrics.messageSeconds]) {
        const found = await pollUntil(
          `an exemplar of ${nameOf(metric)}`,
          async () => {
            const all = await prometheus.exemplars(`${nameOf(metric)}_bucket`);
            return all.length ? all : undefined;
          },
          { timeoutMs: 600_000 },
        );
        const [labels] = found.flatMap(({ exemplars }) => exemplars.map((one) => one.labels));
        const isIt = ({ traceId, spanId }: ReceivedSpan) => traceId === labels!['trace_id'] && spanId === labels!['span_id'];
        await pollUntil(`the span ${JSON.stringify(labels)} of an exemplar of ${nameOf(metric)}`, () => receiver.spans().some(isIt), {
          timeoutMs: 600_000,
        });
      }
      const decided = (await prometheus.exemplars(`${nameOf(metrics.decisionSeconds)}_bucket`)).flatMap(({ exemplars }) => exemplars);
      const namesIn = (id: string | undefined) => receiver.spans().flatMap(({ traceId, name }) => (traceId === id ? [name] : []));
      const isWhole = (names: readonly string[]) =>
        ['ask seat', 'process commands:seat.decide:player', 'decide'].every((name) => names.includes(name));
      await pollUntil(
        `a whole trace behind one of ${JSON.stringify(decided.map(({ labels }) => namesIn(labels['trace_id'])))}`,
        () => decided.some(({ labels }) => isWhole(namesIn(labels['trace_id']))),
        { timeoutMs: 600_000 },
      );
    },
    10 * MINUTE,
  );

  describe('once things have gone wrong', () => {
    beforeAll(async () => {
      const at = createWebClient(system.url, system.adminToken);
      const env = {
        ...process.env,
        ...forAll(),
        HOST: '127.0.0.1',
        ...forGamemaster(),
        DATABASE_URL: servers.databaseUrl,
        GRACE_MS: '3000',
      };
      const heed = (one: KeptProcess): void => void (second = one);
      const agentsUrl = `tcp://127.0.0.1:${agentsPort}`;
      // While its model still answers.
      await openContest(system);
      await eventuallyKnown(async () => (await prometheus.query(`${nameOf(metrics.contestCost)} > 0`)).length, 'what a contest costs');
      await injectFaults({ servers, prometheus, at, wire, latecomers: latecomers(), agentsUrl, env, say, heed }).catch((cause: unknown) => {
        throw new Error(`it did not go wrong as it should; the services said last:\n${log.slice(-30).join('\n')}`, { cause });
      });
      await scrapes(prometheus, 3); // A rate needs two of them.
    }, 30 * MINUTE);

    it(
      'answers every expression of every panel with data',
      async () => {
        const all = expressions.map((one) => ({ ...one, text: filled(one.expr, '5m') }));
        // Two need more time than the test has: use is told by full hours, and growth is predicted from ten minutes on.
        const wanted = all.filter(({ text }) => !/maw_used_tokens|predict_linear/.test(text));
        expect(all.length - wanted.length).toBe(3);
        for (const { text } of wanted) expect([text, errorsIn(text)]).toEqual([text, []]);
        const found = await allWithData(wanted);
        process.stdout.write(`${table(wanted.map(({ board, panel }, i) => [board, panel, said(found[i]!)]))}\n`);
        expect(wanted.flatMap(({ panel, text }, i) => (found[i] === 0 ? [`${panel}: ${text}`] : []))).toEqual([]);
      },
      10 * MINUTE,
    );

    it(
      'can evaluate every alert',
      async () => {
        const wanted = alerts.map((alert) => ({ name: alert.name, text: alert.measure }));
        const found = await allWithData(wanted);
        // Six minds whose model says nothing of use; and the dead letter still lies there. A scrape that the broker misses hides it for a while.
        const lasting = ['DeadLetters', 'MindsDefault'];
        let now: readonly string[] = [];
        const isKnown = async () => {
          now = await firing();
          return lasting.every((name) => now.includes(name));
        };
        await eventuallyKnown(isKnown, 'the alerts that last', 5 * MINUTE).catch(() => undefined); // Told below.
        process.stdout.write(`${table(wanted.map(({ name }, i) => [name, said(found[i]!), now.includes(name) ? 'fires' : '']))}\n`);
        expect(wanted.flatMap(({ name, text }, i) => (found[i] === 0 ? [`${name}: ${text}`] : []))).toEqual([]);
        expect(now).toEqual(expect.arrayContaining(lasting));
      },
      10 * MINUTE,
    );
  });

  /** The alerts whose conditions hold, were they to last. */
  async function firing(): Promise<readonly string[]> {
    // Objectives are about hours: a few late phases on a busy machine are a large share of one game.
    const immediate = alerts.filter(({ name }) => !name.startsWith('BudgetBurns'));
    const found = await Promise.all(immediate.map((alert) => prometheus.query(conditionOf(alert))));
    return immediate.flatMap(({ name }, i) => (found[i]!.length ? [name] : []));
  }

  /** How many series each finds, once all find some. A share of many answers needs many of them. */
  async function allWithData(wanted: readonly { readonly text: string }[]): Promise<readonly number[]> {
    let found: number[] = [];
    const look = async (): Promise<boolean> => {
      found = [];
      for (const { text } of wanted) found.push((await prometheus.query(text)).length);
      return found.every((many) => many > 0);
    };
    await eventuallyKnown(look, 'data of all', 5 * MINUTE).catch(() => undefined); // Whoever asks says of which there is none.
    return found;
  }
});

/** The same, and whoever comes later is read as a service too, once they stand in this file. */
function open(config: object, file: string): object {
  const { scrape_configs: jobs, ...rest } = config as { readonly scrape_configs: readonly { readonly job_name: string }[] };
  return { ...rest, scrape_configs: jobs.map((job) => (job.job_name === 'maw' ? { ...job, file_sd_configs: [{ files: [file] }] } : job)) };
}

interface Rules {
  readonly data: { readonly groups: readonly { readonly rules: readonly { readonly name: string; readonly health: string }[] }[] };
}

const said = (series: number): string => (series ? String(series) : 'NOTHING');

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

/** Opens a contest that lasts longer than the test, with an agent whose model has a price. */
async function openContest({ url, adminToken }: System): Promise<void> {
  const contest = {
    name: 'watched',
    agents: [{ name: 'a', recipe: 'react' }, ...['b', 'c'].map((name) => ({ name, recipe: 'rules' }))],
    games: [{ rules: 'onuw', players: 3, options: { hurry: true, talkRounds: 1, stepMs: 2_000, turnMs: 3_000, voteMs: 3_000 } }],
    schedule: { kind: 'balanced', deals: 10_000 },
    play: 'tables',
    atOnce: 1,
    prices: { 'simulated:latest': { prompt: 1, completion: 1 } },
  };
  const headers = { 'Authorization': `Bearer ${adminToken}`, 'Content-Type': 'application/json' };
  const { status } = await fetch(`${url}/contests`, { method: 'POST', headers, body: JSON.stringify({ contest }) });
  expect(status).toBe(201);
}
