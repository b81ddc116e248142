import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Mind, Moment } from '@maw/minds/mind.ts';
import { findRecipe, readRecipeFile, recipes } from '@maw/minds/recipes.ts';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';
import { describe, expect, it } from '@jest/globals';
import { forfeitsOf } from '../collect-result.ts';
import type { Contest, ContestInput } from '../definition.ts';
import { agentsOf, contestOf } from '../fixtures.suite.ts';
import type { PairingResult } from '../result.ts';
import { planOf } from '../schedules/plan.ts';
import { withBadMinds } from './bad-minds.suite.ts';
import { type ArenaOptions, playArena } from './play-arena.ts';
import { pairingPlayer } from './play-pairing.ts';

const onward = new AbortController().signal;

async function resultsOf(contest: Contest, given: Partial<ArenaOptions> = {}): Promise<readonly PairingResult[]> {
  const results: PairingResult[] = [];
  const from = Array.from({ length: planOf(contest).count }, (_, number) => number);
  const options = { from, workers: 2, signal: onward, each: (result: PairingResult) => void results.push(result), ...given };
  expect(await playArena(contest, options)).toBe(results.length);
  return results;
}

/** The results without other threads. */
async function played(contest: Contest): Promise<readonly PairingResult[]> {
  const play = pairingPlayer(contest, recipes);
  const plan = planOf(contest);
  const results: PairingResult[] = [];
  for (let number = 0; number < plan.count; number++) results.push(await play(plan.at(number), () => undefined));
  return results;
}

/** Won and lost seats by agent, forfeits among them. */
function tally(contest: Contest, results: readonly PairingResult[]): ReadonlyMap<string, { won: number; lost: number }> {
  const counts = new Map(contest.agents.map(({ name }) => [name, { won: 0, lost: 0 }]));
  const games = results.flatMap((result) => [...result.games, ...forfeitsOf(contest, planOf(contest).at(result.number), result)]);
  for (const { agent, won } of games.flatMap(({ seats }) => seats)) counts.get(agent)![won ? 'won' : 'lost']++;
  return counts;
}

