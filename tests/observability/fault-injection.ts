import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { connectLines } from '@maw/aiwolf-service/connections/agents.suite.ts';
import { connect } from 'amqplib';
import { Client } from 'pg';
import { contracts } from '@maw/contracts/contracts.ts';
import type { Wirecutter } from '@maw/bus/rabbitmq/wirecutter.suite.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import type { WebClient } from '@maw/cli/clients/web-client.ts';
import { freePorts } from '@maw/dev-servers/ports.ts';
import { ApiProblem } from '@maw/api-client/problem.ts';
import { type KeptProcess, keepRunning } from '@maw/dev-servers/keep-running.ts';
import { nameOf } from '../../infra/prometheus/promql.ts';
import { alerts } from '../../infra/prometheus/alerts.ts';
import { conditionOf } from '../../infra/prometheus/rule-file.ts';
import { pollUntil } from '@maw/async/poll-until.ts';
import { root } from '../equipment/source/repository.ts';
import type { Servers } from './servers.ts';
import type { Prometheus } from './prometheus.ts';

/** What goes wrong here, goes wrong with these: real processes, and a game to spoil. */
export interface Scene {
  readonly servers: Servers;
  readonly prometheus: Prometheus;
  /** Where the administrator asks. */
  readonly at: WebClient;
  /** The way of web to the broker. */
  readonly wire: Wirecutter;
  /** Prometheus looks here for targets that came later. */
  readonly latecomers: string;
  /** The server for outside agents. */
  readonly agentsUrl: string;
  /** The environment of a second gamemaster. */
  readonly env: { readonly [name: string]: string | undefined };
  say(line: string): void;
  /** Hears of the second gamemaster as soon as it runs, and closes it in the end. */
  heed(second: KeptProcess): void;
}

/** Has everything go wrong that a good game does not count, each until Prometheus has read that it did. */
export async function injectFaults(scene: Scene): Promise<void> {
  await forge(scene);
  await neglectRequests(scene);
  await spoilModels(scene);
  await startSecond(scene);
  await holdTable(scene);
}

/** Prometheus reads once a second: there is no need to ask it all the time. */
const LOOK_MS = 1_000;

/** Waits until something holds of what Prometheus has read. @throws Error when it never does */
export const eventuallyKnown = <T>(fact: () => Promise<T>, what: string, ms = 600_000) =>
  pollUntil(what, fact, { timeoutMs: ms, everyMs: LOOK_MS });

/** What Prometheus has read of a counter, over all who count. */
async function counted(prometheus: Prometheus, metric: object): Promise<number> {
  const [sum] = await prometheus.query(`sum(${nameOf(metric)})`);
  return Number(sum?.value[1] ?? 0);
}

/** The player gives itself out as the door: the broker knows better. */
async function forge({ servers, prometheus }: Scene): Promise<void> {
  const { example } = contracts.get('table.act');
  const about = { id: randomUUID(), source: 'web', subject: 'nonesuch', at: Date.now(), replyBy: Date.now() + 600_000 };
  const lie = Buffer.from(JSON.stringify(contracts.write('table.act', example as never, about)));
  const connection = await connect(servers.amqpUrlOf('player'));
  const channel = await connection.createConfirmChannel();
  channel.publish('commands', 'table.act', lie, { userId: 'player' });
  await channel.waitForConfirms();
  await connection.close();
  const dropped = await eventuallyKnown(async () => {
    const all = await prometheus.query(`${nameOf(metrics.forged)} > 0`);
    return all.length > 0 && all.map(({ metric }) => `${metric['service']} ${metric['type']} ${metric['reason']}`);
  }, 'a message that was dropped as forged');
  expect(dropped).toEqual(['gamemaster table.act other-user']); // and none of all that were sent in earnest
}

/** An outside agent tells its name, and answers nothing after that. */
async function neglectRequests({ prometheus, agentsUrl }: Scene): Promise<void> {
  const agent = await connectLines(agentsUrl);
  await agent.next();
  agent.send('tester1');
  await eventuallyKnown(() => counted(prometheus, metrics.agentFaults), 'a fault of an outside agent');
  agent.hangUp();
}

/** Somebody stops the model that is in use, and then it says nothing any more that has the shape asked for. */
async function spoilModels({ prometheus, at }: Scene): Promise<void> {
  const [slots] = await prometheus.query(nameOf(metrics.slots));
  const server = `http://${slots!.metric['server']}`;
  await stopModels(server);
  const seats = Array.from({ length: 6 }, () => ({ kind: 'mind' as const, recipe: 'algorithm-1' }));
  const options = { dayMs: 60_000, nightMs: 2_000 };
  await opened(at, { rules: 'maw', players: 6, seats, rounds: 100, options });
  await pollUntil(
    'a model that was loaded anew',
    async () => {
      if (await counted(prometheus, metrics.reloads)) return true;
      await stopModels(server); // an answer that was under way has kept it
      const before = await counted(prometheus, metrics.completions);
      await eventuallyKnown(async () => (await counted(prometheus, metrics.completions)) > before, 'one more completion');
      return false;
    },
    { timeoutMs: 600_000 },
  );
  // Minds ask again by themselves for what does not fit; what breaks off is the gateway's to ask again.
  await post(`${server}/sim/faults`, { name: 'end-without-done', probability: 0.5 });
  await eventuallyKnown(() => counted(prometheus, metrics.retries), 'a retry');
  await post(`${server}/sim/faults`, { name: 'schema-violation', probability: 1 });
  for (const metric of [metrics.schemaFailures, metrics.wastedSlots])
    await eventuallyKnown(() => counted(prometheus, metric), `what ${nameOf(metric)} counts`);
  const isDefaulting = conditionOf(alerts.find(({ name }) => name === 'MindsDefault')!);
  await eventuallyKnown(async () => (await prometheus.query(isDefaulting)).length, 'enough answers that are defaults');
}

