import type { Recipe } from './mind.ts';
import type { ParameterValues } from './parameters.ts';
import { readRecipeFile } from './recipe/read-recipes.ts';
import { withOthers } from './recipes.ts';
import { stepKinds } from './step-kinds.ts';

/** The recipe of a seat with the parameters chosen for it. */
export interface SeatRecipe {
  readonly recipe: string;
  /** As written: `off`, `10`. */
  readonly parameters?: ParameterValues;
}

/**
 * Reads `xu:reflection=off;K=10`.
 * @throws Error saying what is expected
 */
export function parseSeatRecipe(text: string): SeatRecipe {
  const colon = text.indexOf(':');
  if (colon < 0 && text.includes(';')) throw new Error(`${text}: expected RECIPE:NAME=VALUE;NAME=VALUE, with a colon after the recipe`);
  if (colon < 0) return { recipe: text };
  const parts = text.slice(colon + 1).split(';').map((part) => part.trim()).filter(Boolean); // prettier-ignore
  const pairs = parts.map((part) => {
    const [, name, value] = /^(\w+)\s*=\s*(.+)$/.exec(part) ?? [];
    if (name === undefined || value === undefined)
      throw new Error(`${text}: expected RECIPE:NAME=VALUE;NAME=VALUE, and ${part} is no NAME=VALUE`);
    return [name, value] as const;
  });
  return { recipe: text.slice(0, colon), ...(pairs.length ? { parameters: Object.fromEntries(pairs) } : {}) };
}

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
    const recipe = own.get(file) ?? readRecipeFile(file, stepKinds);
    own.set(file, recipe);
    return parseSeatRecipe(recipe.name + rest);
  });
  return { recipes: withOthers([...own].map(([file, recipe]) => ({ file, recipe }))), seats };
}
