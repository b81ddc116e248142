import { LRUCache } from 'lru-cache';
import type { Recipe } from './mind.ts';
import type { ParameterValues } from './parameters.ts';
import { productRecipes } from './recipe/read-recipes.ts';
import { stepKinds } from './step-kinds.ts';

/** All recipes: the files in `recipes/` at the top of the repository. A mistake in one of them is thrown where that recipe is first used. */
export const recipes: readonly Recipe[] = productRecipes(stepKinds);

/** Recipes with chosen parameters: making one reads its prompts. */
const configured = new WeakMap<Recipe, LRUCache<string, Recipe>>();

/**
 * The recipe of a name, with some of its parameters chosen.
 * @throws Error listing the known recipes, or its parameters
 */
export function findRecipe(name: string, from: readonly Recipe[] = recipes, given: ParameterValues = {}): Recipe {
  const found = from.find((recipe) => recipe.name === name);
  if (!found) throw new Error(`there is no recipe ${name.slice(0, 60)}; there are ${from.map((recipe) => recipe.name).join(', ')}`);
  const [parameter] = Object.keys(given);
  if (parameter === undefined) return found;
  if (!found.configure) throw new Error(`the recipe ${name} has no parameter ${parameter.slice(0, 60)}; it has none`);
  const key = JSON.stringify(Object.entries(given).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const known = configured.get(found)?.get(key);
  if (known) return known;
  const made = found.configure(given);
  if (!configured.has(found)) configured.set(found, new LRUCache({ max: 1000 }));
  configured.get(found)!.set(key, made);
  return made;
}
