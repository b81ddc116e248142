import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { drawSeats, openingOf } from '@maw/aiwolf/sets/set-plan.ts';
import { readServerTerms } from '@maw/aiwolf/terms.ts';
import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { tableOf } from '../fakes/table.ts';
import { type Answering, joinAs, legalAnswer, type Packet } from '../../tests/aiwolf/agents.suite.ts';
import { startSystem, type System } from '../../tests/aiwolf/system.suite.ts';

type Info = { readonly [key: string]: unknown };
const infoOf = ({ gameInfo, info }: Packet): Info => (gameInfo ?? info ?? {}) as Info;
const roleMapOf = (packet: Packet): { readonly [agent: string]: string } =>
  (infoOf(packet)['roleMap'] ?? infoOf(packet)['role_map'] ?? {}) as never;

/** Whispers what no speech and no name contains. */
const whispering: Answering = (packet, memory) => {
  if (packet.request !== 'WHISPER') return legalAnswer(packet, memory);
  return memory.spoken++ ? 'Over' : `marker of a whisper of ${String(memory.me)}`;
};

/** The packets of each game, from its INITIALIZE to its FINISH. */
function gamesIn(packets: readonly Packet[]): Packet[][] {
  const games: Packet[][] = [];
  for (const packet of packets) {
    if (packet.request === 'INITIALIZE') games.push([]);
    if (packet.request !== 'NAME' && packet.request !== 'ROLE') games.at(-1)!.push(packet);
  }
  return games;
}

/** The kinds of secrets in packets: whose roles, whose whispers, which results. */
function secretsIn(packets: readonly Packet[]): Set<string> {
  const found = new Set<string>();
  for (const packet of packets) {
    if (JSON.stringify(packet).includes('marker of a whisper')) found.add('whispers');
    const info = infoOf(packet);
    const isThere = (...names: readonly string[]) =>
      names.some((name) => {
        const value = info[name];
        return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== -1;
      });
    if (isThere('divineResult', 'divine_result')) found.add('divinations');
    if (isThere('mediumResult', 'medium_result')) found.add('roles of the executed');
    if (isThere('guardedAgent')) found.add('guards');
    if (isThere('attackVoteList', 'latestAttackVoteList', 'attack_vote_list')) found.add('votes of the werewolves');
    if (packet.request === 'FINISH') continue;
    const me = String(info['agent']);
    for (const [agent, role] of Object.entries(roleMapOf(packet))) if (agent !== me) found.add(`another ${role}`);
  }
  return found;
}

const MAY_KNOW: { readonly [role: string]: readonly string[] } = {
  WEREWOLF: ['whispers', 'votes of the werewolves', 'another WEREWOLF'],
  SEER: ['divinations'],
  MEDIUM: ['roles of the executed'],
  BODYGUARD: ['guards'],
};

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
    const seen = new Set<string>();
    for (const { name, packets } of connections) {
      for (const game of gamesIn(packets)) {
        const role = roleMapOf(game[0]!)[String(infoOf(game[0]!)['agent'])]!;
        const secrets = secretsIn(game);
        expect({ role, secrets: [...secrets].filter((secret) => !MAY_KNOW[role]?.includes(secret)) }).toEqual({ role, secrets: [] });
        for (const secret of secrets) seen.add(secret);
      }
      const text = JSON.stringify(packets);
      expect(names.filter((other) => other !== name && text.includes(other))).toEqual([]);
    }
    // A bodyguard may die before it guards.
    expect(
      Object.values(MAY_KNOW)
        .flat()
        .filter((secret) => secret !== 'guards' && !seen.has(secret)),
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
