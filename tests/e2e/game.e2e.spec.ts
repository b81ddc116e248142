import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import { postgresStore } from '@maw/store/postgres.ts';
import type { Store } from '@maw/store/store.ts';
import { freePorts } from '@maw/dev-servers/ports.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import type { Match } from '@maw/games/match/state.ts';
import { fromTape } from '@maw/gamemaster/tables/table-cache.ts';
import { amqpUrl, databaseUrl, openSystem, type Running } from '../equipment/servers/running-system.ts';
import { pollUntil } from '@maw/async/poll-until.ts';
import { type Answering, joinAs, legalAnswer, type PlayingAgent } from '../aiwolf/agents.suite.ts';
import { terminal, withLongerPhases } from './terminal.ts';

const minute = 60_000;
const root = resolve(import.meta.dirname, '../..');
const isPossible = amqpUrl !== undefined && databaseUrl !== undefined;
const quick = (factor: number) => ({ dayMs: 5_000 * factor, nightMs: 4_000 * factor, maxDays: 3, pace: 'machines' });
const minds = (n: number, recipe = 'algorithm-1') => Array.from({ length: n }, () => ({ kind: 'mind' as const, recipe }));

(isPossible ? describe : describe.skip)('a game of MAW through separate processes over RabbitMQ and PostgreSQL', () => {
  let running: Running;
  let agentsUrl: string;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'maw-e2e-'));
    const [agentsPort] = await freePorts(1);
    agentsUrl = `tcp://127.0.0.1:${agentsPort}`;
    running = await openSystem({
      'ollama-sim': { SIM_DECODE_MS_PER_TOKEN: '2' },
      'aiwolf': {
        AIWOLF_SERVERS: JSON.stringify([{ division: 'protocol', port: agentsPort, games: 2, sets: 1, answerMs: 10 * minute }]),
        RETURN_MS: String(minute),
      },
    });
  }, 10 * minute);
  afterAll(async () => {
    await running?.close();
    await rm(folder, { recursive: true, force: true });
  }, 10 * minute);

  const ended = async (table: string) => {
    for await (const news of running.door.follow(table, { as: 'narrator' })) if (news.kind === 'over') return;
  };
  const withStore = async <T>(read: (store: Store) => Promise<T>): Promise<T> => {
    const store = await postgresStore({ url: running.databaseUrl });
    try {
      return await read(store);
    } finally {
      await store.close();
    }
  };
  const tapeOf = (table: string): Promise<readonly RecordedEvent[]> => withStore((store) => store.tapes.read(table));

  /** The tape folds to a final standing whose points are what the rules of the winning side say. */
  const audit = async (table: string, rounds: number): Promise<Match> => {
    const tape = await tapeOf(table);
    expect(tape.map(({ sequence }) => sequence)).toEqual(tape.map((_, i) => i + 1));
    const { standing } = fromTape(table, tape, catalogue).state;
    const match = standing.game;
    expect(match.closed).toBeDefined();
    expect(standing.open).toEqual([]);
    expect(match.results).toHaveLength(rounds);
    let at = 0;
    for (const { winner, roles, points } of match.results) {
      const end = tape.findIndex(({ event }, i) => i > at && event.type === 'scored');
      const dead = new Set(
        tape
          .slice(at, end)
          .flatMap(({ event }) => (event.type === 'executed' || event.type === 'murdered' ? [event['seat'] as number] : [])),
      );
      const villagers = roles.flatMap((role, seat) => (role === 'wolf' ? [] : [seat]));
      const worth =
        winner === 'wolves' ? villagers.length : winner === 'villagers' ? villagers.filter((seat) => !dead.has(seat)).length : 0;
      expect(points).toEqual(roles.map((role) => ((role === 'wolf') === (winner === 'wolves') && winner !== 'draw' ? worth : 0)));
      if (winner === 'wolves') expect(villagers.every((seat) => dead.has(seat))).toBe(true);
      if (winner === 'villagers') expect(roles.every((role, seat) => role !== 'wolf' || dead.has(seat))).toBe(true);
      at = end;
    }
    const client = new pg.Client({ connectionString: running.databaseUrl });
    await client.connect();
    const { rows } = await client.query<{ result: { points: number[]; winner: string } }>('select result from result where game = $1', [
      table,
    ]);
    await client.end();
    expect(rows[0]!.result).toMatchObject({ points: [...match.totals], winner: match.results.at(-1)!.winner });
    const summary = await running.door.table(table);
    expect(summary.players.map(({ points }) => points)).toEqual([...match.totals]);
    return match;
  };

  it(
    'of six minds ends with a winner, correct points and a tape that folds to the final state',
    () =>
      withLongerPhases(async (factor) => {
        const table = await running.openWithRoom({
          rules: 'maw',
          players: 6,
          seats: minds(6),
          rounds: 1,
          options: quick(factor),
          seed: 'e2e',
        });
        await ended(table);
        const match = await audit(table, 1);
        expect(['wolves', 'villagers', 'draw']).toContain(match.results[0]!.winner);
        const tape = await tapeOf(table);
        const acts = tape.filter(({ event }) => event.type === 'answered');
        expect(acts.length).toBeGreaterThan(10);
        expect(new Set(match.names).size).toBe(6);
      }),
    20 * minute,
  );

  it(
    'of two rounds with a person at a terminal ends the same way',
    () =>
      withLongerPhases(async (factor) => {
        const seats = [{ kind: 'person' as const }, ...minds(5)];
        const table = await running.openWithRoom({ rules: 'maw', players: 6, seats, rounds: 2, options: quick(factor), pauseMs: 500 });
        const person = terminal(
          [join(root, 'maw'), 'play', '--at', running.system.url, '--table', table, '--human', 'Typist', '--data', folder],
          { MAW_TOKEN: running.system.adminToken },
          folder,
        );
        try {
          await person.until(/You may speak in the Village/);
          // A line half typed when messages arrive is still whole.
          person.type('Hello ');
          const half = person.shown().length;
          await person.until(/votes for|: /, half);
          person.type('from the keyboard\r');
          await person.until(/Typist: Hello from the keyboard/);
          person.type('/nonsense\r');
          await person.until(/There is no command \/nonsense/);
          person.type('/who\r');
          await person.until(/Typist \(you\)/);
          const other = (await running.door.table(table)).players.find(({ name }) => name !== 'Typist')!.name!;
          person.type(`/vote ${other}\r`);
          await person.until(/Typist votes for/);
          await pollUntil('the vote of the person', async () => (await votesOf(table)).length);
          person.type('/votes\r');
          await person.until(/→/);
          await person.until(/Round 2 begins/);
          expect(await person.exited).toBe(0);
          expect(person.shown()).toMatch(/(wolves|villagers) win|Nobody wins/);
        } finally {
          person.close();
        }
        await audit(table, 2);
        const spoken = (await tapeOf(table)).filter(
          ({ event }) => event.type === 'answered' && (event['answer'] as { by: number }).by === 0,
        );
        expect(spoken.some(({ event }) => (event['answer'] as { says: string[] }).says[0] === 'Hello from the keyboard')).toBe(true);
      }),
    20 * minute,
  );

  it(
    'of outside agents goes on after their server is killed, and counts each game once',
    async () => {
      const names = ['a1', 'b1', 'c1', 'd1', 'e1'];
      const games = (agent: PlayingAgent) => agent.requests().filter((request) => request === 'FINISH').length;
      const isVoting = Promise.withResolvers<void>();
      // In the second game one vote is missing.
      const holding: Answering = ({ request, ...packet }, memory) => {
        if (memory.name !== 'a1' || request !== 'VOTE' || games(agents[0]!) === 0) return legalAnswer({ request, ...packet }, memory);
        return isVoting.resolve();
      };
      const agents = await Promise.all(names.map((name) => joinAs(agentsUrl, name, holding)));
      await isVoting.promise;
      const [set] = await withStore((store) => store.agentSets.running());
      const killed = running.pid('aiwolf');
      process.kill(killed, 'SIGKILL');
      await Promise.all(agents.map(({ closed }) => closed));

      const again = await Promise.all(names.map((name) => joinWhenOpen(name)));
      await Promise.all(again.map(({ closed }) => closed));
      expect([...agents, ...again].map(games)).toEqual(Array<number>(10).fill(1));
      expect(again.map((agent) => agent.requests().slice(0, 3))).toEqual(names.map(() => ['NAME', 'INITIALIZE', 'DAILY_INITIALIZE']));
      await pollUntil('the end of the set', () => withStore(async (store) => (await store.agentSets.running()).length === 0));
      const [faults, scores] = await withStore((store) => Promise.all([store.agentSets.faults(set!.id), store.tapes.scores('aiwolf')]));
      expect(faults).toEqual([]);
      expect(scores.reduce((sum, score) => sum + score.games, 0)).toBe(2 * names.length);
      expect((await tapeOf(set!.id)).filter(({ event }) => event.type === 'scored')).toHaveLength(2);
    },
    20 * minute,
  );

  const joinWhenOpen = (name: string): Promise<PlayingAgent> =>
    pollUntil('the servers for agents', () => joinAs(agentsUrl, name).catch(() => undefined), { timeoutMs: 5 * minute });

  const votesOf = async (table: string) =>
    (await tapeOf(table)).filter(
      ({ event }) =>
        event.type === 'answered' && /\/vote$/.test(event['question'] as string) && (event['answer'] as { by: number }).by === 0,
    );
});
