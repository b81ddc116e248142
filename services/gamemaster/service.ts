import { randomBytes } from 'node:crypto';
import { setTimeout as timer } from 'node:timers/promises';
import type { Bus, Delivery } from '@maw/bus/bus.ts';
import type { Data, Message } from '@maw/contracts/contracts.ts';
import type { TableSummary } from '@maw/contracts/messages/schemas.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import { Refusal as RuleRefusal } from '@maw/games/kernel/refusal.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import type { RecipeCard } from '@maw/recipes/card.ts';
import { cards } from '@maw/recipes/recipes.ts';
import type { Heartbeat } from '@maw/store/ports/heartbeat.ts';
import type { ExperiencePools } from '@maw/store/ports/experience.ts';
import type { Policies } from '@maw/store/ports/policies.ts';
import type { Strategies } from '@maw/store/ports/strategies.ts';
import type { Tapes } from '@maw/store/ports/tapes.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics, startAtZero } from '@maw/telemetry/metrics.ts';
import { type Backlog, backlogMonitor } from './admission/backlog.ts';
import { sendSignsOfLife } from '@maw/bus/sign-of-life.ts';
import { type Capacity, modelCapacity } from './admission/capacity.ts';
import { type PlayerRecipes, playerRecipes } from './admission/player-recipes.ts';
import { act } from './commands/act.ts';
import { assign } from './commands/assign-mind.ts';
import { type CommandContext, isLate } from './commands/decide.ts';
import { hand } from './commands/hand-over-seat.ts';
import { join } from './commands/join.ts';
import { leaderboard } from './commands/leaderboard.ts';
import { open } from './commands/open.ts';
import { abort, pause, resume } from './commands/pause.ts';
import { recipeList } from './commands/recipe-list.ts';
import { tick } from './commands/tick.ts';
import { rulesOf, rulesOfTable, viewOf } from './commands/view.ts';
import { fitInPage } from '@maw/contracts/fit-in-page.ts';
import { checkMinds } from './commands/check-minds.ts';
import { omitUndefined } from '@maw/contracts/omit-undefined.ts';
import { defaultOptions, type GamemasterOptions } from './defaults.ts';
import { stuckTables, tableMetrics } from './running-tables.ts';
import { publicPlaceOf } from './messages/public-place.ts';
import { type TableCache, tableCache, told } from './tables/table-cache.ts';
import { lateLookup } from './tables/late-lookup.ts';
import { alarms } from './timing/alarms.ts';
import { type Shares, shares } from './timing/shares.ts';
import { type Clock, databaseClock } from '@maw/service/database-clock.ts';
import { type HeartbeatMonitor, heartbeatMonitor, noHeartbeat } from './timing/heartbeat.ts';

export { verifyTable } from './verification/verify-table.ts';

const TYPES = [
  'table.open',
  'table.join',
  'table.act',
  'table.hand',
  'table.assign',
  'table.pause',
  'table.resume',
  'table.abort',
  'table.tick',
  'table.view',
  'table.list',
  'table.rules',
  'table.leaderboard',
  'table.recipes',
  'table.check',
] as const;
type Command = (typeof TYPES)[number];

/** How often the backlog is evaluated within a window, so that its metric is right even without traffic. */
const CHECKS_PER_WINDOW = 5;

interface Ports {
  readonly bus: Bus;
  readonly tapes: Tapes;
  /** Sets of strategies; without them a recipe's is not checked when a table is opened. */
  readonly strategies?: Pick<Strategies, 'list'>;
  /** Pools of experience; without them a recipe's is not checked when a table is opened. */
  readonly pools?: Pick<ExperiencePools, 'list'>;
  /** Policies; without them a recipe's is not checked when a table is opened. */
  readonly policies?: Pick<Policies, 'get' | 'list'>;
  /** The heartbeat of all gamemasters, for the time and outages; without it no time is given back, and `now` is the time. */
  readonly heartbeat?: Heartbeat;
  /** The clock of this machine, milliseconds since the epoch. Not used when `clock` is given. */
  now(): number;
  /** A monotonic clock in milliseconds; that of the process when not given. */
  steady?(): number;
  /** Waits for some milliseconds; a timer when not given. */
  sleep?(ms: number): Promise<void>;
  /** The time of tables, which the heartbeat learns from the database. Default: made of `now` and `steady`. */
  readonly clock?: Clock;
  readonly log: Log;
  /** The name of this replica, in the ids of its ticks; random when not given. */
  readonly replica?: string;
  /** The games that can be played; those of the catalogue when not given. */
  readonly sets?: readonly RuleSet[];
  /** The recipes that seats can be given; all when not given. */
  readonly recipes?: readonly RecipeCard[];
  readonly options?: Partial<GamemasterOptions>;
}

