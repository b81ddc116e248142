import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { startSystem, type System } from '@maw/cli/up/system.ts';
import { playArena } from '@maw/lab/contests/arena/play-arena.ts';
import type { ContestInput } from '@maw/lab/contests/definition.ts';
import { readContest } from '@maw/lab/contests/read-contest.ts';
import type { PairingResult } from '@maw/lab/contests/result.ts';
import { tableIdOf } from '@maw/contest/tables/play-pairing.ts';
import { planOf } from '@maw/lab/contests/schedules/plan.ts';
import { postgresStore } from '@maw/store/postgres.ts';
import type { Store } from '@maw/store/store.ts';
import { type KillableServers, proxiedUrl, startKillableServers } from '@maw/bench/recovery/busy-system.ts';
import { whyNoServers } from '../equipment/servers/restartable-server.ts';
import { smallContest } from './system.suite.ts';

// Contests of separate processes over a real broker and database, which are killed while they play.
const MINUTE = 60_000;
const KILLED = ['contest', 'gamemaster', 'player'] as const;
const why = await whyNoServers();
// oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
const here = why === undefined ? describe : describe.skip;

const atTables = smallContest({ name: 'tables', schedule: { kind: 'balanced', deals: 5 }, atOnce: 2 });
const learning = smallContest({
  name: 'learning',
  agents: [
    { name: 'lan', recipe: 'lan', learns: true },
    { name: 'xu', recipe: 'xu', parameters: { who: 'all' }, learns: true },
  ],
  schedule: { kind: 'cells', deals: 3, cells: [{ name: 'lan-xu', seats: { 1: 'lan', 2: 'lan' }, others: 'xu' }] },
});
const inArena = smallContest({ name: 'arena', schedule: { kind: 'balanced', deals: 1_000 }, play: 'arena' });

interface Opening {
  readonly seats: readonly { readonly parameters: { readonly strategies?: string; readonly experience?: string } }[];
}

