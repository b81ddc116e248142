import type { Recipe } from './mind.ts';
import { readRecipeFile, recipes } from './recipes.ts';
import { withOthers } from '@maw/recipes/recipes.ts';
import { parseSeatRecipe, type SeatRecipe } from '@maw/recipes/seat-recipe.ts';

interface ChosenMinds {
  /** The recipes of the product, and those from files. */
  readonly recipes: readonly Recipe[];
  readonly seats: readonly SeatRecipe[];
}

/** The path of the recipe file in a value of `--minds`, and what follows it; no `file` for a recipe by name. */
export function splitRecipeFile(text: string): { readonly file: string | undefined; readonly rest: string } {
  const [, file, rest = ''] = /^(.+?\.ya?ml)(:.*)?$/.exec(text) ?? [];
  return { file, rest };
}

/**
 * Reads `--minds`: recipes by name or by file, each with parameters: `rules`, `xu:K=10`, `./mine.yaml:K=10`.
 * @throws Error, RecipeError naming every mistake in a file
 */
export function readMinds(minds: readonly string[]): ChosenMinds {
  const own = new Map<string, Recipe>();
  const seats = minds.map((text): SeatRecipe => {
    const { file, rest } = splitRecipeFile(text);
    if (file === undefined) return parseSeatRecipe(text);
    const recipe = own.get(file) ?? readRecipeFile(file);
    own.set(file, recipe);
    return parseSeatRecipe(recipe.name + rest);
  });
  return {
    recipes: withOthers(
      recipes,
      [...own].map(([file, recipe]) => ({ file, recipe })),
    ),
    seats,
  };
}
