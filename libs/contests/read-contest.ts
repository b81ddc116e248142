import { z } from 'zod';
import { parseYaml, RecipeError } from '@maw/minds/recipe/yaml-file.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import { recipes as allRecipes } from '@maw/minds/recipes.ts';
import { recipeOf } from './agent-recipe.ts';
import { mistakesOf } from './contest-mistakes.ts';
import { type Contest, contestShape } from './definition.ts';

/** What is wrong with a contest: `contest.yaml:12: agents.1.recipe: what, and what to do`. */
export class ContestError extends Error {
  override readonly name = 'ContestError';
  readonly mistakes: readonly string[];
  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'));
    this.mistakes = mistakes;
  }
}

export interface ReadContestOptions {
  /** The path of the file, for messages. */
  readonly file?: string;
  /** Whether agents may name the files of their recipes: only where whoever wrote the contest may read any file. */
  readonly allowsFiles?: boolean;
}

/**
 * Reads a contest from YAML or JSON, and checks all of it. Its agents have all parameters of their recipes, those left out with their defaults.
 * @throws ContestError with every mistake
 */
export function readContest(
  text: string,
  recipes: readonly Recipe[] = allRecipes,
  { file = 'contest.yaml', allowsFiles = false }: ReadContestOptions = {},
): Contest {
  const { value, at } = parsed<Contest>(file, text, contestShape);
  const mistakes = mistakesOf(value, recipes, { allowsFiles });
  if (mistakes.length) throw new ContestError(mistakes.map(({ path, says }) => `${at(path)}: ${path.length ? `${path.join('.')}: ` : ''}${says}`)); // prettier-ignore
  return { ...value, agents: value.agents.map((agent) => ({ ...agent, parameters: givenValues(recipeOf(agent, recipes)) })) };
}

/** Empty texts are left out: they are defaults, and no value that a file or a message may give. */
const givenValues = ({ values = {} }: Recipe): NonNullable<Contest['agents'][number]['parameters']> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

/** What a text has, before it is checked. @throws ContestError when it is not YAML, or has no fields */
export const parseContest = (text: string): { readonly [field: string]: unknown } => parsed('contest.yaml', text, anyFields).value;

const anyFields = z.looseObject({}, 'a contest has fields: name, agents, games and schedule');

function parsed<T>(file: string, text: string, shape: z.ZodType<T>) {
  try {
    return parseYaml(file, text, shape);
  } catch (error) {
    throw error instanceof RecipeError ? new ContestError(error.mistakes) : error;
  }
}
