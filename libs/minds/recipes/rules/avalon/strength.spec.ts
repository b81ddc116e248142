import { describe, expect, it } from '@jest/globals';
import { avalon } from '@maw/games/avalon/avalon.ts';
import { isEvil, type Role, type Side } from '@maw/games/avalon/state.ts';
import { countWins, type WinCount, zOf } from '../../../arena/arena.ts';
import type { Recipe } from '../../../mind.ts';
import { findRecipe } from '../../../recipes.ts';

const rules = findRecipe('rules');
const random = findRecipe('random');
/** One-sided, at the 99 % level. */
const BEYOND_DOUBT = 2.33;

const wins = (games: number, side: Side, good: Recipe, evil: Recipe, players = 6, options: object = {}): Promise<WinCount> =>
  countWins(games, side, {
    rules: avalon,
    players,
    options: { ...options },
    seed: `${players}`,
    recipeFor: (_, role) => (isEvil(role as Role) ? evil : good),
  });

describe('the player of Avalon without a model', () => {
  it.each([
    [5, 120, 30],
    [6, 45, 30],
    [8, 40, 30],
  ])(
    'wins with %i players more often than random play does, against random play, on either side',
    async (players, games, fewer) => {
      const floor = await wins(games, 'good', random, random, players);
      const good = await wins(games, 'good', rules, random, players);
      expect(zOf(good, floor)).toBeGreaterThan(BEYOND_DOUBT);
      const evil = await wins(fewer, 'evil', random, rules, players);
      expect(zOf(evil, { games, wins: games - floor.wins })).toBeGreaterThan(BEYOND_DOUBT); // there are no draws
    },
    60_000,
  );

  it('meets its equal in itself: both sides win some games', async () => {
    const { games, wins: won } = await wins(20, 'good', rules, rules);
    expect(won).toBeGreaterThan(games / 10);
    expect(won).toBeLessThan((games * 9) / 10);
  }, 600_000);

  it.each([
    { assassination: 'any-quest' },
    { fifth: 'forced', approval: 'half' },
    { talk: false, goodMayFail: true },
    { roles: { merlin: 1, servant: 3, assassin: 1, oberon: 1 }, maxChars: 20 },
  ])('plays with %j too', async (options) => {
    const { games, wins: won } = await wins(3, 'good', rules, rules, 6, options);
    expect(won).toBeLessThanOrEqual(games);
  });
});