/** A gamemaster's parts, as its commands use them. */
interface Gamemaster extends CommandContext {
  readonly backlog: Backlog;
  readonly capacity: Capacity;
  readonly options: GamemasterOptions;
  readonly recipes: readonly RecipeCard[];
  readonly strategies: Pick<Strategies, 'list'> | undefined;
  readonly pools: Pick<ExperiencePools, 'list'> | undefined;
  readonly policies: Pick<Policies, 'get' | 'list'> | undefined;
  readonly playerRecipes: PlayerRecipes;
  /** Whether a late command has left something on the tape. */
  isOnTape(message: Message): Promise<boolean>;
  readonly share: Shares;
}

/** A gamemaster that takes messages as old as this is not ready, in milliseconds. */
const MAX_AGE_MS = 30_000;

/**
 * Starts a gamemaster: it runs games, writes tapes and shows them to each eye. Any replica may take any message; as a rule all of a table go to one.
 */
export async function gamemaster(ports: Ports) {
  const { bus, heartbeat, log, sets = catalogue } = ports;
  const { master, monitor, clock, replica } = createParts(ports);
  const { backlog, tables, tapes, share, options, now } = master;

  startCounters(sets);
  const news =
    heartbeat &&
    (await bus.subscribe(['service.alive', 'tape.failed'], async (message) => {
      monitor.hear(message);
      if (message.type !== 'service.alive') return;
      if (message.source === 'player') master.playerRecipes.hear(message.data);
      if (message.source === 'gamemaster') share.hear(message.data.replica);
    }));
  await monitor.begin();
  const capacityReports = options.obeyCapacity
    ? await bus.subscribe(['llm.capacity'], async ({ data }) => master.capacity.hear(data, now()))
    : undefined;
  const handle = (message: Message<Command>, delivery: Delivery) => handleMessage(master, message, delivery);
  const stopSharing = startSharing(master, monitor, replica);
  const how = { concurrency: options.concurrency, inOrder: true, takesLate: true, preference: share };
  const consumer = await bus.consume('gamemaster', TYPES, how, handle);
  const backlogTimer = setInterval(() => backlog.look(now()), options.behind.windowMs / CHECKS_PER_WINDOW);
  const { isOurs } = share;
  const about = { isOurs, messageAgeMs: backlog.messageAgeMs, replica, everyMs: options.alarmEveryMs };
  const ringing = alarms({ bus, tapes, now: clock.now, heartbeat: monitor, log, ...about });
  const counting = tableMetrics({ tapes, now, log, everyMs: options.metricsEveryMs, placeOf: placeIn(tables) });
  return {
    /** The size of the table cache; for tests. */
    inside: () => tables.inside(),
    /** @throws Error with the reason when no table can be decided now, or only late */
    check() {
      monitor.check();
      const ageMs = backlog.messageAgeMs(now());
      if (ageMs > MAX_AGE_MS) throw new Error(`messages wait ${Math.round(ageMs / 1000)} s in the queue: raise the number of gamemasters`);
    },
    async close(): Promise<void> {
      stopSharing();
      clearInterval(backlogTimer);
      await ringing.close();
      await counting.close();
      await consumer.stop();
      await monitor.close();
      await capacityReports?.stop();
      await news?.stop();
    },
  };
}

function createParts(ports: Ports) {
  const { bus, heartbeat, log, sets = catalogue, recipes = cards, steady = () => performance.now() } = ports;
  const { clock = databaseClock({ wall: ports.now, steady }), replica = randomBytes(4).toString('hex'), sleep = timer } = ports;
  const { now } = clock;
  const options = { ...defaultOptions, ...ports.options };
  const backlog = backlogMonitor(options.behind, bus.isUp);
  const tapes = measureAppends(ports.tapes, steady, (ms) => backlog.saw('appends', ms, now()));
  const tables = tableCache(tapes, { tables: options.tablesInMemory, events: options.eventsInMemory }, sets, recipes);
  const monitor = heartbeat ? heartbeatMonitor({ heartbeat, bus, tapes, clock, log, everyMs: options.heartbeatMs }) : noHeartbeat;
  const master: Gamemaster = {
    bus,
    tapes,
    tables,
    sets,
    heartbeat: monitor,
    now,
    sleep,
    backlog,
    capacity: modelCapacity(recipes, options.defaultRecipe),
    strategies: ports.strategies,
    pools: ports.pools,
    policies: ports.policies,
    options,
    recipes,
    playerRecipes: playerRecipes(steady),
    isOnTape: lateLookup(tapes, sleep),
    share: shares(replica, steady),
  };
  return { master, monitor, clock, replica };
}

