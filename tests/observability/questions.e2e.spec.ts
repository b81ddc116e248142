import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { connect } from 'amqplib';
import { Client } from 'pg';
import { connectLines } from '@maw/aiwolf-service/connections/agents.suite.ts';
import { pollUntil } from '@maw/async/poll-until.ts';
import { runMaw } from '@maw/cli/command.suite.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import { createWebClient } from '@maw/cli/clients/web-client.ts';
import { startSystem, type System } from '@maw/cli/up/system.ts';
import { freePorts } from '@maw/dev-servers/ports.ts';
import { root } from '../equipment/source/repository.ts';
import { expressions, filled } from './expressions.ts';
import { eventuallyKnown, scrapes } from './fault-injection.ts';
import { missingServers as missing, type Prometheus, type Result, startPrometheus } from './prometheus.ts';
import { questionsOfPage } from './questions.ts';
import { scrapeConfig } from './scrape-config.ts';
import { startServers, type Servers } from './servers.ts';

const MINUTE = 60_000;
// oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
const here = missing ? describe.skip : describe;
const page = questionsOfPage();

here(`the questions of operators, asked of a system in that state${missing ? ` (skipped: there is no ${missing} here)` : ''}`, () => {
  let servers: Servers;
  let system: System;
  let prometheus: Prometheus;
  let agentsPort: number;
  const log: string[] = [];
  const client = () => createWebClient(system.url, system.adminToken);

  beforeAll(async () => {
    servers = await startServers();
    [agentsPort] = (await freePorts(1)) as [number];
    const agents = { division: 'protocol', port: agentsPort, agents: 1, games: 1, answerMs: 10_000 };
    const amqp = (service: string) => ({ AMQP_URL: servers.amqpUrlOf(service) });
    system = await startSystem({
      amqpUrl: servers.amqpUrlOf('web'),
      databaseUrl: servers.databaseUrl,
      port: 0,
      base: process.env,
      env: {
        'all': { AMQP_DECLARE: 'no', AMQP_CHECK_SENDER: 'yes', MAW_COMMIT: 'c0ffee' },
        'gamemaster': { ...amqp('gamemaster'), OBEY_CAPACITY: 'no', OBEY_BACKLOG: 'no', DATABASE_DISK_GB: '20' },
        'chatroom': amqp('chatroom'),
        'llm-gateway': amqp('llm-gateway'),
        'player': { ...amqp('player'), MAX_WAIT_S: '1' },
        'aiwolf': { ...amqp('aiwolf'), AIWOLF_SERVERS: JSON.stringify([agents]) },
        'contest': amqp('contest'),
        'ollama-sim': { SIM_DECODE_MS_PER_TOKEN: '100', SIM_SLOTS: '4' },
      },
      graceMs: 3_000,
      say: (line) => void log.push(line),
    });
    if (!(await system.isOpen(5 * MINUTE))) throw new Error(`the services did not start:\n${log.slice(-30).join('\n')}`);
    prometheus = await startPrometheus(scrapeConfig(system.ops, servers.brokerMetrics, join(root, 'infra/prometheus/alerts.yml')));
    await pollUntil('a first scrape of everything', async () => (await prometheus.query('up == 1')).length === system.ops.size + 2, {
      timeoutMs: 600_000,
    });
  }, 15 * MINUTE);
  afterAll(async () => {
    await prometheus?.close();
    await system?.close();
    await servers?.close();
  }, 10 * MINUTE);

  /** What the board shows in a panel, by its first expression or another one. */
  const shown = (panel: string, n = 0): Promise<readonly Result[]> => {
    const { expr } = expressions.filter((one) => one.panel === panel)[n]!;
    return prometheus.query(filled(expr, '5m'));
  };
  /** What the page says to ask. */
  const asked = (question: number, n = 0): Promise<readonly Result[]> => prometheus.query(page[question - 1]!.queries[n]!);
  const numberOf = ([first]: readonly Result[]): number => Number(first?.value[1] ?? Number.NaN);
  /** Both are asked until they show it: the page and the board. */
  const bothShow = async (
    what: string,
    onPage: () => Promise<readonly Result[]>,
    onBoard: () => Promise<readonly Result[]>,
    is: (all: readonly Result[]) => boolean,
  ) => {
    let last: readonly Result[] = [];
    const look = async (ask: () => Promise<readonly Result[]>): Promise<boolean> => is((last = await ask()));
    await eventuallyKnown(async () => (await look(onPage)) && (await look(onBoard)), what, 5 * MINUTE).catch((cause: unknown) => {
      throw new Error(`${what}; seen last: ${JSON.stringify(last)}`, { cause });
    });
  };
  const at = () => ['--at', system.url, '--token', system.adminToken];
  const minds = (count: number, recipe: string) => Array.from({ length: count }, () => ({ kind: 'mind' as const, recipe }));
  const open = async (count: number, recipe: string, options: object = {}) =>
    (
      await client().open({
        rules: 'maw',
        players: count,
        seats: minds(count, recipe),
        rounds: 1,
        options: { dayMs: 60_000, nightMs: 10_000, ...options },
      })
    ).table;
  const query = (text: string) => prometheus.query(text).then(numberOf);

  it(
    '10: is the broker behind? A player that stood still has left messages waiting',
    async () => {
      await open(6, 'rules');
      await eventuallyKnown(() => query('sum(maw_message_wait_seconds_count{queue="player"}) >= 6'), 'questions that were taken at once');
      const pid = system.running.find(({ name }) => name === 'player')!.pid()!;
      process.kill(pid, 'SIGSTOP');
      try {
        await askNobody(20);
        const since = Date.now();
        await pollUntil('messages that are older than the bound of the alert', () => Date.now() > since + 12_000);
      } finally {
        process.kill(pid, 'SIGCONT');
      }
      const isOld = (all: readonly Result[]) => all.some(({ metric, value }) => metric['queue'] === 'player' && Number(value[1]) > 10);
      await bothShow(
        'old messages of the player',
        () => asked(10),
        () => shown('Wait in the queue'),
        isOld,
      );
      await bothShow(
        'the age at the gamemaster',
        () => asked(10, 1),
        () => shown('Age of messages'),
        (all) => numberOf(all) >= 0,
      );
    },
    15 * MINUTE,
  );

  it(
    '2: which agent, model or team is slow? The one whose model takes long, and the team that answers late',
    async () => {
      for (let i = 0; i < 2; i++) await open(6, 'algorithm-1', { dayMs: 120_000 });
      const agent = await connectLines(`tcp://127.0.0.1:${agentsPort}`);
      const playing = answerSlowly(agent);
      await bothShow(
        'slow choices of the model',
        () => asked(2),
        () => shown('Decision time by model'),
        (all) =>
          all.some(
            ({ metric, value }) => metric['model'] === 'simulated:latest' && metric['recipe'] === 'algorithm-1' && Number(value[1]) > 0,
          ),
      );
      const isTheirs = (all: readonly Result[]) => all.some(({ metric, value }) => metric['team'] === 'snails' && Number(value[1]) > 1);
      await bothShow(
        'the slow team',
        () => asked(2, 1),
        () => shown('Answer time of teams'),
        isTheirs,
      );
      agent.hangUp();
      await playing;
    },
    15 * MINUTE,
  );

  it(
    '5: which server is saturated? The one whose slots are all in use',
    async () => {
      for (let i = 0; i < 3; i++) await open(12, 'algorithm-1', { dayMs: 120_000, nightMs: 20_000 });
      await eventuallyKnown(
        async () => {
          const [busiest] = await asked(5);
          return Number(busiest?.value[1]) === 1 && busiest?.metric['server'] !== undefined;
        },
        'a server with all slots in use',
        5 * MINUTE,
      );
      expect(numberOf(await shown('Slots by server', 1))).toBe(4);
    },
    15 * MINUTE,
  );

  it(
    '6: what would 100 more tables do? What those that run take, times as many, beside what is free',
    async () => {
      await scrapes(prometheus, 5);
      const [need, slots, memory] = [() => asked(6), () => asked(6, 2), () => shown('Memory for 100 more tables')];
      const running = await eventuallyKnown(() => query('max(maw_tables{stage="round"})'), 'tables that run');
      const used = await query(
        'sum(rate(process_cpu_seconds_total{job=~"gamemaster|chatroom|player|llm-gateway|web|aiwolf|contest"}[5m]))',
      );
      expect(running).toBeGreaterThan(1);
      expect(numberOf(await need()) / ((100 * used) / running)).toBeCloseTo(1, 0); // it goes on meanwhile
      await bothShow(
        'what 100 more would need',
        need,
        () => shown('Processors for 100 more tables'),
        (all) => numberOf(all) > 0,
      );
      await bothShow(
        'what is idle',
        () => asked(6, 1),
        () => shown('Processors for 100 more tables', 1),
        (all) => numberOf(all) >= 0,
      );
      const [use, games] = [await query('max(maw_pool_utilisation)'), await query('max(maw_pool_games)')];
      expect(games).toBeGreaterThan(0);
      await bothShow(
        'the slots',
        slots,
        () => shown('Slots with 100 more tables'),
        (all) => numberOf(all) > use * (50 / games),
      );
      await eventuallyKnown(async () => (await memory()).length, 'the memory');
      await eventuallyKnown(async () => {
        const free = (await shown('Memory for 100 more tables', 1)).map(({ metric }) => metric['job']);
        return free.includes('gamemaster') && free.includes('player');
      }, 'free memory');
    },
    15 * MINUTE,
  );

  it(
    '8: which version runs where? Every service says its version and commit',
    async () => {
      const names = ['aiwolf', 'chatroom', 'contest', 'gamemaster', 'llm-gateway', 'player', 'web'];
      const areAll = (all: readonly Result[]) =>
        String(all.map(({ metric }) => metric['service']!).toSorted((a, b) => a.localeCompare(b))) === String(names);
      await bothShow(
        'all services',
        () => asked(8),
        () => shown('Versions'),
        areAll,
      );
      const is = { version: '0.1.0', commit: 'c0ffee', node: process.versions.node };
      for (const { metric } of await asked(8)) expect(metric).toMatchObject(is);
    },
    10 * MINUTE,
  );

  it(
    '9: who aborted this table? The audit log names the token, and when',
    async () => {
      const table = await open(6, 'rules');
      await client().abort(table, 'The model is gone.');
      const { out, err } = await runMaw([...page[8]!.commands[0]!, ...at()], { cwd: tmpdir() });
      const line = out.split('\n').find((one) => one.includes('abort') && one.includes(table));
      expect([err, line]).toEqual(['', expect.stringContaining('admin')]);
    },
    2 * MINUTE,
  );

  it(
    '1 and 7: why is this table stuck, and what of the database? Somebody holds its row',
    async () => {
      const [one, other] = await Promise.all([0, 1].map(() => openPeople()));
      const holders = [new Client(servers.databaseUrl), new Client(servers.databaseUrl)];
      await Promise.all(holders.map((each) => each.connect()));
      try {
        await Promise.all([hold(holders[0]!, one!, true), hold(holders[1]!, other!, false)]);
        await bothShow(
          'the locks',
          () => asked(7, 1),
          () => shown('Locks waited for'),
          (all) => numberOf(all) >= 1,
        );
        type Stuck = { readonly table: string; readonly since: number; readonly phase: string; readonly awaited?: string };
        const listed = async (): Promise<readonly Stuck[]> => {
          const { out, err } = await runMaw([...page[0]!.commands[0]!, '--json', ...at()], { cwd: tmpdir() });
          if (err) return [];
          return out
            .split('\n')
            .filter(Boolean)
            .map((line) => JSON.parse(line) as Stuck);
        };
        const stuck = await eventuallyKnown(
          async () => {
            const all = await listed();
            return [one, other].every((id) => all.some(({ table }) => table === id)) && all;
          },
          'both tables being listed',
          5 * MINUTE,
        );
        const byDay = stuck.find(({ table }) => table === one)!;
        const byNight = stuck.find(({ table }) => table === other)!;
        expect(byDay).toMatchObject({ phase: expect.stringContaining('day'), awaited: expect.stringMatching(/./) });
        expect([byNight.phase, byNight.awaited]).toEqual(['round', undefined]);
        expect(Date.now() - byDay.since).toBeGreaterThan(30_000);
        const { out } = await runMaw([...page[0]!.commands[0]!, ...at()], { cwd: tmpdir() });
        expect(out).toMatch(new RegExp(`^${one}  .* UTC  .*day.*  .*${byDay.awaited!.slice(0, 3)}`, 'm'));
        await bothShow(
          'the number',
          () => prometheus.query('max(maw_tables_stuck)'),
          () => shown('Stuck'),
          (all) => numberOf(all) >= 2,
        );
        await bothShow(
          'the transaction',
          () => asked(7, 2),
          () => shown('Oldest transaction'),
          (all) => numberOf(all) > 30,
        );
      } finally {
        await Promise.all(holders.map((each) => each.end()));
      }
      const isShare = (all: readonly Result[]) => numberOf(all) > 0.0001 && numberOf(all) < 0.05;
      await bothShow(
        'the share of its disk',
        () => asked(7),
        () => asked(7),
        isShare,
      );
      expect(numberOf(await shown('Database size'))).toBeGreaterThan(7_000_000);
      expect(numberOf(await shown('Database size', 2))).toBe(20e9);
      await eventuallyKnown(async () => (await listedNow()).includes('No table is stuck.'), 'that they go on', 5 * MINUTE);
    },
    20 * MINUTE,
  );

  /** Tells its name, and answers each request a second too late for a talk that flows. */
  async function answerSlowly(agent: Awaited<ReturnType<typeof connectLines>>): Promise<void> {
    for (;;) {
      const packet = await agent.next();
      if (packet === undefined) return;
      const { request } = JSON.parse(packet) as { readonly request: string };
      if (/INITIALIZE|FINISH/.test(request)) continue;
      if (request !== 'NAME') await sleep(1_200);
      agent.send(request === 'NAME' ? 'snails1' : 'Skip');
    }
  }

  /** Questions to the minds of a table that does not exist, as the gamemaster would send them. */
  async function askNobody(many: number): Promise<void> {
    const { example } = contracts.get('seat.decide');
    const connection = await connect(servers.amqpUrlOf('gamemaster'));
    const channel = await connection.createConfirmChannel();
    for (let i = 0; i < many; i++) {
      const about = { id: randomUUID(), source: 'gamemaster', subject: `nonesuch-${i}`, at: Date.now() };
      const text = JSON.stringify(contracts.write('seat.decide', example as never, about));
      channel.publish('commands', 'seat.decide', Buffer.from(text), { userId: 'gamemaster' });
    }
    await channel.waitForConfirms();
    await connection.close();
  }

  const listedNow = async () => (await runMaw([...page[0]!.commands[0]!, ...at()], { cwd: tmpdir() })).out;

  /** A table of people who do nothing: its phases last as long as they may. */
  async function openPeople(): Promise<string> {
    const seats = Array.from({ length: 6 }, () => ({ kind: 'person' as const }));
    const options = { dayMs: 20_000, nightMs: 20_000, pace: 'machines' };
    const { table } = await client().open({ rules: 'maw', players: 6, seats, rounds: 1, options });
    for (let i = 0; i < 6; i++) await client().join(table, `P${i}`);
    return table;
  }

  /** Holds the row of a table in a phase of the day, or of the night: no event can be appended. */
  async function hold(holder: Client, table: string, isDay: boolean): Promise<void> {
    const phase = async (): Promise<string> => {
      const headers = { Authorization: `Bearer ${system.adminToken}` };
      const answer = await fetch(`${system.url}/tables/${table}/view?as=audience&limit=1`, { headers });
      return ((await answer.json()) as { readonly clock?: { readonly phase: string } }).clock?.phase ?? '';
    };
    await pollUntil(
      `the ${isDay ? 'day' : 'night'} of ${table}`,
      async () => {
        const now = await phase();
        if (!(isDay ? /day/.test(now) : /night/.test(now))) return false;
        await holder.query('begin');
        await holder.query('select id from game where id = $1 for update', [table]);
        if ((await phase()) === now) return true;
        await holder.query('rollback');
        return false;
      },
      { timeoutMs: 5 * MINUTE, everyMs: 500 },
    );
  }
});

describe('the page of questions', () => {
  it('has ten, each with a query or a command', () => {
    expect(page).toHaveLength(10);
    for (const { asks, where, queries, commands } of page)
      expect([asks, where !== '' || queries.length + commands.length > 0]).toEqual([asks, true]);
  });
});
