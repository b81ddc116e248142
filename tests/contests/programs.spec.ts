import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ContestInput } from '@maw/lab/contests/definition.ts';
import type { PairingResult } from '@maw/lab/contests/result.ts';
import { type AgentServers, startAgentServers } from '../aiwolf/agent-servers.suite.ts';
import { joinAgainAs } from '../aiwolf/hostile-agents.suite.ts';
import { type ContestSystem, startSystem } from './system.suite.ts';

// Programs with keys in contests, as the web service lets them act: without HTTP, which services/web/routes/agents.spec.ts has.

let here: ContestSystem;
let servers: AgentServers | undefined;
let playing: AbortController;
const programs: Promise<void>[] = [];
const start = (...all: Promise<void>[]): void => void programs.push(...all);
beforeEach(async () => {
  playing = new AbortController();
  here = await startSystem();
  await here.startPlayer();
});
afterEach(async () => {
  playing.abort();
  await Promise.all(programs.splice(0));
  await servers?.close();
  servers = undefined;
  await here.close();
});

const MINUTES = 600_000;
const timesOf = (ms: number) => ({ turnMs: ms, teamMs: ms, voteMs: ms, questMs: ms, assassinMs: ms });
const contestOf = (given: Partial<ContestInput> = {}): ContestInput => ({
  name: 'programs',
  agents: [
    { name: 'the-fox', outside: 'fox', over: 'http' },
    { name: 'the-owl', outside: 'owl', over: 'http' },
    { name: 'rules', recipe: 'random' },
  ],
  games: [{ rules: 'avalon', players: 5, options: timesOf(60_000) }],
  schedule: { kind: 'cells', deals: 1, cells: [{ name: 'one', seats: { 1: 'the-fox', 2: 'the-owl' }, others: 'rules' }] },
  ...given,
});

interface Kept {
  readonly table: string;
  readonly agents?: readonly { readonly seat: number }[];
  readonly players: readonly { readonly name?: string }[];
}

