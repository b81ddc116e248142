import { describe, expect, it } from '@jest/globals';
import { catalogue, ruleSetNamed } from '@maw/games/catalogue.ts';
import { playOutcome } from '@maw/minds/arena/arena.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import { sideOf } from '@maw/games/roles.ts';
import { dealOf, seatsOf } from '../deal.ts';
import type { Contest, ContestGame, ContestInput } from '../definition.ts';
import { finalistsOf } from '../finalists.ts';
import { agentsOf, contestOf } from '../fixtures.suite.ts';
import { type Pairing, planOf } from './plan.ts';

const pairingsOf = (contest: Contest, finalists?: readonly string[]): readonly Pairing[] => {
  const plan = planOf(contest, finalists);
  return Array.from({ length: plan.count }, (_, number) => plan.at(number));
};
const gameOf = (rules: string): ContestGame => ({ rules, options: {} });

/** How often each agent had each seat with each role of a game. */
function seatsAndRoles({ games, agents }: Contest, pairings: readonly Pairing[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { game, seed, agents: seated } of pairings) {
    const roles = dealOf(games[game]!, seed);
    for (const { name } of agents)
      for (const [seat, role] of roles.entries()) {
        const key = `${name} ${game} ${seat} ${role}`;
        counts.set(key, (counts.get(key) ?? 0) + (seated[seat] === name ? 1 : 0));
      }
  }
  return counts;
}

/** Whether all agents had each seat with each role equally often. */
function isEven(contest: Contest, pairings: readonly Pairing[]): boolean {
  const counts = Map.groupBy(seatsAndRoles(contest, pairings), ([key]) => key.slice(key.indexOf(' ')));
  return [...counts.values()].every((own) => new Set(own.map(([, count]) => count)).size === 1);
}

describe('the deal of a seed', () => {
  it.each(catalogue.map(({ name }) => name))('is that of the table, in %s', async (rules) => {
    const random = findRecipe('random');
    const set = ruleSetNamed(rules);
    for (const seed of ['a', 'b', 'c']) {
      const { dealt, roles } = await playOutcome({ rules: set, players: set.players.usual, seed, recipeFor: () => random });
      expect(dealOf(gameOf(rules), seed)).toEqual(dealt ?? roles);
    }
    expect(dealOf(gameOf(rules), 'a', 2)).toHaveLength(set.players.usual);
    expect(new Set([1, 2, 3, 4].map((round) => dealOf(gameOf(rules), 'a', round).join())).size).toBeGreaterThan(1);
  });
});

describe('a balanced schedule', () => {
  it.each([
    ['as many agents as seats', 5, 5],
    ['more agents than seats', 8, 5],
    ['fewer agents than seats', 3, 6],
  ])('gives each of %s every seat and role equally often, and a dropped pairing shows', (_, agents, players) => {
    const contest = contestOf({
      agents: agentsOf(agents),
      games: [
        { rules: 'maw', players },
        { rules: 'avalon', players: 6 },
      ].slice(0, agents === 5 ? 1 : 2),
      schedule: { kind: 'balanced', deals: 7 },
    });
    const pairings = pairingsOf(contest);
    expect(pairings).toHaveLength(7 * agents * contest.games.length);
    expect(isEven(contest, pairings)).toBe(true);
    expect(isEven(contest, pairings.toSpliced(11, 1))).toBe(false);
  });

  it('lets every two agents meet', () => {
    const contest = contestOf({ agents: agentsOf(12), schedule: { kind: 'balanced', deals: 30 } });
    const met = new Set(pairingsOf(contest).flatMap(({ agents }) => agents.flatMap((one) => agents.map((two) => `${one} ${two}`))));
    expect(met.size).toBe(12 * 12);
  });
});

