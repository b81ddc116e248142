import { describe, expect, it } from '@jest/globals';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import { type WinCount, zOf } from '../../minds/z-score.ts';
import { playOutcome } from '@maw/minds/arena/arena.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import { findRecipe } from '@maw/minds/recipes.ts';

/** The z of a one-sided test at the 99 % level. */
const SIGNIFICANT = 2.33;

interface Comparison {
  readonly side: string;
  readonly players?: number;
  readonly options?: object;
  /** Games of rules against random, and of random against random. The arena is deterministic, so a result that passes stays so. */
  readonly games: readonly [rules: number, random: number];
}

interface SelfPlay {
  readonly games: number;
  /** How many games each side wins at least. */
  readonly atLeast: number;
}

/** A short test that rules play a game better than random. `maw bench strength` measures how much better. */
export function strengthSuite(set: RuleSet, comparisons: readonly Comparison[], { games, atLeast }: SelfPlay, common: object = {}): void {
  const [rules, random] = [findRecipe('rules'), findRecipe('random')];

  const play = async (count: number, { players, options }: Partial<Comparison>, recipeFor: (role: string) => Recipe): Promise<string[]> => {
    const game = { rules: set, players: players ?? set.players.usual, options: { ...common, ...options } };
    const winners: string[] = [];
    for (let i = 0; i < count; i++)
      winners.push((await playOutcome({ ...game, seed: `strength/${i}`, recipeFor: (_, role) => recipeFor(role) })).winner);
    return winners;
  };
  const winsOf = (side: string, winners: readonly string[]): WinCount => ({
    games: winners.length,
    wins: winners.filter((winner) => winner === side).length,
  });
  /** The winners of random games, which both sides are compared with. */
  const floors = new Map<string, Promise<string[]>>();

  describe(`the strength of rules at ${set.name}`, () => {
    it.each(comparisons)('beats random play: %j', async (comparison) => {
      const { side, games: counts } = comparison;
      const key = JSON.stringify([comparison.players, comparison.options]);
      if (!floors.has(key))
        floors.set(
          key,
          play(counts[1], comparison, () => random),
        );
      const own = await play(counts[0], comparison, (role) => (set.sides![side]!.includes(role) ? rules : random));
      expect(zOf(winsOf(side, own), winsOf(side, await floors.get(key)!))).toBeGreaterThan(SIGNIFICANT);
    });

    it('is balanced: both sides win some games of self-play', async () => {
      const { wins } = winsOf(Object.keys(set.sides!)[0]!, await play(games, {}, () => rules));
      expect(wins).toBeGreaterThanOrEqual(atLeast);
      expect(wins).toBeLessThanOrEqual(games - atLeast);
    });
  });
}
