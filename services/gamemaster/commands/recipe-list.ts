import type { ReplyData } from '@maw/contracts/contracts.ts';
import { omitUndefined } from '@maw/contracts/omit-undefined.ts';
import type { RecipeCard } from '@maw/recipes/card.ts';
import type { Parameter } from '@maw/recipes/parameters.ts';

/** The recipes that seats can be given, with their parameters. */
export const recipeList = (recipes: readonly RecipeCard[]): ReplyData<'table.recipes'> => ({
  recipes: recipes.map(({ name, description, usesModel, meanCalls: calls, games, parameters = {} }) => ({
    name,
    about: description,
    usesModel,
    ...omitUndefined({ calls, games: games?.slice() }),
    parameters: Object.entries(parameters).map(([parameter, terms]) => ({ name: parameter, ...termsOf(terms) })),
  })),
});

function termsOf(parameter: Parameter) {
  const { type, default: usual, description: about, unit, source } = parameter;
  const common = { about, type, default: usual, ...omitUndefined({ unit, source }) };
  if (parameter.type === 'choice') return { ...common, options: [...parameter.choices] };
  if (parameter.type !== 'integer' && parameter.type !== 'number') return common;
  const { minimum, maximum } = parameter;
  return { ...common, ...omitUndefined({ minimum, maximum }) };
}
