import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { drawSeats, openingOf } from '@maw/aiwolf-service/sets/set-plan.ts';
import { readServerTerms } from '@maw/aiwolf/server/server-terms.ts';
import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { tableOf } from '../equipment/fakes/table.ts';
import { leaksIn, MAY_KNOW, whispering } from './agent-secrets.suite.ts';
import { joinAs, type Packet } from './agents.suite.ts';
import { startSystem, type System } from './system.suite.ts';

describe('the connection of an agent', () => {
  let system: System;
  beforeEach(async () => {
    system = await startSystem();
  });
  afterEach(() => system.close());

  it.each([
    ['protocol', 15, 3],
    ['natural', 13, 3],
  ] as const)('of the %s division brings what its seat may know, and nothing else', async (division, players, games) => {
    const options = division === 'protocol' ? { language: 'free' } : {};
    const { url, finished } = await system.startServers([{ division, players, games, sets: 1, options }]);
    const names = Array.from({ length: players }, (_, i) => `own name ${String.fromCharCode(97 + i)}`);
    const join = async () => Promise.all(names.map((name) => joinAs(url, name, whispering)));
    const connections = await join();
    // In the natural-language division a connection is for one game.
    for (let i = 1; division === 'natural' && i < games; i++) {
      await Promise.all(connections.slice(-players).map(({ closed }) => closed));
      connections.push(...(await join()));
    }
    await finished;
    const { leaks, told } = leaksIn(connections, names);
    expect(leaks).toEqual([]);
    // A bodyguard may die before it guards.
    expect(
      Object.values(MAY_KNOW)
        .flat()
        .filter((secret) => secret !== 'guards' && !told.has(secret)),
    ).toEqual([]);
    if (division === 'protocol') {
      const before = connections.map(({ packets }) =>
        JSON.stringify(
          packets.slice(
            0,
            packets.findIndex(({ request }) => request === 'INITIALIZE'),
          ),
        ),
      );
      expect(new Set(before).size).toBe(1);
    }
  });
});

describe('the search for secrets', () => {
  const packets = (role: string, vote: Packet): Packet[] => [
    { request: 'INITIALIZE', info: { agent: 'Yumi', role_map: { Yumi: role } } },
    vote,
  ];
  it.each([
    ['another WEREWOLF', { request: 'VOTE', info: { agent: 'Yumi', role_map: { Yumi: 'SEER', Rin: 'WEREWOLF' } } }],
    ['guards', { request: 'VOTE', gameInfo: { agent: 1, guardedAgent: 2 } }],
    ['votes of the werewolves', { request: 'VOTE', info: { agent: 'Yumi', attack_vote_list: [{ agent: 'Rin' }] } }],
    ['whispers', { request: 'TALK', talk_history: [{ text: 'marker of a whisper of Rin' }] }],
  ])('finds a planted secret: %s', (secret, packet) => {
    expect(leaksIn([{ name: 'a', packets: packets('SEER', packet) }], ['a']).leaks).toEqual([`a SEER is told ${secret}`]);
    expect(leaksIn([{ name: 'a', packets: packets('SEER', { request: 'VOTE' }) }], ['a']).leaks).toEqual([]);
  });

  it('finds the name of another agent', () => {
    const told = packets('SEER', { request: 'TALK', talk_history: [{ agent: 'fox1' }] });
    expect(leaksIn([{ name: 'a', packets: told }], ['a', 'fox1']).leaks).toEqual(['a is told that fox1 plays']);
  });
});

/** The statistic of a table of counts against independence of its rows and columns. */
function chiSquare(counts: readonly (readonly number[])[]): number {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const rows = counts.map(sum);
  const columns = counts[0]!.map((_, j) => sum(counts.map((row) => row[j]!)));
  const all = sum(rows);
  return sum(
    counts.flatMap((row, i) => row.map((count, j) => (count - (rows[i]! * columns[j]!) / all) ** 2 / ((rows[i]! * columns[j]!) / all))),
  );
}

describe('over a thousand games', () => {
  const PLAYERS = 5;
  const ROLES = ['villager', 'seer', 'possessed', 'werewolf'];
  const names = ['a', 'b', 'c', 'd', 'e'];
  /** What chance exceeds once in a million times, by degrees of freedom. */
  const LIMITS = { 12: 52.4, 16: 59.3 };
  const tally = (columns: number) => Array.from({ length: PLAYERS }, () => Array<number>(columns).fill(0));
  const [seats, roles, agents] = [tally(PLAYERS), tally(ROLES.length), tally(ROLES.length)];
  for (let game = 0; game < 1000; game++) {
    const dealt = (tableOf(aiwolf, { players: PLAYERS, seed: randomUUID() }).state as { readonly roles: readonly string[] }).roles;
    for (const { name, seat } of drawSeats(names, PLAYERS)) {
      const [agent, role] = [names.indexOf(name), ROLES.indexOf(dealt[seat]!)];
      seats[agent]![seat]!++;
      roles[seat]![role]!++;
      agents[agent]![role]!++;
    }
  }

  it('the seat says nothing of who came first', () => {
    expect(chiSquare(seats)).toBeLessThan(LIMITS[16]);
  });

  it('the role says nothing of the seat, nor of who came first', () => {
    expect(chiSquare(roles)).toBeLessThan(LIMITS[12]);
    expect(chiSquare(agents)).toBeLessThan(LIMITS[12]);
  });

  it('a seat that says something is found', () => {
    expect(chiSquare([[260, 240], [0, 500]])).toBeGreaterThan(LIMITS[16]); // prettier-ignore
  });
});

it('the seed that agents are told is not that of the table, which is drawn where it is opened', () => {
  const [terms] = readServerTerms(JSON.stringify([{ division: 'protocol', port: 0 }]));
  expect(openingOf('set', terms!, [], 1000)).not.toHaveProperty('seed');
});
