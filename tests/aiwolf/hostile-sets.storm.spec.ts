import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answering, joinAs, legalAnswer, type PlayingAgent } from './agents.suite.ts';
import { startSystem, type System } from './system.suite.ts';
import { type AgentServers, drivenClock, faultsOf, heldClock, startAgentServers } from './agent-servers.suite.ts';
import { HOSTILE, type Hostility, joinAgainAs, leaver } from './hostile-agents.suite.ts';

const MINUTES = 1_800_000;
/** How many sets are played of each kind; 1 in the suite. */
const SETS = Number(process.env['MAW_AIWOLF_SETS'] ?? 1);

let system: System;
let servers: AgentServers | undefined;
beforeEach(async () => {
  system = await startSystem();
});
afterEach(async () => {
  await servers?.close();
  servers = undefined;
  await system.close();
});

interface Table {
  readonly division: 'protocol' | 'natural';
  readonly players: number;
  readonly games: number;
  /** At each of the tables, which run at once. */
  readonly tables: readonly (readonly string[])[];
}

/** Plays sets with these hostile agents at each table and honest ones besides. */
async function playWith({ division, players, games, tables }: Table) {
  const isProtocol = division === 'protocol';
  const clock = heldClock((name) => /^(?:silent|alive|slow)/.test(name));
  const terms = {
    division,
    players,
    games: games * SETS,
    sets: 1,
    faults: 25,
    signMs: isProtocol ? 0 : 600_000,
    options: { missingVote: 'random' },
  };
  servers = await startAgentServers(
    system,
    tables.map(() => terms),
    { startServer: clock.startServer },
  );
  const hostilities = new Map<string, Hostility>();
  const joined = tables.flatMap((hostile, table) =>
    Array.from({ length: players }, (_, i) => {
      const name = `${hostile[i] ?? `honest${i}`}-${table}`;
      const make = HOSTILE[hostile[i] ?? ''];
      if (make) hostilities.set(name, make({ isProtocol, expire: () => clock.expire(name) }));
      return joinAgainAs(servers!.urls[table]!, name, hostilities.get(name)?.answering);
    }),
  );
  await servers.finished;
  const honest = (await Promise.all(joined)).filter((connections) => !hostilities.has(connections[0]!.name));
  const finished = honest.map(
    (connections) => connections.flatMap((each) => each.requests().filter((request) => request === 'FINISH')).length,
  );
  return { finished, hostilities, faulty: faultyIn(servers) };
}

const faultyIn = ({ reports }: AgentServers): ReadonlySet<string> =>
  new Set(reports.flatMap((report) => (report.type === 'fault' ? [report.agent] : [])));

function expectFaults(hostilities: ReadonlyMap<string, Hostility>): void {
  for (const [name, { expected, isAway }] of hostilities) {
    const faults = faultsOf(servers!, name);
    if (!isAway) expect([name, ...faults.toSorted()]).toEqual([name, ...expected.toSorted()]);
    else expect([name, ...faults.filter((fault) => !fault.endsWith(' gone') && !expected.includes(fault))]).toEqual([name]);
  }
}