describe('a schedule', () => {
  const kinds: readonly Partial<ContestInput>[] = [
    { schedule: { kind: 'set', sets: 3, games: 4 } },
    { schedule: { kind: 'balanced', deals: 3 } },
    { agents: agentsOf(2), schedule: { kind: 'sides', deals: 3 } },
    { agents: agentsOf(3), schedule: { kind: 'cross', deals: 3 } },
    {
      schedule: {
        kind: 'cells',
        deals: 3,
        cells: [
          { name: 'x', others: 'a0' },
          { name: 'y', seats: { 2: 'a1' }, others: 'a0' },
        ],
      },
    },
    { agents: agentsOf(20), schedule: { kind: 'aiwolf-2021', preliminary: 3, final: 1 } },
  ];
  it.each(kinds)('plans the same again, whatever the agents are called, with one seed per deal: %j', (given) => {
    const games = [{ rules: 'onuw' }, { rules: 'aiwolf' }];
    const contest = contestOf({ ...given, games });
    const pairings = pairingsOf(contest);
    const { perDeal } = planOf(contest);
    expect(pairingsOf(contestOf({ ...given, games }))).toEqual(pairings);
    for (const [deal, own] of Map.groupBy(pairings, (pairing) => pairing.deal)) {
      expect(own).toHaveLength(perDeal);
      expect(new Set(own.map(({ seed, game }) => `${seed} ${game}`)).size).toBe(1);
      expect(own.map(({ number }) => number)).toEqual(own.map((_, i) => own[0]!.number + i));
      expect(own[0]!.seed).toBe(`maw/${deal}`);
    }
    expect(new Set(pairings.map(({ deal }) => deal)).size).toBe(pairings.length / perDeal);
    for (const { agents, game } of pairings) expect(agents).toHaveLength(seatsOf(contest.games[game]!));
    if (given.schedule!.kind === 'cells') return;
    const renamed = { ...contest, agents: contest.agents.map((agent) => ({ ...agent, name: agent.name.replace('a', 'other') })) };
    const expected = pairings.map(({ agents, ...rest }) => ({ ...rest, agents: agents.map((name) => name.replace('a', 'other')) }));
    expect(pairingsOf(renamed)).toEqual(expected);
  });

  it('of sides changes the two agents on the same deal', () => {
    const contest = contestOf({ agents: agentsOf(2), schedule: { kind: 'sides', deals: 4 } });
    const pairings = pairingsOf(contest);
    for (const { number, agents, seed } of pairings) {
      const onVillage = number % 2 === 0 ? 'a0' : 'a1';
      const roles = dealOf(contest.games[0]!, seed);
      for (const [seat, role] of roles.entries()) expect(agents[seat] === onVillage).toBe(sideOf(role, 'onuw') === 'village');
    }
  });

  it('of cells seats agents by seat, then by side, then the others', () => {
    const contest = contestOf({
      games: [{ rules: 'avalon', players: 6 }],
      schedule: { kind: 'cells', deals: 3, cells: [{ name: 'x', seats: { 1: 'a0' }, sides: { evil: 'a1' }, others: 'a2' }] },
    });
    for (const { agents, seed, cell } of pairingsOf(contest)) {
      const wanted = dealOf(contest.games[0]!, seed).map((role): string => (sideOf(role, 'avalon') === 'evil' ? 'a1' : 'a2'));
      expect([cell, ...agents]).toEqual(['x', ...wanted.with(0, 'a0')]);
    }
  });

  it('draws groups without repetition, and others for other sets', () => {
    const pairings = pairingsOf(contestOf({ agents: agentsOf(9), schedule: { kind: 'set', sets: 20, games: 4 } }));
    for (const { agents, rounds } of pairings) expect([new Set(agents).size, rounds]).toEqual([5, 4]);
    expect(new Set(pairings.flatMap(({ agents }) => agents)).size).toBe(9);
  });

  it('says that there is no such pairing', () => {
    expect(() => planOf(contestOf()).at(10)).toThrow('there is no pairing 10; there are 10, from 0');
  });
});

describe('the contest of 2021', () => {
  const contest = contestOf({ agents: agentsOf(20), schedule: { kind: 'aiwolf-2021', preliminary: 40, final: 5, finalists: 5, games: 1 } });
  const results = pairingsOf(contest).map(({ number, agents }) => ({
    number,
    attempt: 1,
    games: [
      {
        id: `${number}/1`,
        rules: 'onuw',
        deal: 'd',
        winner: 'village',
        seats: agents.map((agent, seat) => ({ agent, seat, role: 'r', side: 's', won: Number(agent.slice(1)) > 14, points: 0 })),
      },
    ],
    faults: [],
    usage: [],
  }));

  it('plays its final among those who won the largest share before, once that is known', () => {
    const { count, total } = planOf(contest);
    expect([count, total]).toEqual([40, 45]);
    expect(finalistsOf(contest, results.slice(1))).toBeUndefined();
    const finalists = finalistsOf(contest, results)!;
    expect(finalists.toSorted()).toEqual(['a15', 'a16', 'a17', 'a18', 'a19']);
    const final = pairingsOf(contest, finalists).slice(40);
    expect(final).toHaveLength(5);
    for (const { agents } of final) expect(agents.toSorted()).toEqual(finalists.toSorted());
  });
});
