import { afterEach, expect, it } from '@jest/globals';
import type { ContestInput } from '@maw/lab/contests/definition.ts';
import { readContest } from '@maw/lab/contests/read-contest.ts';
import { planOf } from '@maw/lab/contests/schedules/plan.ts';
import { nextPoolVersion } from '@maw/lab/training/experience/build.ts';
import { type ContestSystem, reasonOf, smallContest, startSystem, tableAt } from './system.suite.ts';

let here: ContestSystem;
afterEach(() => here.close());

const DEALS = 3;
const given = smallContest({
  agents: [
    { name: 'lan', recipe: 'lan', learns: true },
    { name: 'xu', recipe: 'xu', parameters: { who: 'all' }, learns: true },
    { name: 'fixed', recipe: 'lan', parameters: { learning: 'off' } },
    { name: 'rules', recipe: 'rules' },
  ],
  schedule: {
    kind: 'cells',
    deals: DEALS,
    cells: [
      { name: 'lan-xu', seats: { 1: 'lan', 2: 'lan' }, others: 'xu' },
      { name: 'lan-rules', seats: { 1: 'lan' }, others: 'rules' },
      { name: 'fixed-rules', seats: { 1: 'fixed' }, others: 'rules' },
    ],
  },
});

interface Opening {
  readonly seats: readonly { readonly parameters?: { readonly strategies?: string; readonly experience?: string } }[];
}

/** With which strategies and pool a seat of a pairing began. */
async function began(number: number, seat: number): Promise<string | undefined> {
  const [opened] = await here.store.tapes.read(tableAt(number));
  const { parameters = {} } = (opened!.event as unknown as { opening: Opening }).opening.seats[seat]!;
  return parameters.strategies ?? parameters.experience;
}

const beganAll = (row: number, seat: number) => Promise.all([0, 1, 2].map((deal) => began(deal * 3 + row, seat)));

const openedAt = async (number: number): Promise<number> => (await here.store.tapes.read(tableAt(number)))[0]!.at;
const learnedFrom = async (set: string) => {
  const newest = await here.store.strategies.newest(set);
  return (await here.store.strategies.list(set)).map(({ newest: count, games }) => ({ count, games, roles: newest.length }));
};

it('lets agents take what they learn to the next game of their cell, once, though they are interrupted', async () => {
  here = await startSystem({ resendMs: 50 });
  await here.startModels();
  let [playing, contests] = [await here.startPlayer(), await here.startContests({ pollMs: 50 })];
  expect(await here.open('c', given)).toMatchObject({ performative: 'agree' });
  for (const number of [3, 6]) {
    await here.untilTable(tableAt(number));
    await Promise.all([contests.close(), playing.close()]);
    [playing, contests] = [await here.startPlayer(), await here.startContests({ pollMs: 50 })];
  }
  const { games } = await here.untilState('c', 'finished');
  expect(games).toBe(9);

  // Two seats of lan learn from each game: its versions go up by two, and never while a game of the cell is played.
  expect(await beganAll(0, 0)).toEqual(['c-1-1@0+', 'c-1-1@2+', 'c-1-1@4+']);
  expect(await beganAll(0, 1)).toEqual(['c-1-1@0+', 'c-1-1@2+', 'c-1-1@4+']);
  expect(await learnedFrom('c-1-1')).toMatchObject([{ count: 6, games: DEALS }]);
  expect(await beganAll(1, 0)).toEqual(['c-2-1@0+', 'c-2-1@1+', 'c-2-1@2+']);
  expect(await learnedFrom('c-2-1')).toMatchObject([{ count: 3, games: DEALS }]);
  expect(await beganAll(2, 0)).toEqual(['off', 'off', 'off']);
  expect((await here.store.strategies.list()).map(({ name }) => name)).toEqual(['c-1-1', 'c-2-1']);

  // The pool of xu has a version for each game, with the decisions of its own seat alone.
  expect(await beganAll(0, 2)).toEqual([undefined, 'c-1-2@1', 'c-1-2@2']);
  const pools = await here.store.experience.list();
  expect(pools.map(({ name, version, games: of }) => [name, version, of])).toEqual([1, 2, 3].map((n) => ['c-1-2', n, n]));
  const entries = await here.store.experience.entries('c-1-2', 3, { limit: 10_000 });
  expect(entries.length).toBe(pools[2]!.entries);
  const game = { table: tableAt(6), seats: [2] };
  for (const version of [3, 4]) {
    await here.store.experience.create({ name: 'c-1-2', version, at: 1, about: {} }); // what an interruption may leave
    await nextPoolVersion(here.store, { name: 'c-1-2', version, at: 1, rules: 'onuw', game });
    expect(await here.store.experience.entries('c-1-2', version, { limit: 10_000 })).toEqual(entries);
  }
  const plan = planOf(readContest(JSON.stringify(given)));
  expect(plan.at(0).agents).toEqual(['lan', 'lan', 'xu']);
  const retrieved = (await here.store.thoughts.list(tableAt(6), { seat: 2 })).flatMap(({ content }) => content['retrieved'] ?? []);
  expect(retrieved).toContainEqual(expect.objectContaining({ pool: 'c-1-2@2' }));

  const results = await here.results('c');
  expect(results.map(({ number, attempt, void: broken }) => [number, attempt, broken])).toEqual(
    Array.from({ length: 9 }, (_, number) => [number, 1, undefined]),
  );
  for (const number of [3, 6, 4, 7]) {
    const tape = await here.store.tapes.read(tableAt(number - 3));
    expect(await openedAt(number)).toBeGreaterThanOrEqual(tape.find(({ event }) => event.type === 'scored')!.at);
  }
});

