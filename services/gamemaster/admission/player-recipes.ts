import type { Data } from '@maw/contracts/contracts.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import type { RecipeCard } from '@maw/recipes/card.ts';

/** A process of the player service that has been silent for so long is ignored, in milliseconds: it may have been replaced by another one. */
const MAX_SILENCE_MS = 5_000;

/** Which recipes the processes of the player service know, by their signs of life. */
export interface PlayerRecipes {
  hear(sign: Data<'service.alive'>): void;
  /**
   * @param at where the recipe stands in the request, such as `seats.2.`
   * @param own the recipes of the gamemaster
   * @throws Refusal bad-option for a recipe that only one of the two services knows, or not each process of the player service
   */
  checkRecipe(name: string, at: string, own: readonly RecipeCard[]): void;
}

/** The two services may have been started with different recipes of their own. A process that has not said which it knows is not judged. */
export function playerRecipes(now: () => number): PlayerRecipes {
  const said = new Map<string, { readonly recipes: readonly string[]; readonly at: number }>();
  return {
    hear({ replica, recipes }) {
      if (recipes) said.set(replica, { recipes, at: now() });
      for (const [other, { at }] of said) if (now() - at > MAX_SILENCE_MS) said.delete(other);
    },
    checkRecipe(name, at, own) {
      const players = [...said.values()].filter((sign) => now() - sign.at <= MAX_SILENCE_MS);
      const knowing = players.filter(({ recipes }) => recipes.includes(name)).length;
      const isHere = own.some((recipe) => recipe.name === name);
      if (isHere ? knowing === players.length : !knowing) return;
      const [one, other] = ['the gamemaster', knowing ? 'a process of the player service' : 'the player service'];
      const [has, lacks] = isHere ? [one, other] : ['the player service', one];
      throw new Refusal('bad-option', `${at}recipe: ${has} knows ${name}, but ${lacks} does not; start both with the same RECIPES_DIR`);
    },
  };
}
