import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiProblem } from '@maw/api-client/problem.ts';
import { pollUntil } from '@maw/async/poll-until.ts';
import { readCliConfig } from '@maw/cli/config.ts';
import { createWebClient } from '@maw/cli/clients/web-client.ts';
import { startSystem, type System } from '@maw/cli/up/system.ts';
import { postgresStore } from '@maw/store/postgres.ts';
import type { Store } from '@maw/store/store.ts';
import { startFaultProxy } from '@maw/tests/equipment/chaos/network/fault-proxy.ts';
import { whyNoServers } from '@maw/tests/equipment/servers/restartable-server.ts';
import { benchmark } from '../benchmark.ts';
import { decimal, integer, names } from '../options.ts';
import { SERVICES } from '../system-under-test.ts';
import { type KillableServers, proxiedUrl, startKillableServers } from './busy-system.ts';
import { observeQueues } from './queue-lengths.ts';

const options = {
  only: names('only these', ['away', 'kills']),
  tables: integer('tables in the Lobby while no gamemaster is there', { fallback: 50 }),
  seconds: decimal('how long no gamemaster is there', { fallback: 180, min: 1 }),
  games: integer('tables that are played while the broker is killed', { fallback: 22 }),
  kills: integer('how often the broker is killed or restarted, each time with a kill of a gamemaster', { fallback: 5 }),
};

const READY_MS = 600_000;
const LOOK_MS = 100;
const EVERY_MS = 2_000;
/** How long the broker is away each time, and how long it is there before the next time. */
const DOWN_MS = 20_000;
const UP_MS = 30_000;
const SEATS = 6;

/** What one outage left behind. Times are in milliseconds since a gamemaster had broker and database again; NaN: not within ten minutes. */
interface Aftermath {
  readonly outage: string;
  readonly tables: number;
  readonly firstAnswerMs: number;
  readonly emptyMs: number;
  /** The most messages that waited for gamemasters. */
  readonly waiting: number;
  readonly deadLetters: number;
  /** Seats of minds that joined more than once. */
  readonly joinedTwice: number;
  /** Events that give time back. */
  readonly delays: number;
}

export const outages = benchmark({
  name: 'outages',
  description: 'the time after long outages until questions are answered and queues are empty',
  options,
  findObstacle: whyNoServers,
  async measure(values, { signal, say }) {
    const found: Aftermath[] = [];
    for (const outage of values.only ?? (['away', 'kills'] as const)) {
      say(`starting a broker, a database and the services (${outage})`);
      const servers = await startKillableServers();
      try {
        const trial = await startTrial(servers, outage === 'kills' ? 2 : 1);
        try {
          const tables = outage === 'kills' ? values.games : values.tables;
          found.push(await (outage === 'kills' ? killBroker : leaveAlone)({ ...trial, servers, signal, say }, { ...values, tables }));
        } finally {
          await trial.close();
        }
      } finally {
        await servers.close();
      }
    }
    return { text: tableOf(found), json: found };
  },
});

interface Trial {
  readonly system: System;
  readonly store: Store;
  /** Between the gamemasters and the broker. */
  readonly gamemasters: Awaited<ReturnType<typeof startFaultProxy>>;
}

interface Stage extends Trial {
  readonly servers: KillableServers;
  readonly signal: AbortSignal;
  say(line: string): void;
}