it('goes on with the pool as it was when a game of the cell breaks off for good', async () => {
  here = await startSystem();
  await here.startModels();
  await here.startContests({ pollMs: 50 });
  const agents: ContestInput['agents'] = [{ name: 'xu', recipe: 'xu', learns: true }];
  await here.open('c', { ...given, agents, schedule: { kind: 'cells', deals: 2, cells: [{ name: 'all', others: 'xu' }] } });
  for (const attempt of [1, 2, 3]) {
    await here.untilTable(tableAt(0, attempt));
    await here.abort(tableAt(0, attempt));
  }
  await here.startPlayer(); // it is asked for what the minds of the last table took
  await here.untilState('c', 'finished');
  expect(await began(1, 0)).toBe('c-1-1@1');
  const pools = await here.store.experience.list();
  expect(pools.map(({ version, games }) => [version, games])).toEqual([
    [1, 0],
    [2, 1],
  ]);
});

it('is refused where an agent would begin with what others have learnt, and not when it is opened again', async () => {
  here = await startSystem();
  await here.startContests();
  const agents: ContestInput['agents'] = [{ name: 'xu', recipe: 'xu', parameters: { who: 'all' }, learns: true }, given.agents[0]!];
  const open = async (id: string) => reasonOf((await here.open(id, { ...given, agents, schedule: { kind: 'sides', deals: 1 } })) as never);
  const lesson = {
    name: 'lr-2-2',
    recipe: 'lan',
    rules: 'onuw',
    role: 'seer',
    parent: 0,
    table: 't',
    round: 1,
    seat: 0,
    at: 1,
    lesson: {},
  };
  await here.store.strategies.add(lesson);
  await here.store.experience.create({ name: 'xp-1-1', version: 1, at: 1, about: {} });
  expect([await open('lr'), await open('xp'), await open('c')]).toEqual([
    'bad-contest: there is a set of strategies lr-2-2 already, and lan would begin with it; give the contest another name',
    'bad-contest: there is a pool of experience xp-1-1 already, and xu would begin with it; give the contest another name',
    undefined,
  ]);
  await here.store.strategies.add({ ...lesson, name: 'c-1-2' });
  expect(await open('c')).toBeUndefined();
});

it('is refused where nothing can be learned from game to game', async () => {
  here = await startSystem();
  await here.startContests();
  const [lan, , fixed, rules] = given.agents;
  const refused = async (changed: object) => reasonOf((await here.ask('contest.open', 'c', { contest: { ...given, ...changed } })) as never); // prettier-ignore
  const learns = { learns: true };
  const schedule = { kind: 'sides', deals: 1 };
  expect(await refused({ agents: [lan, rules], schedule: { kind: 'balanced', deals: 1 } })).toMatch(
    /agents\.0\.learns: the schedule balanced has no cells; cells and sides have/,
  );
  expect(await refused({ agents: [lan, rules], schedule, play: 'arena' })).toMatch(
    /agents\.0\.learns: play: arena keeps nothing from game to game/,
  );
  for (const agent of [
    fixed,
    rules,
    { ...lan, parameters: { strategies: 'house' } },
    { name: 'x', recipe: 'xu', parameters: { experience: 'a@1' } },
  ])
    expect(await refused({ agents: [{ ...agent, name: 'x', ...learns }, lan], schedule })).toMatch(
      /agents\.0\.learns: \w+ with these parameters takes nothing along: it needs/,
    );
  const xu = given.agents[1];
  expect(await refused({ agents: [xu, lan], schedule: { ...schedule, deals: 201 } })).toMatch(
    /agents\.0\.learns: 201 deals are too many to learn from experience: each adds a copy of the pool; name at most 200/,
  );
  expect(await refused({ agents: [lan, fixed], schedule: { ...schedule, deals: 201 } })).toBeUndefined();
  const away = { name: 'away', outside: 'away', over: 'http', ...learns };
  expect(await refused({ agents: [away, lan], schedule, seed: undefined })).toMatch(
    /agents\.0\.learns: an outside agent has its own memory/,
  );
});
