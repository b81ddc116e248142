import type { Recipe } from '@maw/minds/mind.ts';
import { policyOf } from '@maw/recipes/parameters.ts';
import { findRecipe, readRecipeFile } from '@maw/minds/recipes.ts';
import type { Agent, Contest } from './definition.ts';

/** Whether an agent names its recipe by a file. */
export const isRecipeFile = ({ recipe }: Pick<Agent, 'recipe'>): boolean => /\.ya?ml$/.test(recipe ?? '');

const files = new Map<string, Recipe>();

/**
 * The recipe of an agent with its parameters. A file is read once.
 * @throws Error, RecipeError when there is no such recipe, parameter or value
 */
export function recipeOf(agent: Pick<Agent, 'recipe' | 'parameters'>, recipes: readonly Recipe[]): Recipe {
  const { recipe: name, parameters = {} } = agent;
  if (name === undefined) throw new Error('an outside agent has no recipe');
  if (!isRecipeFile(agent)) return findRecipe(name, recipes, parameters);
  const read = files.get(name) ?? readRecipeFile(name);
  files.set(name, read);
  return findRecipe(read.name, [read], parameters);
}

/** The policies that agents choose their tactics by: each as `NAME@VERSION`, with the numbers of its agents. */
export const policiesIn = ({ agents }: Contest, recipes: readonly Recipe[]): ReadonlyMap<string, readonly number[]> =>
  agents.reduce((named, agent, i) => {
    const policy = agent.outside === undefined ? policyOf(recipeOf(agent, recipes).values) : undefined;
    return policy === undefined ? named : named.set(policy, [...(named.get(policy) ?? []), i]);
  }, new Map<string, readonly number[]>());

/** Whether the mind of an agent asks a model; that of an outside agent is its own affair. @throws as `recipeOf` */
export const asksModel = (agent: Pick<Agent, 'recipe' | 'parameters' | 'outside'>, recipes: readonly Recipe[]): boolean =>
  agent.outside === undefined && recipeOf(agent, recipes).usesModel;

/** Why a recipe cannot play in the arena, which has no models, and where nothing is done after a game. */
export const whyNotInArena = ({ usesModel, after }: Recipe): readonly string[] => [
  ...(usesModel ? ['needs a model, and play: arena has none'] : []),
  ...(after?.length ? ['has steps that run after a game (`after`), and the arena runs none'] : []),
];

/** How a contest is played: in one process where all agents can. */
export function playOf({ play, agents }: Contest, recipes: readonly Recipe[]): 'arena' | 'tables' {
  if (play !== 'auto') return play;
  const isForTables = (agent: Agent): boolean =>
    agent.outside !== undefined || agent.learns === true || whyNotInArena(recipeOf(agent, recipes)).length > 0;
  return agents.some(isForTables) ? 'tables' : 'arena';
}