async function startTrial(servers: KillableServers, replicas: number): Promise<Trial & { close(): Promise<void> }> {
  const gamemasters = await startFaultProxy(servers.broker.url());
  const own = new URL(servers.broker.url());
  own.host = `127.0.0.1:${gamemasters.port}`;
  const databaseUrl = proxiedUrl(servers.database);
  const system = await startSystem({
    amqpUrl: proxiedUrl(servers.broker),
    databaseUrl,
    port: 0,
    replicas: Object.fromEntries(SERVICES.map((name) => [name, name === 'gamemaster' ? replicas : 1])),
    base: readCliConfig().all,
    env: {
      all: { LOG_LEVEL: 'fatal' },
      gamemaster: { AMQP_URL: own.href, OBEY_CAPACITY: 'no' },
      web: { RATE_PER_TOKEN: '100000', RATE_PER_TOKEN_BURST: '100000' },
    },
    graceMs: 3_000,
    say: () => {},
  });
  const store = await postgresStore({ url: databaseUrl, poolSize: 4, service: 'bench', statementMs: 30_000 });
  async function close(): Promise<void> {
    gamemasters.mend();
    await store.close();
    await system.close();
    await gamemasters.close();
  }
  if (await system.isOpen(READY_MS)) return { system, store, gamemasters, close };
  await close();
  throw new Error('the services did not start within ten minutes');
}

/** Opens tables with a place for a person, who does not come, and takes the gamemasters away at once: joins are on their way. */
async function leaveAlone(stage: Stage, given: { readonly tables: number; readonly seconds: number }): Promise<Aftermath> {
  const queues = await observeQueues(stage.servers.broker.url());
  const ids = await openTables(stage, given.tables, { seats: SEATS - 1, isLobby: true });
  stage.gamemasters.block();
  stage.say(`${given.tables} tables are in the Lobby; no gamemaster for ${given.seconds} s`);
  const asking = new AbortController();
  const readers = askAll(stage, ids, asking.signal);
  await sleep(given.seconds * 1_000, undefined, { signal: stage.signal });
  stage.gamemasters.mend();
  try {
    return await aftermath('no gamemaster', { stage, ids, queues });
  } finally {
    asking.abort();
    await readers;
    await queues.close();
  }
}

/** Kills or restarts the broker again and again while tables are played and read, and a gamemaster with it. */
async function killBroker(stage: Stage, given: { readonly tables: number; readonly kills: number }): Promise<Aftermath> {
  const { servers, system, say, signal } = stage;
  const ids = await openTables(stage, given.tables, { seats: SEATS, isLobby: false });
  const asking = new AbortController();
  const readers = askAll(stage, ids, asking.signal);
  let queues: Awaited<ReturnType<typeof observeQueues>> | undefined;
  try {
    for (let n = 0; n < given.kills; n++) {
      await sleep(UP_MS, undefined, { signal });
      say(`outage ${n + 1} of ${given.kills}`);
      await servers.broker.end(n % 2 ? 'asked' : 'killed');
      const victim = system.running.filter(({ name }) => name.startsWith('gamemaster'))[n % 2]?.pid();
      if (victim !== undefined) process.kill(victim, 'SIGKILL');
      await sleep(DOWN_MS, undefined, { signal });
      await servers.broker.start();
      servers.broker.way.aim(servers.broker.url());
      stage.gamemasters.aim(servers.broker.url());
    }
    queues = await observeQueues(servers.broker.url());
    return await aftermath('the broker killed', { stage, ids, queues });
  } finally {
    asking.abort();
    await readers;
    await queues?.close();
  }
}

async function openTables(
  { system, signal }: Stage,
  count: number,
  { seats, isLobby }: { readonly seats: number; readonly isLobby: boolean },
): Promise<readonly string[]> {
  const client = createWebClient(system.url, system.adminToken);
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    signal.throwIfAborted();
    const key = randomUUID();
    const minds = Array.from({ length: seats }, () => ({ kind: 'mind' as const, recipe: 'rules' }));
    const people = Array.from({ length: SEATS - seats }, () => ({ kind: 'person' as const }));
    const open = async (): Promise<boolean> =>
      client
        .open(
          {
            rules: 'maw',
            players: SEATS,
            seats: [...minds, ...people],
            rounds: 20,
            options: { dayMs: 20_000, nightMs: 10_000, pace: 'machines' },
            seed: `outage ${n}`,
            lobbyMs: isLobby ? 3_600_000 : 60_000,
          },
          key,
        )
        .then(
          ({ table }) => ids.push(table) > 0,
          (error: unknown) => {
            if (error instanceof ApiProblem && !error.isTemporary) throw error;
            return false;
          },
        );
    await pollUntil('a table opens', open, { timeoutMs: READY_MS, everyMs: 500, signal });
  }
  return ids;
}

