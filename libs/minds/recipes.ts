import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Recipe } from './mind.ts';
import type { ParameterValues } from './parameters.ts';
import { productRecipes, readRecipes } from './recipe/read-recipes.ts';
import { RecipeError } from './recipe/yaml-file.ts';
import { stepKinds } from './step-kinds.ts';

/** All recipes: the files in `recipes/` at the top of the repository. A mistake in one of them is thrown where that recipe is first used. */
export const recipes: readonly Recipe[] = productRecipes(stepKinds);

/**
 * The recipes of the product, and others.
 * @param others by file
 * @throws RecipeError for a name that two have
 */
export function withOthers(others: readonly { readonly file: string; readonly recipe: Recipe }[]): readonly Recipe[] {
  const all = [...recipes];
  const taken: string[] = [];
  for (const { file, recipe } of others) {
    if (all.some(({ name }) => name === recipe.name))
      taken.push(`${file}: there is a recipe ${recipe.name} already; give this one another name`);
    all.push(recipe);
  }
  if (taken.length) throw new RecipeError(taken);
  return all;
}

/**
 * The recipes of the product, and those in the YAML files of a folder.
 * @throws RecipeError with every mistake
 */
export const recipesWith = (folder: string | undefined): readonly Recipe[] =>
  folder === undefined ? recipes : withOthers(readRecipes(stepKinds, folder).map((recipe) => ({ file: folder, recipe })));

/** The environment variable of services that know recipes. */
export const recipeFields = {
  RECIPES_DIR: z
    .string()
    .superRefine((folder, context) => {
      try {
        recipesWith(folder);
      } catch (error) {
        if (!(error instanceof RecipeError)) throw error;
        for (const message of error.mistakes) context.addIssue({ code: 'custom', message });
      }
    })
    .optional()
    .describe('Folder with recipes of your own (*.yaml) beside those of the product; the same for gamemaster, player and contest'),
};

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