/** As `ollama stop` does. */
async function stopModels(server: string): Promise<void> {
  const loaded = (await (await fetch(`${server}/api/ps`)).json()) as { readonly models: readonly { readonly name: string }[] };
  for (const { name } of loaded.models) await post(`${server}/api/chat`, { model: name, messages: [], keep_alive: 0 });
}

async function post(url: string, body: object): Promise<void> {
  const { ok, status } = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  if (!ok) throw new Error(`${url} answered ${status}`);
}

/** A table, as soon as nobody is too busy to open it. */
const opened = (at: WebClient, opening: Parameters<WebClient['open']>[0]): Promise<string> =>
  eventuallyKnown(
    () =>
      at.open(opening).then(
        ({ table }) => table,
        (error: unknown) => {
          if (error instanceof ApiProblem && error.reason === 'limited') return undefined;
          throw error;
        },
      ),
    'a table that is opened',
  );

/** A second gamemaster, whom Prometheus reads as well. */
async function startSecond({ prometheus, latecomers, env, say, heed }: Scene): Promise<void> {
  const [port] = await freePorts(1);
  const host = `127.0.0.1:${port}`;
  const file = join(root, 'services/gamemaster/main.ts');
  heed(keepRunning({ name: 'gamemaster-2', file, env: { ...env, PORT: String(port) } }, { say, graceMs: 3_000 }));
  const isReady = () =>
    fetch(`http://${host}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await pollUntil('a second gamemaster', isReady, { timeoutMs: 600_000 });
  await writeFile(latecomers, JSON.stringify([{ targets: [host], labels: { job: 'gamemaster-2' } }]));
  await eventuallyKnown(
    async () => (await prometheus.query(`up{instance="${host}"} == 1`)).length,
    'the measures of the second gamemaster',
  );
}

/**
 * Somebody holds the row of a table in the database: both gamemasters wait for it with an append of their own, of which one will have lost,
 * and whoever asked waits in vain. Meanwhile web loses its connection, and asks again over the next.
 */
async function holdTable({ servers, prometheus, at, wire }: Scene): Promise<void> {
  const seats = Array.from({ length: 20 }, () => ({ kind: 'person' as const }));
  const [holder, looker] = [new Client(servers.databaseUrl), new Client(servers.databaseUrl)];
  await Promise.all([holder.connect(), looker.connect()]);
  try {
    await pollUntil(
      'an append that lost against another writer',
      async () => {
        const table = await opened(at, { rules: 'maw', players: 20, seats, rounds: 1, options: {} });
        await holder.query('begin');
        await holder.query('select id from game where id = $1 for update', [table]);
        let isHeld = true;
        const joining = (async () => {
          while (isHeld) await Promise.allSettled(Array.from({ length: 4 }, () => at.join(table, `P${randomUUID().slice(0, 8)}`)));
        })();
        try {
          await pollUntil(
            'a request that was sent again',
            async () => {
              const before = await counted(prometheus, metrics.reconnects);
              wire.cut();
              await eventuallyKnown(async () => (await counted(prometheus, metrics.reconnects)) > before, 'web being back at the broker');
              return counted(prometheus, metrics.resent);
            },
            { timeoutMs: 600_000 },
          );
          await eventuallyKnown(() => counted(prometheus, metrics.unanswered), 'a request that nobody answered');
          await pollUntil('two gamemasters that wait for the same row', async () => (await waitersIn(looker)) >= 2, { timeoutMs: 600_000 });
        } finally {
          isHeld = false;
          await holder.query('rollback');
          await joining;
        }
        // Both have heard of it by now, and what they counted is read.
        await scrapes(prometheus, 2);
        return counted(prometheus, metrics.conflicts);
      },
      { timeoutMs: 600_000 },
    );
  } finally {
    await Promise.all([holder.end(), looker.end()]);
  }
}

async function waitersIn(client: Client): Promise<number> {
  const { rows } = await client.query<{ many: number }>(
    `select count(*)::int as many from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'gamemaster'`,
  );
  return rows[0]!.many;
}

/** Resolves when every target has been scraped `more` times more. */
export async function scrapes(prometheus: Prometheus, more: number): Promise<void> {
  const read = async () => {
    const all = await prometheus.query('sum by (job, instance) (sum_over_time(up[1h]))');
    return new Map(all.map(({ metric, value }) => [`${metric['job']} ${metric['instance']}`, Number(value[1])]));
  };
  const before = await read();
  await eventuallyKnown(async () => {
    const now = await read();
    return [...before].every(([target, times]) => (now.get(target) ?? 0) >= times + more);
  }, `every target being read ${more} times more`);
}
