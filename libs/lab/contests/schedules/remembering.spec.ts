import { describe, expect, it } from '@jest/globals';
import { dealOf } from '../deal.ts';
import type { Contest, ContestInput, Schedule } from '../definition.ts';
import { contestOf } from '../fixtures.suite.ts';
import { drawSeed, isSealed } from '../seed.ts';
import { type Pairing, planOf } from './plan.ts';

interface Table {
  readonly deal: string;
  readonly agents: readonly string[];
  readonly roles: readonly string[];
}

const foxes = (count: number): ContestInput['agents'] =>
  Array.from({ length: count }, (_, i) => ({ name: `f${i}`, outside: `fox-${'abcdefgh'[i]}` }));

/** A contest of the protocol division that has begun. */
const begun = (agents: ContestInput['agents'], schedule: Schedule, players = 5): Contest => ({
  ...contestOf({ agents, games: [{ rules: 'aiwolf', players }], schedule }),
  seed: '0123456789abcdef0123456789abcdef',
});

const tableOf = ({ games }: Contest, { deal, seed, agents }: Pairing): Table => ({ deal, agents, roles: dealOf(games[0]!, seed) });

const tablesOf = (contest: Contest, attempt = 1): readonly Table[] => {
  const plan = planOf(contest);
  return Array.from({ length: plan.count }, (_, number) => tableOf(contest, plan.at(number, attempt)));
};

/**
 * How much more often than by chance an agent guesses roles of others that it was not told, in standard deviations: at each table it takes the roles
 * of any table of the same deal that it sat at and that fits its own seats.
 */
function knowledgeOf(agent: string, tables: readonly Table[], remembered = tables): number {
  let surplus = 0;
  let variance = 0;
  const ofDeal = Map.groupBy(remembered, ({ deal }) => deal);
  for (const table of tables) {
    const { deal, agents, roles } = table;
    const own = agents.flatMap((each, seat) => (each === agent ? [seat] : []));
    const hidden = roles.flatMap((role, seat) => (own.includes(seat) ? [] : [{ role, seat }]));
    if (!own.length) continue;
    for (const other of ofDeal.get(deal) ?? []) {
      if (other === table || !other.agents.includes(agent) || own.some((seat) => other.roles[seat] !== roles[seat])) continue;
      for (const { role, seat } of hidden) {
        const guess = other.roles[seat];
        const chance = hidden.filter((each) => each.role === guess).length / hidden.length;
        surplus += Number(role === guess) - chance;
        variance += chance * (1 - chance);
      }
    }
  }
  return variance ? surplus / Math.sqrt(variance) : 0;
}

const minds = ['a', 'b', 'c'].map((name) => ({ name, recipe: 'random' }));
const cell = (name: string, sides: { readonly [side: string]: string }, seats = {}) => ({ name, sides, seats, others: 'a' });
const schedules: readonly (readonly [string, Contest])[] = [
  ['balanced', begun([...foxes(2), ...minds], { kind: 'balanced', deals: 30 })],
  ['balanced, where some pause', begun(foxes(8), { kind: 'balanced', deals: 30 })],
  ['balanced, fifteen seats', begun(foxes(5), { kind: 'balanced', deals: 8 }, 15)],
  ['sides', begun(foxes(2), { kind: 'sides', deals: 80 })],
  ['cross', begun(foxes(3), { kind: 'cross', deals: 30 })],
  [
    'cells',
    begun([...foxes(2), ...minds], {
      kind: 'cells',
      deals: 30,
      cells: [
        cell('one', { werewolves: 'f0' }),
        cell('two', { werewolves: 'f1' }, { 1: 'f0' }),
        cell('three', {}, { 2: 'f0', 3: 'f1' }),
        cell('four', {}, { 2: 'f0', 3: 'f1' }),
      ],
    }),
  ],
];

describe.each(schedules)('an outside agent that remembers all games, in %s', (_, contest) => {
  const outside = contest.agents.filter((agent) => agent.outside !== undefined).map(({ name }) => name);
  const known = { ...contest, seed: 'maw' };
  const most = (tables: readonly Table[], remembered?: readonly Table[]) =>
    Math.max(...outside.map((agent) => knowledgeOf(agent, tables, remembered)));

  it('guesses roles no better than by chance, also when a table is played again', () => {
    expect(isSealed(contest)).toBe(true);
    expect(most(tablesOf(contest))).toBeLessThan(4.5);
    expect(most(tablesOf(contest, 2), tablesOf(contest))).toBeLessThan(4.5);
  });

  it('would know roles if the seats stayed, were drawn once for a deal, or stayed when a table is played again', () => {
    expect(most(tablesOf(known))).toBeGreaterThan(8);
    expect(most(tablesOf(known, 2), tablesOf(known))).toBeGreaterThan(8);
    const tables = tablesOf(contest);
    const firsts = new Map(tables.toReversed().map(({ deal, roles }) => [deal, roles]));
    expect(most(tables.map((table) => ({ ...table, roles: firsts.get(table.deal)! })))).toBeGreaterThan(8);
  });

  it('has the roles of the schedule, as in a contest whose seats stay', () => {
    const held = (tables: readonly Table[]) =>
      tables.map(({ agents, roles }) => agents.map((agent, i) => `${agent} ${roles[i]}`).toSorted());
    const stays = { ...contest, agents: contest.agents.map(({ name }) => ({ name, recipe: 'random' })) };
    expect(isSealed(stays)).toBe(false);
    expect(held(tablesOf(contest))).toEqual(held(tablesOf(stays)));
    expect(tablesOf(contest).map(({ agents }) => agents.join())).not.toEqual(tablesOf(stays).map(({ agents }) => agents.join()));
    for (const attempt of [2, 3]) expect(held(tablesOf(contest, attempt))).toEqual(held(tablesOf(contest)));
  });
});

it('a contest without a seed deals nothing, and two that draw theirs deal differently', () => {
  const { seed: _, ...unbegun } = contestOf();
  expect(() => planOf(unbegun).at(0)).toThrow('the contest test has no seed yet: one is drawn when it begins');
  expect(planOf(unbegun).total).toBe(10);
  expect(drawSeed()).not.toBe(drawSeed());
});