/** Joins wherever a seat is kept for the key, and answers what it is asked; after so many answers it has hung up. */
async function program(agent: string, most = Infinity, isLegal = true, speech = 'Hm.'): Promise<void> {
  const asked = new Set<string>();
  while (!playing.signal.aborted) {
    const { tables } = (await here.ask('table.list', '-', { agent, isOver: false })).data as { tables: readonly Kept[] };
    for (const { table, agents = [], players } of tables)
      for (const { seat } of agents) {
        if (asked.size >= most) continue;
        if (players[seat]!.name === undefined) await here.ask('table.join', table, { name: agent, seat, agent });
        const view = (await here.ask('table.view', table, { eye: seat })).data as {
          asked: readonly { id: string; verb: string; pick: number; options: readonly { is: string }[] }[];
        };
        for (const { id, verb, pick, options } of view.asked ?? []) {
          if (id.startsWith('lobby') || asked.has(`${table} ${id} ${seat}`)) continue;
          asked.add(`${table} ${id} ${seat}`);
          const says = verb === 'say' ? [speech] : options.slice(0, pick).map(({ is }) => is);
          if (!isLegal)
            for (let n = 0; n < 2; n++)
              await here.ask('table.act', table, { seat, question: id, says: ['seat:77'] }).catch(() => undefined);
          else await here.ask('table.act', table, { seat, question: id, says });
        }
      }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const faultsOf = (results: readonly PairingResult[], name: string) =>
  results.flatMap(({ faults }) => faults.flatMap(({ agent, kind }) => (agent === name ? [kind] : [])));

describe('programs in a contest', () => {
  it(
    'play under neutral names, with the roles of the schedule, at other seats in each pairing of a deal',
    async () => {
      await here.startContests();
      start(program('fox'), program('owl'));
      const cell = (name: string) => ({ name, seats: { 1: 'the-fox', 2: 'the-owl' }, others: 'rules' });
      await here.open('c', contestOf({ schedule: { kind: 'cells', deals: 1, cells: [cell('one'), cell('two')] } }));
      await here.untilState('c', 'finished');
      const results = await here.results('c');
      expect(results.map(({ games }) => games.length)).toEqual([1, 1]);
      const [one, two] = results.map(({ games }) => games[0]!.seats.map(({ agent, role }) => `${agent} ${role}`));
      expect(one!.toSorted()).toEqual(two!.toSorted());
      for (const table of await here.tables()) {
        const { seen } = (await here.ask('table.view', table, { eye: 0 })).data as {
          seen: readonly { event: { type: string; name?: string } }[];
        };
        const names = seen.flatMap(({ event }) => (event.type === 'joined' ? [event.name] : []));
        expect(new Set(names)).toEqual(new Set([1, 2, 3, 4, 5].map((n) => `Player ${n}`)));
        expect(JSON.stringify(seen)).not.toMatch(/fox|owl/);
      }
      for (const name of ['the-fox', 'the-owl']) expect(faultsOf(results, name)).toEqual([]);
    },
    MINUTES,
  );

  it(
    'that do not come have lost, and nobody else has',
    async () => {
      await here.startContests({ lobbyMs: 3_000 });
      start(program('owl'));
      await here.open('c', contestOf());
      await here.untilState('c', 'finished');
      expect(await here.results('c')).toMatchObject([
        {
          games: [],
          faults: [{ agent: 'the-fox', kind: 'disconnected', times: 1 }],
          void: { why: 'the-fox did not connect within 3 s', culprit: 'the-fox' },
        },
      ]);
    },
    MINUTES,
  );

  it(
    'that hang up for good have lost, and those that answer illegally play on with faults of their own',
    async () => {
      await here.startContests();
      start(program('fox', 2), program('owl', Infinity, false));
      await here.open('c', contestOf({ games: [{ rules: 'avalon', players: 5, options: timesOf(1_000) }] }));
      await here.untilState('c', 'finished');
      const [result] = await here.results('c');
      expect(result!.void).toEqual({ why: 'the-fox was gone at the end', culprit: 'the-fox' });
      expect(faultsOf([result!], 'the-fox')).toEqual(expect.arrayContaining(['disconnected']));
      expect(faultsOf([result!], 'the-owl')).toEqual(expect.arrayContaining(['invalid']));
      expect(faultsOf([result!], 'the-owl')).not.toContain('disconnected');
    },
    MINUTES,
  );

  it(
    'play AIWolf together with agents that connect by its protocol, and those alone lose who do not come',
    async () => {
      servers = await startAgentServers(here, [{ division: 'protocol', contests: true, awayMs: MINUTES }]);
      const patient = await here.startContests({ lobbyMs: MINUTES });
      void joinAgainAs(servers.urls[0]!, 'wolf');
      start(program('fox', Infinity, true, 'Over'));
      const options = { maxDays: 1, utterances: 1, turns: 2, revotes: 0, attackRevotes: 0 };
      const given = (name: string): ContestInput => ({
        name,
        agents: [
          { name: 'the-fox', outside: name === 'lonely' ? 'nobody' : 'fox', over: 'http' },
          { name: 'the-wolf', outside: 'wolf' },
          { name: 'mind', recipe: 'random' },
        ],
        games: [{ rules: 'aiwolf', options }],
        schedule: { kind: 'cells', deals: 1, cells: [{ name: 'one', seats: { 1: 'the-fox', 3: 'the-wolf' }, others: 'mind' }] },
      });
      await here.open('c', given('both'));
      await here.untilState('c', 'finished');
      const [result] = await here.results('c');
      expect(result!.games[0]!.seats.map(({ agent }) => agent).toSorted()).toEqual(['mind', 'mind', 'mind', 'the-fox', 'the-wolf']);
      for (const name of ['the-fox', 'the-wolf']) expect(faultsOf([result!], name)).toEqual([]);
      await patient.close();
      await here.startContests({ lobbyMs: 2_000 });
      await here.open('d', given('lonely'));
      await here.untilState('d', 'finished');
      expect((await here.results('d'))[0]).toMatchObject({ games: [], void: { why: 'the-fox did not connect within 2 s', culprit: 'the-fox' } }); // prettier-ignore
    },
    MINUTES,
  );
});