describe('the arena of a contest', () => {
  const folder = temporaryFolder();

  it('gives each pairing once, in order, and the same on any number of threads and after an interruption', async () => {
    const contest = contestOf({ agents: agentsOf(5, 'rules'), schedule: { kind: 'balanced', deals: 3 }, measures: true });
    const whole = await resultsOf(contest);
    expect(whole.map(({ number }) => number)).toEqual(Array.from({ length: 15 }, (_, i) => i));
    expect(whole.every(({ games, records }) => games.length === 1 && records?.length === 1)).toBe(true);
    expect(JSON.stringify(await resultsOf(contest, { workers: 1 }))).toBe(JSON.stringify(whole));

    const stop = new AbortController();
    const begun: PairingResult[] = [];
    const each = (result: PairingResult): void => {
      begun.push(result);
      stop.abort();
    };
    await playArena(contest, { from: whole.map(({ number }) => number), workers: 2, signal: stop.signal, each });
    const left = whole.map(({ number }) => number).filter((number) => !begun.some((result) => result.number === number));
    const rest = await resultsOf(contest, { from: left });
    expect(JSON.stringify([...begun, ...rest].toSorted((a, b) => a.number - b.number))).toBe(JSON.stringify(whole));
  });

  it.each<Partial<ContestInput>>([
    { agents: agentsOf(2, 'rules'), schedule: { kind: 'sides', deals: 6 } },
    { agents: agentsOf(5, 'rules'), schedule: { kind: 'balanced', deals: 4 } },
    { agents: agentsOf(2, 'random'), games: [{ rules: 'avalon', players: 6 }], schedule: { kind: 'balanced', deals: 6 } },
  ])('lets twins tie on every deal: %j', async (given) => {
    const contest = contestOf(given);
    const results = await played(contest);
    const seats = results.flatMap(({ games }) => games.flatMap(({ deal, seats: of }) => of.map((seat) => ({ deal, ...seat }))));
    for (const own of Map.groupBy(seats, ({ deal }) => deal).values()) {
      const byAgent = [...Map.groupBy(own, ({ agent }) => agent).values()];
      expect(byAgent).toHaveLength(contest.agents.length);
      expect(new Set(byAgent.map((of) => of.filter(({ won }) => won).length)).size).toBe(1);
      expect(new Set(byAgent.map((of) => of.reduce((sum, { points }) => sum + points, 0))).size).toBe(1);
    }
    expect(new Set(seats.map(({ won }) => won)).size).toBe(2);
  });

  it('plays a set at one table, with another deal in each game', async () => {
    const contest = contestOf({ agents: agentsOf(6, 'rules'), schedule: { kind: 'set', sets: 2, games: 5 } });
    const results = await played(contest);
    for (const { games, number } of results) {
      expect(games.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5].map((round) => `${number}/${round}`));
      for (const { seats } of games) expect(seats.map(({ agent }) => agent)).toEqual(planOf(contest).at(number).agents);
      expect(new Set(games.map(({ seats }) => seats.map(({ role }) => role).join())).size).toBeGreaterThan(1);
    }
  });

  it('plays recipes of files', async () => {
    const file = join(folder, 'mine.yaml');
    writeFileSync(file, 'name: mine\ndescription: My own.\nmodel: false\nsteps: [observe, random]\n');
    const own = [...recipes, readRecipeFile(file)];
    const contest = contestOf({ agents: agentsOf(5, 'mine'), schedule: { kind: 'balanced', deals: 1 } }, own);
    const results = await resultsOf(contest, { recipes: own, workers: 1 });
    expect(results.flatMap(({ games }) => games)).toHaveLength(5);
    await expect(resultsOf(contest, { workers: 1 })).rejects.toThrow('there is no recipe mine');
  });

  it('keeps nothing of a game that is over', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const seen: WeakRef<object>[] = [];
    const look = async (_: Mind, moment: Moment) => {
      seen.push(new WeakRef(moment), ...moment.news.map((news) => new WeakRef(news)));
      return {};
    };
    const steps = [{ kind: 'observe', name: 'look', run: look } as const, ...findRecipe('rules').steps];
    const own = [...recipes, { name: 'watched', description: 'Plays by rules.', usesModel: false, contextTokens: 0, steps }];
    const contest = contestOf({ agents: agentsOf(5, 'watched'), games: [{ rules: 'aiwolf', players: 5 }] }, own);
    const play = pairingPlayer(contest, own);
    const results = [await play(planOf(contest).at(0), () => undefined), await play(planOf(contest).at(1), () => undefined)];
    expect(seen.length).toBeGreaterThan(100);
    const isGone = (): boolean => {
      collectGarbage();
      return seen.every((each) => each.deref() === undefined);
    };
    for (let tries = 0; tries < 1_000 && !isGone(); tries++) await pause(20); // what a promise or a weak reference holds is let go later
    expect(isGone()).toBe(true);
    expect(results).toHaveLength(2);
  });

  it('blames minds that fail, and lets the games of the others count', async () => {
    const fails: readonly (readonly [string, RegExp])[] = [
      ['throws', /^step throws of recipe throws failed: no idea$/],
      ['garbled', /is not iterable/],
    ];
    const names = [...fails.map(([name]) => name), 'rubbish', 'rules'];
    const agents = [{ name: 'good', recipe: 'random' }, ...names.map((recipe) => ({ name: recipe, recipe }))];
    const cells = names.map((name) => ({ name, seats: { 2: name }, others: 'good' }));
    const contest = contestOf(
      { agents, games: [{ rules: 'onuw', players: 3 }], schedule: { kind: 'cells', deals: 1, cells } },
      withBadMinds,
    );
    const results = await resultsOf(contest, { module: new URL('bad-worker.suite.ts', import.meta.url) });

    for (const [number, [culprit, why]] of fails.entries()) {
      const result = results[number]!;
      expect(result).toMatchObject({ number, attempt: 2, games: [], void: { culprit, why: expect.stringMatching(why) } });
      expect(result.faults).toContainEqual({ agent: culprit, seat: 1, kind: 'crashed', times: 1 });
    }
    const [rubbish, rules] = results.slice(fails.length);
    expect(rubbish!.faults).toMatchObject([
      { agent: 'rubbish', seat: 1, kind: 'late', times: expect.any(Number) },
      { agent: 'rubbish', seat: 1, kind: 'invalid', times: expect.any(Number) },
    ]);
    expect(rules).toMatchObject({ attempt: 1, faults: [], games: [{ id: `${names.length - 1}/1` }] });
    expect(results).toHaveLength(names.length);

    const counts = tally(contest, results);
    for (const [name] of fails) expect(counts.get(name)).toEqual({ won: 0, lost: 1 });
    expect(counts.get('good')!.won + counts.get('good')!.lost).toBe(4); // two seats in each of the two games that were played
  });

  it.each([
    ['waits', 'it did not go on for 3 s', 3_000], // a busy machine also thinks long
    ['spins', 'it did not go on for 3 s', 3_000],
    ['exits', 'its thread failed: worker exited with code: 3', 60_000],
  ])('ends with the name of an agent that %s', async (name, why, patienceMs) => {
    const agents = [name, 'random'].map((recipe) => ({ name: recipe, recipe }));
    const cells = [{ name: 'with', seats: { 2: name }, others: 'random' }];
    const contest = contestOf(
      { agents, games: [{ rules: 'onuw', players: 3 }], schedule: { kind: 'cells', deals: 2, cells } },
      withBadMinds,
    );
    const module = new URL('bad-worker.suite.ts', import.meta.url);
    await expect(resultsOf(contest, { module, patienceMs, workers: 1 })).rejects.toThrow(`pairing 0, the agent ${name}: ${why}`);
  });
});
