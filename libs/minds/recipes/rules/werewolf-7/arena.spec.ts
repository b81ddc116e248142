import { describe, expect, it } from '@jest/globals';
import { werewolf7 } from '@maw/games/werewolf-7/werewolf-7.ts';
import { countWins, type WinCount, zOf } from '../../../arena/arena.ts';
import type { Recipe } from '../../../mind.ts';
import { findRecipe } from '../../../recipes.ts';

const rules = findRecipe('rules');
const random = findRecipe('random');
/** One-sided, at the 99 % level. */
const BEYOND_DOUBT = 2.33;
const GAMES = 30;

const wins = (side: 'village' | 'werewolves', village: Recipe, wolves: Recipe, options: object = {}, games = GAMES): Promise<WinCount> =>
  countWins(games, side, {
    rules: werewolf7,
    players: 7,
    options: { ...options },
    seed: 'arena',
    recipeFor: (_, role) => (role === 'werewolf' ? wolves : village),
  });

describe('the player of seven-player Werewolf without a model', () => {
  it('wins more often as the village than random play does, against random wolves', async () => {
    expect(zOf(await wins('village', rules, random), await wins('village', random, random))).toBeGreaterThan(BEYOND_DOUBT);
  }, 600_000);

  it('wins more often as the wolves than random play does, against a random village', async () => {
    expect(zOf(await wins('werewolves', random, rules), await wins('werewolves', random, random))).toBeGreaterThan(BEYOND_DOUBT);
  }, 600_000);

  it.each([{ wolfWin: 'parity' }, { wolfWin: 'all-good-dead', revealNightRoles: true, lastWords: false, nightState: 'running' }])(
    'does so with other options too: %j',
    async (options) => {
      expect(zOf(await wins('village', rules, random, options), await wins('village', random, random, options))).toBeGreaterThan(
        BEYOND_DOUBT,
      );
      expect(zOf(await wins('werewolves', random, rules, options), await wins('werewolves', random, random, options))).toBeGreaterThan(
        BEYOND_DOUBT,
      );
    },
    60_000,
  );

  it('meets its equal in itself: both sides win some games', async () => {
    const { games, wins: won } = await wins('village', rules, rules);
    expect(won).toBeGreaterThan(3);
    expect(won).toBeLessThan(games - 3);
  }, 600_000);
});
