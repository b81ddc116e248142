import type { Recipe } from './mind.ts';
import { algorithm1 } from './recipes/algorithm-1.ts';
import { random } from './recipes/random.ts';
import { react } from './recipes/react.ts';
import { rules } from './recipes/rules/rules.ts';

/** All recipes. Adding one is one file and one line. */
export const recipes: readonly Recipe[] = [algorithm1, react, rules, random];

/** @throws Error listing the known recipes */
export function findRecipe(name: string, from: readonly Recipe[] = recipes): Recipe {
  const found = from.find((recipe) => recipe.name === name);
  if (!found) throw new Error(`there is no recipe ${name.slice(0, 60)}; there are ${from.map((recipe) => recipe.name).join(', ')}`);
  return found;
}
