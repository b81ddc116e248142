import { randomBytes } from 'node:crypto';
import type { Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import type { Opening, SeatPlan } from '@maw/games/match/state.ts';
import { readName } from '@maw/games/match/player-name.ts';
import { readOptions } from '@maw/games/kernel/options.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import { strategySetOf } from '@maw/minds/parameters.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import { missingVersionText, parseStrategyUse, type StrategyUse } from '@maw/store/find-version.ts';
import type { Strategies } from '@maw/store/ports/strategies.ts';
import type { Backlog } from '../admission/backlog.ts';
import type { Capacity } from '../admission/capacity.ts';
import { decide, type CommandContext } from './decide.ts';
import { blank, type TableCache } from '../tables/table-cache.ts';

interface OpenDeps {
  readonly capacity: Capacity;
  readonly backlog: Backlog;
  readonly obeyBacklog: boolean;
  /** The recipes that seats can be given. */
  readonly recipes: readonly Recipe[];
  readonly strategies: Pick<Strategies, 'list'> | undefined;
}

type Plan = Message<'table.open'>['data']['seats'][number];

/**
 * Opens a table. Its id is the message's subject, chosen by the sender, so that opening is idempotent.
 * @throws Refusal unknown-rules, bad-option, bad-name, name-taken, already-begun, limited
 */
export async function open(
  context: CommandContext,
  message: Message<'table.open'>,
  { capacity, backlog, obeyBacklog, recipes, strategies }: OpenDeps,
): Promise<Reply | void> {
  const table = message.subject;
  if (!/^[A-Za-z0-9_-]{1,60}$/.test(table)) throw new Refusal('bad-option', 'a table’s id is 1 to 60 letters, digits, _ and -');
  const opening = await withVersions(openingOf(message.data, context.sets, recipes), recipes, strategies);
  const known = await context.tables.load(table).catch((error: unknown) => {
    if (error instanceof Refusal && error.reason === 'unknown-game') return undefined;
    throw error;
  });
  const agreed: Reply = { performative: 'agree', data: { table } };
  const loaded = known ?? blank(table, opening, context.sets);
  if (!known && obeyBacklog) backlog.mustKeepUp(context.now());
  const giveBack = known ? undefined : capacity.take(opening.seats, context.now());
  const first: CommandContext = known ? context : { ...context, tables: onlyOnce(context.tables, loaded) };
  return decide(
    first,
    message,
    ({ state }, at) => {
      if (state.tape.length) throw new Refusal('already-begun', `there is a table ${table} already`);
      return state.rules.open(opening, at);
    },
    () => agreed,
  ).catch((error: unknown) => {
    giveBack?.();
    throw error;
  });
}

/** The first load finds the blank table. If another replica has opened it, the append conflicts and the tape is read. */
function onlyOnce(tables: TableCache, loaded: ReturnType<typeof blank>): TableCache {
  let isNew = true;
  return {
    ...tables,
    load: (table) => {
      if (!isNew) return tables.load(table);
      isNew = false;
      return Promise.resolve(loaded);
    },
  };
}

/**
 * The chosen parameters of a seat with their types: `{ K: 10 }` for `{ K: '10' }`.
 * @throws Refusal bad-option when there is no such recipe, parameter or value
 */
function parametersOf({ recipe, parameters }: Plan, seat: number, recipes: readonly Recipe[]): Pick<SeatPlan, 'parameters'> {
  const names = Object.keys(parameters ?? {});
  if (recipe === undefined) {
    if (names.length) throw new Refusal('bad-option', `seats.${seat}.parameters: name the recipe that they are for`);
    return {};
  }
  try {
    const { values = {} } = findRecipe(recipe, recipes, parameters);
    return names.length ? { parameters: Object.fromEntries(names.map((name) => [name, values[name]!])) } : {};
  } catch (error) {
    throw new Refusal('bad-option', `seats.${seat}.recipe: ${(error as Error).message}`);
  }
}

function openingOf(data: Message<'table.open'>['data'], from: readonly RuleSet[], recipes: readonly Recipe[]): Opening {
  const set = ruleSetNamed(data.rules, from);
  const options = readOptions(set.options, data.options);
  set.rules(data.seats.length, options); // says what is wrong with the number of players
  const names: string[] = [];
  const seats = data.seats.map(({ parameters, ...plan }, seat): SeatPlan => {
    if (plan.name !== undefined) names.push(readName(plan.name, names));
    return { ...plan, ...parametersOf({ ...plan, parameters }, seat, recipes) } as SeatPlan;
  });
  return {
    rules: set.name,
    version: set.version,
    options,
    rounds: data.rounds,
    seats,
    seed: data.seed ?? randomBytes(16).toString('hex'),
    lobbyMs: data.lobbyMs,
    pauseMs: data.pauseMs,
    spectators: data.spectators,
    afterwards: data.afterwards,
    insight: data.insight,
  };
}

/**
 * The opening with the versions of the sets of strategies that its seats begin with: `NAME` becomes `NAME@VERSION+`, or `NAME@VERSION` when the
 * set is frozen.
 * @throws Refusal bad-option for a version that does not exist
 */
async function withVersions(opening: Opening, recipes: readonly Recipe[], strategies: OpenDeps['strategies']): Promise<Opening> {
  const seats = opening.seats.map(async (plan, seat): Promise<SeatPlan> => {
    const { recipe, parameters } = plan;
    const set = recipe === undefined || !strategies ? undefined : strategySetOf(findRecipe(recipe, recipes, parameters).values);
    return set === undefined ? plan : { ...plan, parameters: { ...parameters, strategies: await versionOf(set, seat, strategies!) } };
  });
  return { ...opening, seats: await Promise.all(seats) };
}

async function versionOf(set: string, seat: number, strategies: Pick<Strategies, 'list'>): Promise<string> {
  const refuse = (why: string) => new Refusal('bad-option', `seats.${seat}.parameters.strategies: ${why}`);
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
