import type { Recipe, Step } from '@maw/minds/mind.ts';
import type { Parameter, ParameterValue } from '@maw/recipes/parameters.ts';
import { findRecipe, recipes } from '@maw/minds/recipes.ts';
import { say, sayColumns } from '../output.ts';
import { readMinds } from '@maw/minds/own-recipes.ts';

interface MindsOptions {
  readonly json: boolean;
}

/** `maw minds list` */
export function listMinds({ json }: MindsOptions): void {
  if (json) for (const recipe of recipes) say(JSON.stringify(termsOf(recipe)));
  else sayColumns(recipes.map(({ name, usesModel, description }) => [name, usesModel ? 'model' : 'no model', description]));
}

/** `maw minds show NAME`. @throws Error for an unknown recipe or parameter, RecipeError for mistakes in a file */
export function showMind(text: string, { json }: MindsOptions): void {
  const { recipes: all, seats } = readMinds([text]);
  const { recipe: name, parameters } = seats[0]!;
  const recipe = findRecipe(name, all, parameters);
  if (json) return say(JSON.stringify(termsOf(recipe)));
  say(`${recipe.name}: ${recipe.description}\n`);
  say(recipe.usesModel ? `It asks a model, with at most ${recipe.contextTokens} tokens of prompt and reply.\n` : 'It asks no model.\n');
  say('Steps of a thought:\n');
  sayColumns(recipe.steps.map(stepRow), '  ');
  if (recipe.after) {
    say('\nAfter a game:\n');
    sayColumns(recipe.after.map(stepRow), '  ');
  }
  const table = Object.entries(recipe.parameters ?? {});
  if (!table.length) return;
  say(`\nParameters, given as --minds '${recipe.name}:name=value;name=value':\n`);
  const rows = table.map(([key, each]) => [
    key,
    written(recipe.values![key]!),
    valuesOf(each),
    usual(each),
    each.description + sourceOf(each),
  ]);
  sayColumns([['parameter', 'value', 'values', 'default', 'meaning'], ...rows], '  ');
}

const stepRow = ({ name, kind, on }: Step): readonly string[] => [name, kind, on ? `for ${on.join(', ')}` : ''];

const written = (value: ParameterValue): string => (typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value));

function valuesOf(parameter: Parameter): string {
  switch (parameter.type) {
    case 'choice':
      return parameter.choices.join(', ');
    case 'boolean':
      return 'on, off';
    case 'text':
      return 'a text';
    case 'integer':
    case 'number': {
      const { minimum, maximum, type } = parameter;
      const range = [...(minimum === undefined ? [] : [`from ${minimum}`]), ...(maximum === undefined ? [] : [`to ${maximum}`])];
      return range.length ? range.join(' ') : type === 'integer' ? 'a whole number' : 'a number';
    }
  }
}

function usual(parameter: Parameter): string {
  const { default: paper, program, unit = '' } = parameter;
  return `${written(paper)}${unit && ` ${unit}`}${program === undefined ? '' : `; program ${written(program)}`}`;
}

const sourceOf = ({ source }: Parameter): string => (source === undefined ? '' : ` (${source})`);

const termsOf = ({ name, description, usesModel, contextTokens, parameters = {}, values = {}, steps, after }: Recipe) => {
  const step = ({ name: called, kind, on }: Step) => ({ name: called, kind, ...(on ? { on } : {}) });
  return {
    name,
    description,
    usesModel,
    contextTokens,
    parameters,
    values,
    steps: steps.map(step),
    ...(after ? { after: after.map(step) } : {}),
  };
};
