import type { Data } from '@maw/contracts/contracts.ts';
import type { SeatPlan } from '@maw/games/match/state.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import { servedPolicy } from '@maw/learning/policy/served-policy.ts';
import type { RecipeCard } from '@maw/recipes/card.ts';
import { policyOf, poolOf, strategySetOf } from '@maw/recipes/parameters.ts';
import { findRecipe } from '@maw/recipes/recipes.ts';
import { findPolicy, findPool, loadPolicy, missingVersionText, parseStrategyUse, type StrategyUse } from '@maw/store/find-version.ts';
import type { ExperiencePools } from '@maw/store/ports/experience.ts';
import type { Policies } from '@maw/store/ports/policies.ts';
import type { Strategies } from '@maw/store/ports/strategies.ts';
import type { PlayerRecipes } from '../admission/player-recipes.ts';

/** What the plan of a seat is checked against. */
export interface PlanDeps {
  /** The recipes that seats can be given. */
  readonly recipes: readonly RecipeCard[];
  readonly strategies: Pick<Strategies, 'list'> | undefined;
  readonly pools: Pick<ExperiencePools, 'list'> | undefined;
  readonly policies: Pick<Policies, 'get' | 'list'> | undefined;
  readonly playerRecipes: Pick<PlayerRecipes, 'checkRecipe'>;
}

type Mind = Pick<Data<'table.assign'>, 'recipe' | 'parameters'>;

/**
 * The chosen parameters of a seat with their types: `{ K: 10 }` for `{ K: '10' }`.
 * @param at where they stand in the request, such as `seats.2.`
 * @throws Refusal bad-option when there is no such recipe, here or at the player service, or no such parameter or value
 */
export function parametersOf({ recipe, parameters }: Mind, at: string, { recipes, playerRecipes }: PlanDeps): Pick<SeatPlan, 'parameters'> {
  const names = Object.keys(parameters ?? {});
  if (recipe === undefined) {
    if (names.length) throw new Refusal('bad-option', `${at}parameters: name the recipe that they are for`);
    return {};
  }
  playerRecipes.checkRecipe(recipe, at, recipes);
  try {
    const { values = {} } = findRecipe(recipe, recipes, parameters);
    return names.length ? { parameters: Object.fromEntries(names.map((name) => [name, values[name]!])) } : {};
  } catch (error) {
    throw new Refusal('bad-option', `${at}recipe: ${(error as Error).message}`);
  }
}

/**
 * The plan with the versions of what its seat begins with: of a set of strategies `NAME` becomes `NAME@VERSION+`, or `NAME@VERSION` when the set is
 * frozen; of a pool of experience and a policy `NAME@VERSION`.
 * @throws Refusal bad-option for what does not exist, and for a policy that cannot be used
 */
export async function withVersions<P extends Omit<SeatPlan, 'kind'>>(plan: P, at: string, deps: PlanDeps): Promise<P> {
  const { recipe, parameters } = plan;
  const values = recipe === undefined ? {} : findRecipe(recipe, deps.recipes, parameters).values;
  const set = deps.strategies && strategySetOf(values);
  const pool = deps.pools && poolOf(values);
  const policy = deps.policies && policyOf(values);
  if (set === undefined && pool === undefined && policy === undefined) return plan;
  const versions = {
    ...(set === undefined ? {} : { strategies: await versionOf(set, at, deps.strategies!) }),
    ...(pool === undefined ? {} : { experience: await versionOfPool(pool, at, deps.pools!) }),
    ...(policy === undefined ? {} : { policy: await versionOfPolicy(policy, at, deps.policies!) }),
  };
  return { ...plan, parameters: { ...parameters, ...versions } };
}

async function versionOfPool(wanted: string, at: string, pools: Pick<ExperiencePools, 'list'>): Promise<string> {
  try {
    const { name, version } = await findPool(pools, wanted);
    return `${name}@${version}`;
  } catch (error) {
    throw new Refusal('bad-option', `${at}parameters.experience: ${(error as Error).message}`);
  }
}

/** Policies are large, and a version never changes: one that was good once need not be read again. */
const good = new WeakMap<object, Set<string>>();

async function versionOfPolicy(wanted: string, at: string, policies: Pick<Policies, 'get' | 'list'>): Promise<string> {
  try {
    const { name, version } = await findPolicy(policies, wanted);
    const id = `${name}@${version}`;
    const known = good.get(policies) ?? new Set();
    if (!known.has(id)) servedPolicy(await loadPolicy(policies, id));
    good.set(policies, known.add(id));
    return id;
  } catch (error) {
    throw new Refusal('bad-option', `${at}parameters.policy: ${(error as Error).message}`);
  }
}

async function versionOf(set: string, at: string, strategies: Pick<Strategies, 'list'>): Promise<string> {
  const refuse = (why: string) => new Refusal('bad-option', `${at}parameters.strategies: ${why}`);
  const { name, version, learns } = useOf(set, refuse);
  const [found] = await strategies.list(name);
  const { newest = 0, frozen } = found ?? {};
  if (version === undefined) return `${name}@${newest}${frozen === undefined ? '+' : ''}`;
  if (version > newest || (version === 0 && !learns)) throw refuse(missingVersionText(name, version, newest));
  return `${name}@${version}${learns && frozen === undefined ? '+' : ''}`;
}

function useOf(set: string, refuse: (why: string) => Refusal): StrategyUse {
  try {
    return parseStrategyUse(set);
  } catch (error) {
    throw refuse((error as Error).message);
  }
}
