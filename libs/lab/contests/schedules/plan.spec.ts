import { describe, expect, it } from '@jest/globals';
import { catalogue, ruleSetNamed } from '@maw/games/catalogue.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
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
    { agents: agentsOf(20), schedule: { kind: 'aiwolf-2021', preliminary: 4, final: 3 } },
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

  /** How many sets each agent has had; nobody is twice in a group. */
  const setsOf = (pairings: readonly Pairing[]): number[] => {
    const counts = new Map<string, number>();
    for (const { agents } of pairings) {
      expect(new Set(agents).size).toBe(agents.length);
      for (const agent of agents) counts.set(agent, (counts.get(agent) ?? 0) + 1);
    }
    return [...counts.values()].toSorted((a, b) => a - b);
  };
  const isQuota = (counts: readonly number[], agents: number): boolean => counts.length === agents && counts.at(-1)! - counts[0]! <= 1;

  it('of sets gives everybody k sets or k + 1, in 200 drawn contests and after any of their sets', () => {
    for (let i = 0; i < 200; i++) {
      const agents = 5 + (i % 13);
      const sets = Math.ceil(agents / 5) + (i % 7);
      const contest = contestOf({ agents: agentsOf(agents), seed: `s${i}`, schedule: { kind: 'set', sets, games: 4 } });
      const pairings = pairingsOf(contest);
      expect(pairings[0]!.rounds).toBe(4);
      for (let after = Math.ceil(agents / 5); after <= sets; after++)
        expect([i, after, isQuota(setsOf(pairings.slice(0, after)), agents)]).toEqual([i, after, true]);
      // Planned again from its number alone.
      expect(planOf(contest).at(sets - 1)).toEqual(pairings.at(-1));
    }
  });

  it('of sets has quotas in each of its games and in its final, and other groups in other contests', () => {
    const games = [{ rules: 'onuw' }, { rules: 'maw', players: 7 }];
    const contest = contestOf({ agents: agentsOf(20), games, schedule: { kind: 'aiwolf-2021', preliminary: 9, final: 4, finalists: 8 } });
    const pairings = pairingsOf(contest, agentsOf(8).map(({ name }) => name)); // prettier-ignore
    for (const game of [0, 1]) {
      const own = pairings.filter((pairing) => pairing.game === game);
      expect([isQuota(setsOf(own.slice(0, 9)), 20), isQuota(setsOf(own.slice(9)), 8)]).toEqual([true, true]);
    }
    expect(pairingsOf({ ...contest, seed: 'other' })[0]!.agents).not.toEqual(pairings[0]!.agents);
  });

  it('of sets that was begun before is drawn as it was: each group from all agents', () => {
    const { schedule, ...contest } = contestOf({ agents: agentsOf(30), schedule: { kind: 'set', sets: 20, games: 1 } });
    const before = pairingsOf({ ...contest, schedule: { kind: 'set', sets: 20, games: 1 } });
    expect(schedule).toMatchObject({ even: true });
    expect(before[3]!.agents).toEqual(diceOf('maw/3', 'group').shuffle(contest.agents.map(({ name }) => name)).slice(0, 5)); // prettier-ignore
    expect(isQuota(setsOf(before), 30)).toBe(false);
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