describe('hostile agents', () => {
  it.each([
    {
      division: 'protocol',
      players: 5,
      games: 2,
      tables: [
        ['odd', 'silent', 'leaver'],
        ['huge', 'twice', 'bytes'],
      ],
    },
    { division: 'protocol', players: 15, games: 1, tables: [Object.keys(HOSTILE)] },
    {
      division: 'natural',
      players: 5,
      games: 1,
      tables: [
        ['odd', 'silent', 'leaver'],
        ['endless', 'alive', 'garbled'],
      ],
    },
    { division: 'natural', players: 13, games: 1, tables: [Object.keys(HOSTILE).slice(0, 12)] },
  ] as const)(
    'cost only themselves in the $division division with $players players',
    async (table) => {
      const { finished, hostilities, faulty } = await playWith(table);
      expect(new Set(finished)).toEqual(new Set([table.games * SETS]));
      expect([...faulty].filter((name) => !hostilities.has(name))).toEqual([]);
      expectFaults(hostilities);
    },
    MINUTES,
  );

  it.each(['protocol', 'natural'] as const)(
    'of the %s division that leave out one answer lose no other',
    async (division) => {
      const clock = heldClock((name) => name === 'slow1');
      servers = await startAgentServers(system, [{ division, games: 1, sets: 1 }], { startServer: clock.startServer });
      let isLeftOut = false;
      const leavingOut: Answering = (packet, memory) => {
        if (packet.request !== 'TALK' || isLeftOut) return legalAnswer(packet, memory);
        isLeftOut = true;
        clock.expire('slow1');
        return undefined;
      };
      const names = ['slow1', 'b1', 'c1', 'd1', 'e1'];
      await Promise.all(names.map((name) => joinAs(servers!.urls[0]!, name, name === 'slow1' ? leavingOut : legalAnswer)));
      await servers.finished;
      expect(names.map((name) => faultsOf(servers!, name))).toEqual([['TALK late'], [], [], [], []]);
    },
    600_000,
  );

  it.each(['protocol', 'natural'] as const)(
    'of the %s division may all hang up at every packet, and come back',
    async (division) => {
      // Whoever is away is not asked at night: in later games all have hung up at the other packets before.
      servers = await startAgentServers(system, [{ division, players: 9, games: 4, sets: 1, faults: 1000 }]);
      const { urls, reports, finished } = servers;
      const left = Array.from({ length: 9 }, () => new Set<string>());
      const context = { isProtocol: division === 'protocol', expire: () => undefined };
      const joined = left.map((kinds, i) => joinAgainAs(urls[0]!, `leaver${i}`, leaver(kinds)(context).answering));
      await finished;
      await Promise.all(joined);
      const certain = ['INITIALIZE', 'DAILY_INITIALIZE', 'DAILY_FINISH', 'TALK', 'WHISPER', 'VOTE', 'DIVINE', 'ATTACK', 'FINISH'];
      expect(left.flatMap((kinds) => [...kinds])).toEqual(expect.arrayContaining(certain));
      const faults = reports.flatMap((report) => (report.type === 'fault' ? [report.fault] : []));
      expect(new Set(faults)).toEqual(new Set(['gone']));
      expect(await system.store.agentSets.running()).toEqual([]);
    },
    MINUTES,
  );
});

describe('the time for an answer', () => {
  /** Answers its first TALK at this moment, and a NAME after it at another. */
  const waiting = (clock: ReturnType<typeof drivenClock>, ms: number, signMs: number): Answering => {
    let hasWaited = false;
    return (packet, memory) => {
      const { request } = packet;
      if (request === 'NAME' && memory.me !== undefined) clock.advance(signMs);
      if (request !== 'TALK' || hasWaited) return legalAnswer(packet, memory);
      hasWaited = true;
      clock.advance(ms);
      return `words of ${memory.name}`;
    };
  };

  it.each([
    { division: 'protocol', answerMs: 600_000, extraMs: 0, signMs: 0 },
    { division: 'natural', answerMs: 600_000, extraMs: 5_000, signMs: 120_000 },
  ] as const)(
    'ends to the millisecond in the $division division, as does that for a sign of life',
    async (limits) => {
      const clock = drivenClock();
      servers = await startAgentServers(
        system,
        [{ games: 1, sets: 1, faults: 2, options: { language: 'free', missingVote: 'random' }, ...limits }],
        clock,
      );
      const limitMs = limits.answerMs + limits.extraMs;
      const agents: { readonly [name: string]: Answering } = {
        'in time': waiting(clock, limitMs - 1, 0),
        'late': waiting(clock, limitMs, limits.signMs - 1),
        'lost': limits.signMs ? waiting(clock, limitMs, limits.signMs) : legalAnswer,
      };
      const names = ['in time', 'late', 'lost', 'a', 'b'];
      const joined = names.map((name) => joinAgainAs(servers!.urls[0]!, name, agents[name]));
      await servers.finished;
      const isInGame = (agent: PlayingAgent) => agent.requests().includes('INITIALIZE');
      const connections = (await Promise.all(joined)).map((all) => all.filter(isInGame).length);
      expect(connections).toEqual([1, 1, limits.signMs ? 2 : 1, 1, 1]);
      expect(faultsOf(servers, 'in time')).toEqual([]);
      expect(faultsOf(servers, 'late')).toEqual(['TALK late']);
      expect(faultsOf(servers, 'lost')[0]).toBe(limits.signMs ? 'TALK gone' : undefined);
      const { set } = servers.reports.find((report) => report.type === 'began')!;
      const tape = JSON.stringify(await system.store.tapes.read(set));
      expect([/words of in time/, /words of late/, /words of lost/].map((words) => words.test(tape))).toEqual([true, false, false]);
    },
    MINUTES,
  );
});
