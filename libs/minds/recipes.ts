import type { ParameterValues } from '@maw/recipes/parameters.ts';
import { type Load, productRecipes, readRecipeFile as readFile } from '@maw/recipes/read-recipes.ts';
import { findRecipe as findIn, withFolder } from '@maw/recipes/recipes.ts';
import type { Recipe } from './mind.ts';
import { loadRecipe } from './recipe/load-recipe.ts';
import { stepKinds } from './step-kinds.ts';

const load: Load<Recipe> = (source) => loadRecipe(source, stepKinds);

/** All recipes: the files in `recipes/` at the top of the repository. A mistake in one of them is thrown where that recipe is first used. */
export const recipes: readonly Recipe[] = productRecipes(load);

/**
 * The recipes of the product, and those in the YAML files of a folder.
 * @throws RecipeError with every mistake
 */
export const recipesWith = (folder: string | undefined): readonly Recipe[] => withFolder(recipes, folder, load);

/** Reads a recipe file with its steps. @throws RecipeError with every mistake */
export const readRecipeFile = (path: string): Recipe => readFile(path, load);

/**
 * The recipe of a name, with some of its parameters chosen.
 * @throws Error listing the known recipes, or its parameters
 */
export const findRecipe = (name: string, from: readonly Recipe[] = recipes, given: ParameterValues = {}): Recipe =>
  findIn(name, from, given);
