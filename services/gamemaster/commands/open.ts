import { randomBytes, randomInt } from 'node:crypto';
import type { Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import type { Opening, SeatPlan } from '@maw/games/match/state.ts';
import { optionsAtOpening, readOptions } from '@maw/games/kernel/options.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import type { Backlog } from '../admission/backlog.ts';
import type { Capacity } from '../admission/capacity.ts';
import type { GamemasterOptions } from '../defaults.ts';
import { distinctName } from './distinct-name.ts';
import { decide, type CommandContext } from './decide.ts';
import { parametersOf, type PlanDeps, withVersions } from './seat-plan.ts';
import { blank, type TableCache } from '../tables/table-cache.ts';

interface OpenDeps extends PlanDeps {
  readonly capacity: Capacity;
  readonly backlog: Backlog;
  readonly options: Pick<GamemasterOptions, 'obeyBacklog'>;
}

/**
 * Opens a table. Its id is the message's subject, chosen by the sender, so that opening is idempotent.
 * @throws Refusal unknown-rules, bad-option, bad-name, name-taken, already-begun, limited
 */
export async function open(
  context: CommandContext,
  message: Message<'table.open'>,
  { capacity, backlog, options: { obeyBacklog }, ...deps }: OpenDeps,
): Promise<Reply | void> {
  const table = message.subject;
  if (!/^[A-Za-z0-9_-]{1,60}$/.test(table)) throw new Refusal('bad-option', 'a table’s id is 1 to 60 letters, digits, _ and -');
  const opening = await versionedOpening(openingOf(message.data, context.sets, deps), deps);
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
    current: (table) => {
      if (!isNew) return tables.current(table);
      isNew = false;
      return Promise.resolve(loaded);
    },
  };
}

function openingOf(data: Message<'table.open'>['data'], from: readonly RuleSet[], deps: PlanDeps): Opening {
  const set = ruleSetNamed(data.rules, from);
  const options = readOptions(set.options, optionsAtOpening(set.options, data.options, drawLength));
  set.rules(data.seats.length, options); // says what is wrong with the number of players
  const rulesText = set.text(data.seats.length, options);
  const names: string[] = [];
  const seats = data.seats.map(({ parameters, ...plan }, seat): SeatPlan => {
    if (plan.name !== undefined) names.push(distinctName(plan.name, names, rulesText));
    return { ...plan, ...parametersOf({ ...plan, parameters }, `seats.${seat}.`, deps) } as SeatPlan;
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

/** Not from the seed of the table: whoever knows a length would know something of the deal. */
const drawLength = (least: number, most: number): number => randomInt(least, most + 1);

async function versionedOpening(opening: Opening, deps: PlanDeps): Promise<Opening> {
  return { ...opening, seats: await Promise.all(opening.seats.map((plan, seat) => withVersions(plan, `seats.${seat}.`, deps))) };
}
