import { describe, expect, it } from '@jest/globals';
import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import { maw } from '@maw/games/maw/maw.ts';
import { playOutcome } from '@maw/minds/arena/arena.ts';
import { dayTwo } from '@maw/minds/fixtures.suite.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import { commonOrder } from '@maw/rule-players/shared/choosing.ts';

/** The quantile at which a fair game fails one time in a thousand, by degrees of freedom. The arena is deterministic: what passes stays so. */
const CHI_SQUARE_999 = { 3: 16.27, 4: 18.47, 5: 20.52 };

/**
 * The chi-square of a permutation test: whether the seats of the wolves tell who wins.
 * @param games for each game the seats of the wolves, and whether they won
 */
function seatBias(games: readonly { readonly pack: readonly number[]; readonly won: boolean }[], seats: number): number {
  const share = games.filter(({ won }) => won).length / games.length;
  const excess = Array.from({ length: seats }, () => 0);
  for (const { pack, won } of games) for (const seat of pack) excess[seat]! += Number(won) - share;
  const size = games[0]!.pack.length;
  const variance = (games.length * share * (1 - share) * size * (seats - size)) / (seats * (seats - 1));
  return excess.reduce((sum, one) => sum + one ** 2, 0) / variance;
}

describe('commonOrder', () => {
  const orderAt = (table: string, key = '1/1', seat = 0) => commonOrder({ ...dayTwo, table, seat }, key);

  it('is the same for every seat of a table, and another for other keys', () => {
    expect(orderAt('t', '1/1', 3)).toEqual(orderAt('t'));
    expect(new Set(Array.from({ length: 40 }, (_, day) => orderAt('t', `1/${day}`).join())).size).toBeGreaterThan(10);
  });

  it('puts every seat first equally often over many tables', () => {
    const firsts = Array.from({ length: 2000 }, (_, i) => orderAt(`table-${i}`)[0]);
    const counts = [0, 1, 2, 3].map((seat) => firsts.filter((first) => first === seat).length);
    expect(counts.reduce((sum, n) => sum + (n - 500) ** 2 / 500, 0)).toBeLessThan(CHI_SQUARE_999[3]);
  });
});

it.each([
  ['maw', maw, 6, 60, 'wolf', { dayMs: 30_000, nightMs: 15_000 }],
  ['aiwolf', aiwolf, 5, 80, 'werewolf', { turns: 2 }],
] as const)('wolves win as often from every seat at %s', async (_, set: RuleSet, players, count, wolf, options) => {
  const recipe = findRecipe('rules');
  const games: { pack: number[]; won: boolean }[] = [];
  for (let i = 0; i < count; i++) {
    const { roles, winners } = await playOutcome({ rules: set, players, options, seed: `seats/${i}`, recipeFor: () => recipe });
    const pack = roles.flatMap((role, seat) => (role === wolf ? [seat] : []));
    games.push({ pack, won: winners.includes(pack[0]!) });
  }
  expect(seatBias(games, players)).toBeLessThan(CHI_SQUARE_999[players === 5 ? 4 : 5]);
});
