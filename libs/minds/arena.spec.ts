import { describe, expect, it } from '@jest/globals';
import { maw } from '@maw/games/maw/maw.ts';
import { playMany, playOne, type Tally, zOf } from './arena.ts';
import type { Recipe } from './mind.ts';
import { recipeNamed } from './recipes.ts';

const rules = recipeNamed('rules');
const random = recipeNamed('random');
/** Fewer thoughts in a day, so that hundreds of games take seconds. */
const SHORT = { dayMs: 60_000, nightMs: 30_000 };
/** One-sided, at the 99 % level. */
const BEYOND_DOUBT = 2.33;

const sides = (villagers: Recipe, wolves: Recipe) => (_: number, role: string) => (role === 'wolf' ? wolves : villagers);
const wins = (
  games: number,
  side: 'villagers' | 'wolves',
  villagers: Recipe,
  wolves: Recipe,
  players = 6,
  options: object = {},
): Promise<Tally> =>
  playMany(games, side, {
    rules: maw,
    players,
    options: { ...SHORT, ...options },
    seed: `${players}`,
    recipeFor: sides(villagers, wolves),
  });

describe('the player without a model', () => {
  it('wins more often as villagers than random play does, against random wolves', async () => {
    const better = await wins(200, 'villagers', rules, random);
    const floor = await wins(200, 'villagers', random, random);
    expect(zOf(better, floor)).toBeGreaterThan(BEYOND_DOUBT);
  }, 60_000);

  it('wins more often as wolves than random play does, against random villagers', async () => {
    const better = await wins(200, 'wolves', random, rules);
    const floor = await wins(200, 'wolves', random, random);
    expect(zOf(better, floor)).toBeGreaterThan(BEYOND_DOUBT);
  }, 60_000);

  it('does so with a seer at the table too', async () => {
    const options = { seer: true };
    const villagers = [
      await wins(60, 'villagers', rules, random, 7, options),
      await wins(60, 'villagers', random, random, 7, options),
    ] as const;
    expect(zOf(...villagers)).toBeGreaterThan(BEYOND_DOUBT);
    const wolves = [await wins(100, 'wolves', random, rules, 7, options), await wins(100, 'wolves', random, random, 7, options)] as const;
    expect(zOf(...wolves)).toBeGreaterThan(BEYOND_DOUBT);
  }, 60_000);

  it('meets its equal in itself: both sides win some games', async () => {
    const { games, wins: won } = await wins(100, 'villagers', rules, rules);
    expect(won).toBeGreaterThan(10);
    expect(won).toBeLessThan(games - 10);
  }, 60_000);
});

describe('the arena', () => {
  it('plays the same game again from the same seed', async () => {
    const play = (seed: string) => playOne({ rules: maw, players: 6, seed, recipeFor: () => rules });
    expect(await play('a')).toEqual(await play('a'));
    const others = await Promise.all(['b', 'c', 'd', 'e'].map(play));
    expect(new Set(others.map((outcome) => JSON.stringify(outcome))).size).toBeGreaterThan(1);
  });

  it('ends every game of every size', async () => {
    for (const players of [3, 4, 10]) {
      const { winner, points } = await playOne({ rules: maw, players, seed: 's', recipeFor: () => rules });
      expect(['villagers', 'wolves', 'draw']).toContain(winner);
      expect(points).toHaveLength(players);
    }
  });

  it('does not hide a mind that fails', async () => {
    const broken: Recipe = { ...random, steps: [{ kind: 'act', name: 'broken', run: () => Promise.reject(new Error('no idea')) }] };
    await expect(playOne({ rules: maw, players: 3, seed: 's', recipeFor: () => broken })).rejects.toThrow('no idea');
  });
});

describe('the comparison of two shares', () => {
  it('is the z of two proportions', () => {
    // 60 of 100 against 40 of 100: pooled .5, error sqrt(.25 * .02) = .0707, z = .2 / .0707
    expect(zOf({ games: 100, wins: 60 }, { games: 100, wins: 40 })).toBeCloseTo(2.828, 3);
    expect(zOf({ games: 100, wins: 40 }, { games: 100, wins: 60 })).toBeCloseTo(-2.828, 3);
    expect(zOf({ games: 10, wins: 10 }, { games: 10, wins: 10 })).toBe(0);
  });
});
