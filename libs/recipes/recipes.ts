import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { readCard, type RecipeCard } from './card.ts';
import type { ParameterValues } from './parameters.ts';
import { type Load, productRecipes, readRecipes } from './read-recipes.ts';
import { RecipeError } from './yaml-file.ts';

/** The cards of all recipes: the files in `recipes/` at the top of the repository. A mistake in one of them is thrown where that card is first used. */
export const cards: readonly RecipeCard[] = productRecipes(readCard);

/** The same with those in the YAML files of a folder. @throws RecipeError with every mistake */
export const cardsWith = (folder: string | undefined): readonly RecipeCard[] => withFolder(cards, folder, readCard);

/**
 * The recipes of the product, and those in the YAML files of a folder.
 * @throws RecipeError with every mistake
 */
export const withFolder = <R extends RecipeCard>(product: readonly R[], folder: string | undefined, load: Load<R>): readonly R[] =>
  folder === undefined
    ? product
    : withOthers(
        product,
        readRecipes(folder, load).map((recipe) => ({ file: folder, recipe })),
      );

/**
 * The recipes of the product, and others.
 * @param others by file
 * @throws RecipeError for a name that two have
 */
export function withOthers<R extends RecipeCard>(
  product: readonly R[],
  others: readonly { readonly file: string; readonly recipe: R }[],
): readonly R[] {
  const all = [...product];
  const taken: string[] = [];
  for (const { file, recipe } of others) {
    if (all.some(({ name }) => name === recipe.name))
      taken.push(`${file}: there is a recipe ${recipe.name} already; give this one another name`);
    all.push(recipe);
  }
  if (taken.length) throw new RecipeError(taken);
  return all;
}

/** The environment variable of services that know recipes. @param read what the service reads of them, to find every mistake */
export const recipeFields = (read: (folder: string) => unknown) => ({
  RECIPES_DIR: z
    .string()
    .superRefine((folder, context) => {
      try {
        read(folder);
      } catch (error) {
        if (!(error instanceof RecipeError)) throw error;
        for (const message of error.mistakes) context.addIssue({ code: 'custom', message });
      }
    })
    .optional()
    .describe('Folder with recipes of your own (*.yaml) beside those of the product; the same for gamemaster, player and contest'),
});

/** A card or a recipe that stays one with other values. */
interface Configurable<R> {
  readonly name: string;
  configure?(given: ParameterValues): R;
}

/** Recipes with chosen parameters: making one reads its prompts. */
const configured = new WeakMap<object, LRUCache<string, object>>();

/**
 * The recipe of a name, with some of its parameters chosen.
 * @throws Error listing the known recipes, or its parameters
 */
export function findRecipe<R extends Configurable<R>>(name: string, from: readonly R[], given: ParameterValues = {}): R {
  const found = from.find((recipe) => recipe.name === name);
  if (!found) throw new Error(`there is no recipe ${name.slice(0, 60)}; there are ${from.map((recipe) => recipe.name).join(', ')}`);
  const [parameter] = Object.keys(given);
  if (parameter === undefined) return found;
  if (!found.configure) throw new Error(`the recipe ${name} has no parameter ${parameter.slice(0, 60)}; it has none`);
  const key = JSON.stringify(Object.entries(given).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const known = configured.get(found)?.get(key);
  if (known) return known as R;
  const made = found.configure(given);
  if (!configured.has(found)) configured.set(found, new LRUCache({ max: 1000 }));
  configured.get(found)!.set(key, made);
  return made;
}
