import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Recipe } from '../mind.ts';
import { loadRecipe } from './load-recipe.ts';
import type { StepKind } from './step-kind.ts';
import { RecipeError } from './yaml-file.ts';

/** The folder of the recipes of the product. */
const FOLDER = fileURLToPath(new URL('../../../recipes/', import.meta.url));

/**
 * Reads all recipes of the product: the YAML files of its folder, by name.
 * @throws RecipeError with the mistakes of all files
 */
export function readRecipes(kinds: readonly StepKind[]): readonly Recipe[] {
  const mistakes: string[] = [];
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));
  const recipes = files.toSorted().flatMap((name) => {
    try {
      return [readRecipeFile(join(FOLDER, name), kinds)];
    } catch (error) {
      mistakes.push(...(error instanceof RecipeError ? error.mistakes : [(error as Error).message]));
      return [];
    }
  });
  if (mistakes.length) throw new RecipeError(mistakes);
  return recipes;
}

/**
 * Reads a recipe file. Files that it names are looked for beside it, then among those of the product.
 * @throws RecipeError with every mistake
 */
export function readRecipeFile(path: string, kinds: readonly StepKind[]): Recipe {
  const beside = dirname(resolve(path));
  return loadRecipe(
    {
      path: beside === resolve(FOLDER) ? `recipes/${basename(path)}` : path,
      text: readFileSync(path, 'utf8'),
      read(name) {
        const found = [beside, FOLDER].map((folder) => join(folder, name)).find((each) => existsSync(each));
        if (found === undefined) throw new Error(`there is no file ${name}, neither in ${beside} nor in ${FOLDER}`);
        return readFileSync(found, 'utf8');
      },
    },
    kinds,
  );
}