/** Reads each table and the list again and again, as pages do. */
async function askAll({ system }: Stage, ids: readonly string[], signal: AbortSignal): Promise<void> {
  const each = ['/tables?limit=1', ...ids.map((id) => `/tables/${id}`)].map(async (path) => {
    while (!signal.aborted) {
      await isAnswered(system, path);
      await sleep(EVERY_MS);
    }
  });
  await Promise.all(each);
}

const isAnswered = ({ url, adminToken }: System, path: string): Promise<boolean> =>
  fetch(`${url}${path}`, { headers: { authorization: `Bearer ${adminToken}` }, signal: AbortSignal.timeout(15_000) }).then(
    async (response) => (await response.bytes(), response.status === 200),
    () => false,
  );

interface After {
  readonly stage: Stage;
  readonly ids: readonly string[];
  readonly queues: Awaited<ReturnType<typeof observeQueues>>;
}

async function aftermath(outage: string, { stage, ids, queues }: After): Promise<Aftermath> {
  const { system, say, signal, store } = stage;
  const wait = { everyMs: LOOK_MS, timeoutMs: READY_MS, signal };
  await pollUntil('a gamemaster has broker and database', () => isConnected(system), wait);
  const at = Date.now();
  say(`a gamemaster is connected; ${await queues.waiting()} messages wait`);
  const since = (what: string, isDone: () => Promise<boolean>): Promise<number> =>
    pollUntil(what, isDone, wait).then(
      () => Date.now() - at,
      () => Number.NaN,
    );
  const [firstAnswerMs, emptyMs] = await Promise.all([
    since('an answer', () => isAnswered(system, '/tables?limit=1')),
    since('empty queues', async () => (await queues.waiting()) === 0),
  ]);
  say(`first answer after ${firstAnswerMs} ms, queues empty after ${emptyMs} ms`);
  let [joinedTwice, delays] = [0, 0];
  for (const id of ids) {
    const events = (await store.tapes.read(id, 0)).map(({ event }) => event);
    delays += events.filter(({ type }) => type === 'delayed').length;
    const seats = events.flatMap((event) => (event.type === 'joined' ? [event.seat] : []));
    joinedTwice += seats.length - new Set(seats).size;
  }
  const deadLetters = await queues.deadLetters();
  return { outage, tables: ids.length, firstAnswerMs, emptyMs, waiting: queues.most(), deadLetters, joinedTwice, delays };
}

/** Whether some gamemaster says that broker and database answer, ready or not. */
async function isConnected({ ops }: System): Promise<boolean> {
  const checks = [...ops].flatMap(([name, at]) => (name.startsWith('gamemaster') ? [checksOf(at)] : []));
  return (await Promise.all(checks)).some((check) => check?.['broker'] === 'ok' && check['database'] === 'ok');
}

const checksOf = (at: string): Promise<{ readonly [name: string]: string } | undefined> =>
  fetch(`${at}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
    async (response) => ((await response.json()) as { readonly checks?: { readonly [name: string]: string } }).checks,
    () => undefined,
  );

function tableOf(all: readonly Aftermath[]): string {
  const seconds = (ms: number): string => (Number.isNaN(ms) ? 'not within 600' : (ms / 1_000).toFixed(1));
  return [
    '| outage | tables | first answer, s | queues empty, s | most messages waiting | dead letters | joined twice | time given back |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...all.map(
      ({ outage, tables, firstAnswerMs, emptyMs, waiting, deadLetters, joinedTwice, delays }) =>
        `| ${outage} | ${tables} | ${seconds(firstAnswerMs)} | ${seconds(emptyMs)} | ${waiting} | ${deadLetters} | ${joinedTwice} | ${delays} |`,
    ),
  ].join('\n');
}
