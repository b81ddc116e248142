import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { loadPolicies, type PolicyFile, type PolicyFiles } from '@maw/learning/policy/served-policy.ts';
import { policyOf } from '@maw/recipes/parameters.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import { readMinds } from '@maw/minds/own-recipes.ts';

/** Games to simulate: data, so that it can be sent to another thread. */
export interface Job {
  readonly rules: string;
  readonly players: number;
  readonly options: { readonly [name: string]: string };
  /** The recipes of the seats, one after another: by name or file, with parameters. */
  readonly minds: readonly string[];
  /** The recipe of a side, as it is dealt; other seats go by `minds`. */
  readonly sides: { readonly [side: string]: string };
  /** Game `i` has the seed `seed/i`, whoever plays it. */
  readonly seed: string;
  /** The policies that minds name. */
  readonly policies: PolicyFiles;
  /** Games of nothing but random play do without minds, unless they shall be compared with games that have some. */
  readonly isPlain: boolean;
}

type AskedJob = Omit<Job, 'isPlain' | 'players' | 'policies'> & { readonly players: number | undefined };

/**
 * Checks what is asked for, but policies.
 * @throws Error (or Refusal) saying what is wrong: the rule set, players, options, recipes or sides
 */
export function createJob(asked: AskedJob): Job {
  const players = checkGame(asked);
  const names = [...asked.minds, ...Object.values(asked.sides)];
  const { recipes, seats } = readMinds(names);
  for (const { recipe: name, parameters } of seats) {
    if (!findRecipe(name, recipes, parameters).usesModel) continue;
    const others = recipes.flatMap((recipe) => (recipe.usesModel ? [] : [recipe.name]));
    throw new Error(`${name} needs a model: name it with --model, or sim for the simulator; without a model play ${others.join(', ')}`);
  }
  return { ...asked, players, policies: {}, isPlain: names.every((name) => name === 'random') };
}

/** The job with the policies that its minds name. @throws Error that says which is missing, or what is wrong with it */
export async function withPolicies(job: Job, load: (wanted: string) => Promise<PolicyFile>): Promise<Job> {
  const { recipes, seats } = readMinds([...job.minds, ...Object.values(job.sides)]);
  const wanted = seats.flatMap(({ recipe, parameters }) => policyOf(findRecipe(recipe, recipes, parameters).values) ?? []);
  return { ...job, policies: await loadPolicies(wanted, load) };
}

/**
 * Checks all but the recipes.
 * @returns how many play
 * @throws Error (or Refusal) saying what is wrong: the rule set, players, options or sides
 */
export function checkGame({ rules, players, options, minds, sides: wanted }: Omit<AskedJob, 'seed'>): number {
  const set = ruleSetNamed(rules);
  const count = players ?? set.players.usual;
  set.rules(count, options);
  if (!minds.length) throw new Error('--minds names no recipe; write for instance --minds rules,random');
  const sides = Object.keys(set.sides ?? {});
  for (const side of Object.keys(wanted))
    if (!sides.includes(side))
      throw new Error(
        `${set.name} has no side ${side.slice(0, 60)}; ${sides.length ? `there are ${sides.join(', ')}` : 'its sides have no names'}`,
      );
  return count;
}