here(`contests whose processes are killed${why === undefined ? '' : ` (skipped: ${why})`}`, () => {
  let servers: KillableServers;
  let system: System;
  let store: Store;
  const log: string[] = [];

  beforeAll(async () => {
    servers = await startKillableServers();
    system = await startSystem({
      amqpUrl: proxiedUrl(servers.broker),
      databaseUrl: servers.database.url(),
      port: 0,
      base: process.env,
      env: {
        'all': { LOG_LEVEL: 'warn' },
        'gamemaster': { ALARM_EVERY_MS: '50', OBEY_BACKLOG: 'no' },
        'player': { PACE_MS: '50' },
        'contest': { CONTEST_WORKERS: '1' },
        'llm-gateway': { AGENT_RPM: '0' },
        'ollama-sim': { SIM_LOAD_MS: '100', SIM_PREFILL_MS_PER_TOKEN: '0.02', SIM_DECODE_MS_PER_TOKEN: '2' },
      },
      graceMs: 3_000,
      say: (line) => void log.push(line),
    });
    store = await postgresStore({ url: servers.database.url() });
    if (!(await system.isOpen(5 * MINUTE))) throw new Error(`the services did not start:\n${log.slice(-30).join('\n')}`);
  }, 10 * MINUTE);
  afterAll(async () => {
    await system?.close();
    await store?.close();
    await servers?.close();
  }, 10 * MINUTE);

  const finished = async (id: string) => (await store.contests.get(id))?.finished ?? 0;
  const results = async (id: string) => (await store.contests.results(id, { after: -1, limit: 10_000 })) as readonly PairingResult[];
  const until = (what: string, probe: () => Promise<boolean>) => pollUntil(what, probe, { timeoutMs: 5 * MINUTE, everyMs: 50 });

  async function open(contest: ContestInput): Promise<void> {
    const headers = { 'Authorization': `Bearer ${system.adminToken}`, 'Content-Type': 'application/json' };
    const { status } = await fetch(`${system.url}/contests`, { method: 'POST', headers, body: JSON.stringify({ contest }) });
    expect(status).toBe(201);
  }

  async function killAll(): Promise<void> {
    for (const name of KILLED) {
      const one = system.running.find((each) => each.name === name)!;
      const pid = await pollUntil(`a process of ${name}`, () => one.pid(), { timeoutMs: MINUTE });
      process.kill(pid, 'SIGKILL');
    }
  }

  async function killBroker(): Promise<void> {
    await servers.broker.end('killed');
    await servers.broker.start();
    servers.broker.way.aim(servers.broker.url());
  }

  it(
    'count each pairing once, with the results of undisturbed ones',
    async () => {
      await open(atTables);
      await open(inArena);
      for (let kills = 0; kills < 3; kills++) {
        const before = await finished('tables');
        await until('another table', async () => (await finished('tables')) > before);
        await killAll();
        if (kills === 0) expect(await finished('arena')).toBeLessThan(3_000);
        if (kills === 1) await killBroker();
      }
      for (const id of ['tables', 'arena'])
        await until(`the end of ${id}`, async () => (await store.contests.get(id))!.state === 'finished');

      const planned = readContest(JSON.stringify(atTables));
      const plan = planOf(planned);
      const played = await results('tables');
      expect(played.map(({ number, attempt, games }) => [number, attempt, games.length])).toEqual(
        Array.from({ length: plan.total }, (_, number) => [number, 1, 1]),
      );
      for (const { number, games } of played) expect(games[0]!.seats.map(({ agent }) => agent)).toEqual(plan.at(number).agents);
      const tables = await store.tapes.list({ limit: 1000 });
      expect(tables.map(({ table }) => table).toSorted()).toEqual(
        played.map(({ number }) => tableIdOf('tables', planned, { number }, 1)).toSorted(),
      );

      const undisturbed: PairingResult[] = [];
      const arena = readContest(JSON.stringify(inArena));
      const numbers = Array.from({ length: planOf(arena).total }, (_, number) => number);
      await playArena(arena, { from: numbers, workers: 1, signal: new AbortController().signal, each: (one) => undisturbed.push(one) });
      expect(await results('arena')).toEqual(undisturbed);
    },
    10 * MINUTE,
  );

  it(
    'learn from each game once, before the next one of its cell',
    async () => {
      await open(learning);
      const planned = readContest(JSON.stringify(learning));
      const tables = [0, 1, 2].map((number) => tableIdOf('learning', planned, { number }, 1));
      for (const [n, table] of tables.entries()) {
        await until(`the table ${n}`, async () => (await store.tapes.read(table)).some(({ event }) => event.type === 'asked'));
        await killAll();
        if (n === 1) await killBroker();
      }
      await until('the end of learning', async () => (await store.contests.get('learning'))!.state === 'finished');

      const played = await results('learning');
      expect(played.map(({ number, attempt, games }) => [number, attempt, games.length])).toEqual(
        [0, 1, 2].map((number) => [number, 1, 1]),
      );
      const tapes = await Promise.all(tables.map((table) => store.tapes.read(table)));
      const began = tapes.map(([opened]) =>
        (opened!.event as unknown as { opening: Opening }).opening.seats.map(({ parameters }) => parameters),
      );
      expect(began.map(([lan]) => lan!.strategies)).toEqual(['learning-1-1@0+', 'learning-1-1@2+', 'learning-1-1@4+']);
      expect(began.map(([, , xu]) => xu!.experience)).toEqual([undefined, 'learning-1-2@1', 'learning-1-2@2']);
      expect(await store.strategies.list('learning-1-1')).toMatchObject([{ newest: 6, games: 3 }]);
      const pools = await store.experience.list();
      expect(pools.map(({ name, games }) => [name, games])).toEqual([1, 2, 3].map((games) => ['learning-1-2', games]));
      for (const n of [1, 2]) {
        const over = tapes[n - 1]!.find(({ event }) => event.type === 'scored')!;
        expect(tapes[n]![0]!.at).toBeGreaterThanOrEqual(over.at);
      }
    },
    10 * MINUTE,
  );
});
