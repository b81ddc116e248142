import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@maw/tests/equipment/source/repository.ts';
import { runMaw } from '../command.suite.ts';
import { demandOf, type PlanTerms } from './demand.ts';
import { base, call, limits, memories, plannedRecipes, plannedRules, recipeLoad, type RecipeLoad, rows } from './measured.ts';
import { simulatePool } from './model-pool.ts';

const benchmarks = readFileSync(join(root, 'docs/benchmarks.md'), 'utf8');
const terms = (more: Partial<PlanTerms> = {}): PlanTerms => ({
  games: 100,
  load: recipeLoad('xu', 'maw'),
  minutes: 10,
  callSeconds: 3,
  answerTokens: 100,
  price: { prompt: 1, answer: 2 },
  ...more,
});

describe('the figures of a plan', () => {
  it('name sections of docs/benchmarks.md', () => {
    for (const group of [base, call, limits, rows, ...Object.values(memories)])
      for (const { section } of Object.values(group)) expect(benchmarks).toContain(`\n## ${section}\n`);
  });

  it('are the published ones of each recipe and rule set', () => {
    const published = benchmarks.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
    for (const recipe of plannedRecipes.filter((name) => name !== 'rules'))
      for (const rules of plannedRules) {
        const row = published.find((cells) => cells[1] === recipe && cells[2] === rules)!;
        const { decisions, calls, chain, promptTokens } = recipeLoad(recipe, rules);
        expect([recipe, rules, ...row.slice(3, 7).map(Number)]).toEqual([recipe, rules, decisions, calls, chain, promptTokens]);
      }
  });
});

describe('what games at once need', () => {
  it('follows from one game: 100 games of 880 calls in ten minutes', () => {
    const demand = demandOf(terms());
    expect(demand.callsPerGame).toBe(880);
    expect(demand.callsPerSecond).toBeCloseTo((100 / 600) * 880, 10);
    expect(demand.slots).toEqual({ busy: expect.closeTo(440, 10), wanted: 550 });
    expect(demand.decisionSeconds).toBe(15);
    expect(demand.tokensPerGame).toEqual({ prompt: 749_440, answer: 88_000 });
    expect(demand.costPerGame).toBeCloseTo(0.92544, 10);
    expect(demand.messagesPerSecond).toBeCloseTo((100 / 600) * (449 + 880 * 2.5), 10);
  });

  it('doubles with the games, and so does every processor', () => {
    const [one, two] = [demandOf(terms()), demandOf(terms({ games: 200 }))];
    expect(two.services.map(({ processors }) => processors)).toEqual(
      one.services.map(({ processors }) => expect.closeTo(2 * processors, 10)),
    );
    expect(two.bytesPerDay).toBeCloseTo(2 * one.bytesPerDay, 3);
    expect(two.limits.map(({ games }) => games)).toEqual(one.limits.map(({ games }) => games));
  });

  it('names the limit that is hit first', () => {
    const namesOf = (load: RecipeLoad) => demandOf(terms({ load })).limits.map(({ name }) => name);
    expect(namesOf(recipeLoad('xu', 'maw'))).toEqual(['messages', 'calls of models', 'events']);
    expect(namesOf(recipeLoad('rules', 'maw'))).toEqual(['messages', 'events', 'calls of models']);
    expect(demandOf(terms()).limits[0]!.games).toBe(Math.floor(limits.broker.value / ((449 + 880 * 2.5) / 600)));
  });
});

describe('the simulated model pool', () => {
  const pool = (slots: number, games = 20) => simulatePool({ games, slots, load: recipeLoad('react', 'maw'), minutes: 10, callSeconds: 3 });

  it('is as busy as the calls of its games make it', () => {
    // 20 games x 80 calls x 3 s in 600 s: eight slots' time.
    expect(pool(16).utilisation).toBeGreaterThan(0.45);
    expect(pool(16).utilisation).toBeLessThan(0.55);
  });

  it('makes calls wait when it is too small, and none when it is large', () => {
    expect(pool(4)).toMatchObject({ utilisation: expect.closeTo(1, 1), games: 20, slots: 4 });
    expect(pool(4).wait.p50).toBeGreaterThan(60);
    expect(pool(100).wait.p99).toBe(0);
  });

  it('makes calls in a row take one after the other', () => {
    const xu = simulatePool({ games: 2, slots: 1000, load: recipeLoad('xu', 'maw'), minutes: 10, callSeconds: 3 });
    expect(xu.decision.p50).toBeGreaterThan(4 * 3);
  });

  it('is made smaller in proportion where there are many games', () => {
    expect(pool(1000, 20_000)).toMatchObject({ games: 200, slots: 10 });
  });
});

describe('maw plan', () => {
  it('says what is needed, what is assumed, and how many cells that makes', async () => {
    const { code, out } = await runMaw(['plan', '--games', '10000', '--recipe', 'xu', '--model', 'qwen3:8b'], { cwd: root, env: {} });
    expect(code).toBe(0);
    expect(out).toContain('10,000 games of maw at once, 6 seats each, recipe xu with qwen3:8b.');
    expect(out).toContain('Assumed: a game takes 15 minutes, a call holds a slot for 3 s, an answer has 150 tokens.');
    expect(out).toMatch(/Messages are the first limit: one cell bears 2,278 such games, these need 5 cells/);
  });

  it('says when the slots that are given are too few', async () => {
    const { out } = await runMaw(['plan', '--recipe', 'xu', '--slots', '8'], { cwd: root, env: {} });
    expect(out).toContain('These slots are too few');
  });
});
