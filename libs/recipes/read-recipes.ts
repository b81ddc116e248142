import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readTextFile } from '@maw/text/text-file.ts';
import type { RecipeCard, RecipeSource } from './card.ts';
import { RecipeError } from './yaml-file.ts';

/** Makes of a file what is wanted of its recipe: the card, or the recipe with its steps. @throws RecipeError with every mistake */
export type Load<R extends RecipeCard> = (source: RecipeSource) => R;

/** The folder of the recipes of the product. */
const FOLDER = fileURLToPath(new URL('../../recipes/', import.meta.url));

/** The recipes of the product: the YAML files of its folder, each named after its recipe. */
export function productRecipes<R extends RecipeCard>(load: Load<R>): readonly R[] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));
  return files.toSorted().map((file) => lazyRecipe(basename(file, '.yaml'), join(FOLDER, file), load));
}

/** A recipe whose file is read once more than its name is wanted: to read and check all takes longer than most commands run. */
function lazyRecipe<R extends RecipeCard>(name: string, path: string, load: Load<R>): R {
  let made: R | undefined;
  const recipe = (): R => {
    made ??= readRecipeFile(path, load);
    if (made.name !== name) throw new RecipeError([`${path}: the recipe is called ${made.name}, and so must its file be`]);
    return made;
  };
  return new Proxy({} as R, {
    get: (_, key) => (key === 'name' ? name : key === 'file' ? undefined : (Reflect.get(recipe(), key) as unknown)),
    has: (_, key) => Reflect.has(recipe(), key),
    ownKeys: () => Reflect.ownKeys(recipe()),
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(recipe(), key),
  });
}

/**
 * Reads the recipes of a folder: its YAML files, by name.
 * @throws RecipeError with the mistakes of all files
 */
export function readRecipes<R extends RecipeCard>(folder: string, load: Load<R>): readonly R[] {
  const mistakes: string[] = [];
  const files = yamlFilesIn(folder);
  const recipes = files.toSorted().flatMap((name) => {
    try {
      return [readRecipeFile(join(folder, name), load)];
    } catch (error) {
      mistakes.push(...(error instanceof RecipeError ? error.mistakes : [(error as Error).message]));
      return [];
    }
  });
  if (mistakes.length) throw new RecipeError(mistakes);
  return recipes;
}

function yamlFilesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));
  } catch (error) {
    throw new RecipeError([`${folder}: the folder of recipes cannot be read: ${codeOf(error)}`]);
  }
}

function textOf(path: string): string {
  try {
    return readTextFile(path);
  } catch (error) {
    throw new RecipeError([(error as Error).message]);
  }
}

const codeOf = (error: unknown): string => {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' ? 'there is nothing of that name' : (code ?? String(error));
};

/**
 * Reads a recipe file. Files that it names are looked for beside it, then among those of the product.
 * @throws RecipeError with every mistake
 */
export function readRecipeFile<R extends RecipeCard>(path: string, load: Load<R>): R {
  const beside = dirname(resolve(path));
  const isOfProduct = beside === resolve(FOLDER);
  const recipe = load({
    path: isOfProduct ? `recipes/${basename(path)}` : path,
    text: textOf(path),
    ...(isOfProduct ? {} : { folder: beside }),
    read(name) {
      const found = [beside, FOLDER].map((folder) => join(folder, name)).find((each) => existsSync(each));
      if (found === undefined) throw new Error(`there is no file ${name}, neither in ${beside} nor in ${FOLDER}`);
      return readTextFile(found);
    },
  });
  return isOfProduct ? recipe : { ...recipe, file: resolve(path) };
}
