import { readTextFile } from '@maw/text/text-file.ts';
import { isRecipeFile, recipeOf, asksModel } from './agent-recipe.ts';
import { type Contest, type ContestGame, type Prices, pricesShape } from './definition.ts';
import { parseYaml } from '@maw/recipes/yaml-file.ts';
import { whyNeverReached } from './contest-mistakes.ts';
import { readContest } from './read-contest.ts';
import { ContestError } from '@maw/lab/contests/definition.ts';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import { readMinds } from '@maw/minds/own-recipes.ts';

/** What the command line changes of a contest. */
export interface Overrides {
  readonly model?: string | undefined;
  /** By agent, before what the file says. */
  readonly agentModel?: { readonly [agent: string]: string };
  readonly deals?: number | undefined;
  readonly maxCost?: number | undefined;
  /** A file of prices, before those of the contest. */
  readonly prices?: string | undefined;
  /** The longest time of each phase. */
  readonly seconds?: number | undefined;
}

interface ReadContest {
  readonly contest: Contest;
  /** The recipes of the product, and those from files. */
  readonly recipes: readonly Recipe[];
}

/**
 * Reads the file of a contest. Agents that name the file of a recipe have its name afterwards.
 * @param isOwn whether it is played in this process, where recipes may come from files
 * @throws Error with every mistake in the file
 */
export async function readContestFile(file: string, overrides: Overrides, isOwn: boolean): Promise<ReadContest> {
  const text = readTextFile(file);
  try {
    const read = readContest(text, undefined, { file, allowsFiles: isOwn });
    const { recipes } = readMinds(read.agents.filter(isRecipeFile).map(({ recipe }) => recipe!));
    const contest = {
      ...read,
      agents: read.agents.map((agent) => (agent.outside === undefined ? { ...agent, recipe: recipeOf(agent, recipes).name } : agent)),
    };
    const changed = withOverrides(contest, recipes, overrides);
    const unpriced = unpricedModels(changed, recipes);
    if (overrides.maxCost !== undefined && unpriced.length)
      throw new Error(`--max-cost: ${file} has no price of ${unpriced.join(', ')}, so nobody can say when it is reached; add it to prices`);
    const never = overrides.maxCost === undefined ? undefined : whyNeverReached(changed, recipes);
    if (never !== undefined) throw new Error(`--max-cost: ${never}`);
    return { contest: changed, recipes };
  } catch (error) {
    throw error instanceof ContestError ? new Error(error.message, { cause: error }) : error;
  }
}

/** @throws Error when a model is given to an agent that is not there, or asks none */
function withOverrides(
  given: Contest,
  recipes: readonly Recipe[],
  { model, agentModel = {}, deals, maxCost, prices, seconds }: Overrides,
): Contest {
  const asking = given.agents.filter((agent) => asksModel(agent, recipes)).map(({ name }) => name);
  for (const name of Object.keys(agentModel)) {
    if (asking.includes(name)) continue;
    const why = given.agents.some((agent) => agent.name === name) ? 'it asks no model' : 'there is no such agent';
    throw new Error(`--agent-model ${name}=...: ${why}; those that ask one are ${asking.join(', ') || 'none'}`);
  }
  return {
    ...given,
    agents: given.agents.map((agent) => {
      const asked = agentModel[agent.name] ?? agent.model ?? (asking.includes(agent.name) ? model : undefined);
      return asked === undefined ? agent : { ...agent, model: asked };
    }),
    games: seconds === undefined ? given.games : given.games.map((game) => timed(game, seconds)),
    schedule: deals === undefined ? given.schedule : shortened(given.schedule, deals),
    prices: prices === undefined ? given.prices : { ...given.prices, ...readPrices(prices) },
    stopping: maxCost === undefined ? given.stopping : { ...given.stopping, maxCost },
  };
}

/** The models of agents that have no price; an agent that names none has that of the gateway. */
const unpricedModels = ({ agents, prices }: Contest, recipes: readonly Recipe[]): readonly string[] => [
  ...new Set(
    agents.flatMap((agent) => {
      const { model } = agent;
      if (!asksModel(agent, recipes) || (model !== undefined && Object.hasOwn(prices, model))) return [];
      return [model ?? `the default model, which ${agent.name} plays with (name one with --model)`];
    }),
  ),
];

/** Reads a file of prices, in YAML, by model: `m1: { prompt: 0.15, completion: 0.6 }`. @throws Error with what is wrong in it */
export const readPrices = (file: string): Prices => parseYaml(file, readTextFile(file), pricesShape).value;

/** With a time for each phase that has none. */
function timed(game: ContestGame, seconds: number): ContestGame {
  const known = Object.keys(ruleSetNamed(game.rules).options);
  const times = known.filter((name) => name.endsWith('Ms')).map((name) => [name, Math.round(seconds * 1000)]);
  return { ...game, options: { ...Object.fromEntries(times), ...game.options } };
}

/** With so many deals, or sets. */
export function shortened(schedule: Contest['schedule'], deals: number): Contest['schedule'] {
  switch (schedule.kind) {
    case 'set':
      return { ...schedule, sets: deals };
    case 'aiwolf-2021':
      return { ...schedule, preliminary: deals, final: deals };
    case 'balanced':
    case 'cells':
    case 'cross':
    case 'sides':
      return { ...schedule, deals };
  }
}