/** Tells the other gamemasters of this one, and looks which of them are there. Returns a function that ends it. */
function startSharing({ bus, share, tables, now, options }: Gamemaster, monitor: HeartbeatMonitor, replica: string): () => void {
  const everyMs = options.shareEveryMs;
  const stopForgetting = share.onChange(() => tables.forgetUnless(share.isOurs));
  if (everyMs === 0) return stopForgetting;
  const stopSigns = sendSignsOfLife(bus, { service: 'gamemaster', now, replica, everyMs, isAble: () => !monitor.isFailing() });
  const looking = setInterval(() => share.look(), everyMs).unref();
  return () => {
    stopSigns();
    stopForgetting();
    clearInterval(looking);
  };
}

function startCounters(sets: readonly RuleSet[]): void {
  const rules = sets.map(({ name }) => name);
  startAtZero(metrics.tablesOpened, { rules });
  startAtZero(metrics.acts, { rules, verb: ['say', 'tell', 'choose'] });
}

/** Where a table stands, by everything that replicas have written. */
const placeIn = (tables: TableCache) => async (table: string) => publicPlaceOf((await tables.fresh(table)).state.standing);

const measureAppends = (tapes: Tapes, steady: () => number, measured: (ms: number) => void): Tapes => ({
  ...tapes,
  async append(...args) {
    const began = steady();
    try {
      await tapes.append(...args);
    } finally {
      measured(steady() - began);
    }
  },
});

async function handleMessage(master: Gamemaster, message: Message<Command>, { attempt, sender }: Delivery): Promise<Reply | void> {
  const { backlog, bus, now } = master;
  const at = now();
  if (attempt === 1) backlog.saw('messages', at - Date.parse(message.time), at);
  backlog.saw('unsent', bus.unconfirmedCount(), at);
  try {
    if (isLate(message, at) && !(await master.isOnTape(message))) return undefined; // nobody waits for it, and nothing of it is to be finished
    return await execute(master, message, sender);
  } catch (thrown) {
    const error = asServiceError(thrown);
    if (error instanceof Refusal && isLate(message, now())) return undefined; // nobody waits for the refusal
    throw error;
  }
}

/** Turns a refusal of the rules into one that the bus answers with; every other error stays as it is. */
const asServiceError = (error: unknown): unknown => (error instanceof RuleRefusal ? new Refusal(error.reason, error.detail) : error);

async function execute(master: Gamemaster, message: Message<Command>, sender: Delivery['sender']): Promise<Reply | void> {
  switch (message.type) {
    case 'table.open':
      return open(master, message, master).finally(() => {
        if (!master.share.isOurs(message.subject)) master.tables.forget(message.subject); // another replica is served what comes next
      });
    case 'table.join':
      return join(master, message, sender);
    case 'table.act':
      return act(master, message);
    case 'table.hand':
      return hand(master, message, sender);
    case 'table.assign':
      return assign(master, message, master);
    case 'table.pause':
      return pause(master, message);
    case 'table.resume':
      return resume(master, message);
    case 'table.abort':
      return abort(master, message, sender);
    case 'table.tick':
      return tick(master, message, master.backlog);
    case 'table.view':
    case 'table.list':
    case 'table.rules':
    case 'table.leaderboard':
    case 'table.recipes':
    case 'table.check':
      return { performative: 'inform', data: await query(master, message, sender) };
  }
}

async function query(
  master: Gamemaster,
  message: Message<'table.view' | 'table.list' | 'table.rules' | 'table.leaderboard' | 'table.recipes' | 'table.check'>,
  sender: Delivery['sender'],
): Promise<unknown> {
  const { tables, tapes, sets, recipes, now } = master;
  switch (message.type) {
    case 'table.view':
      return viewOf(await tables.fresh(message.subject), message.data, sender, now());
    case 'table.list':
      if (message.data.isStuck)
        return { tables: [], stuck: await stuckTables({ tapes, placeOf: placeIn(tables) }, now(), message.data.limit) };
      return {
        tables: fitInPage(
          (await tapes.list(listing(message.data))).map(({ summary }) => told(summary as TableSummary, message.data.agent)),
        ),
      };
    case 'table.rules':
      return message.data.table === undefined ? rulesOf(message.data, sets) : rulesOfTable(await tables.fresh(message.data.table), sets);
    case 'table.leaderboard':
      return leaderboard(message.data, tapes, sets);
    case 'table.recipes':
      return recipeList(recipes);
    case 'table.check':
      return { mistakes: await checkMinds(message.data.minds, master) };
  }
}

const listing = ({ before, beforeTable, isStuck: _, ...wanted }: Data<'table.list'>) =>
  omitUndefined({ ...wanted, before: before === undefined || beforeTable === undefined ? before : { opened: before, table: beforeTable } });
