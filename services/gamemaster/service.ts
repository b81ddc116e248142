import type { Bus, Delivery } from '@maw/bus/bus.ts';
import type { Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import type { ReplyData } from '@maw/contracts/contracts.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import type { Heartbeat } from '@maw/store/ports/heartbeat.ts';
import type { Tapes } from '@maw/store/ports/tapes.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { act } from './commands/act.ts';
import { alarms } from './timing/alarms.ts';
import { backlogMonitor, type BacklogLimits } from './admission/backlog.ts';
import { modelCapacity } from './admission/capacity.ts';
import { tableMetrics } from './table-metrics.ts';
import { databaseClock } from './timing/clock.ts';
import { decide, type CommandContext, isLate, otherMessage } from './commands/decide.ts';
import { open } from './commands/open.ts';
import { fitInPage } from './messages/page.ts';
import { heartbeatMonitor as heartOf, noHeartbeat } from './timing/heartbeat.ts';
import { asServiceError } from './refusal.ts';
import { tableCache as tablesOf } from './tables/table-cache.ts';
import { rulesOf, viewOf } from './commands/view.ts';

/** For those who look after a store: whether what is kept of a table is as its tape says. */
export { verifyTable } from './verification/verify-table.ts';

export interface GamemasterOptions {
  /** How often due alarms are looked for, in milliseconds; 0 never. */
  readonly alarmEveryMs: number;
  /** How many messages are in hand at once; of one table one after another. */
  readonly concurrency: number;
  /** How many running tables are kept in memory. */
  readonly tablesInMemory: number;
  /** How much of all tables together: an event counts once by itself and once for each eye that has seen it. */
  readonly eventsInMemory: number;
  /** How often a gamemaster that has broker and database says so, in milliseconds; five times in vain, all replicas' together, is an outage. */
  readonly pulseMs: number;
  /** How often the tables are counted for `/metrics`, in milliseconds; 0 never. */
  readonly censusMs: number;
  /** Whether tables whose minds need a model are refused while the gateway says that there is no room for them. */
  readonly obeyCapacity: boolean;
  /** Whether tables are refused while this gamemaster is behind with its own work. */
  readonly obeyBacklog: boolean;
  /** From when on it is. */
  readonly behind: BacklogLimits;
}

export const defaultOptions: GamemasterOptions = {
  alarmEveryMs: 200,
  concurrency: 64,
  tablesInMemory: 2_000,
  eventsInMemory: 2_000_000,
  pulseMs: 1_000,
  censusMs: 5_000,
  obeyCapacity: true,
  obeyBacklog: true,
  behind: { messageMs: 3_000, alarmMs: 3_000, appendMs: 1_000, unsent: 1_000, windowMs: 5_000 },
};

const TYPES = ['table.open', 'table.join', 'table.act', 'table.hand', 'table.tick', 'table.view', 'table.list', 'table.rules'] as const;

/** How often it is looked at within a window, so that the measure is right also when nothing happens. */
const LOOKS = 5;
const noBacklog = { mustKeepUp: (): void => {} };

interface Ports {
  readonly bus: Bus;
  readonly tapes: Tapes;
  /** The pulse of all gamemasters, by which the time and outages are known; absent: no time is ever given back, and `now` is the time. */
  readonly pulse?: Heartbeat;
  /** The clock of this machine, milliseconds since the epoch. */
  now(): number;
  /** A clock that nobody sets, milliseconds since any moment; that of the process when not given. */
  steady?(): number;
  readonly log: Log;
  /** The games that can be played; those of the catalogue when not given. */
  readonly sets?: readonly RuleSet[];
  readonly options?: Partial<GamemasterOptions>;
}

/** The gamemaster: opens tables, seats players, deals, asks, counts, times, ends, scores; writes tapes; projects views. Any replica takes any message. */
export async function gamemaster(ports: Ports) {
  const { bus, pulse, log, sets = catalogue, steady = () => performance.now() } = ports;
  const clock = databaseClock({ wall: ports.now, steady });
  const { now } = clock;
  const wall = ports.now;
  const options = { ...defaultOptions, ...ports.options };
  const backlog = backlogMonitor(options.behind, bus.isUp);
  const tapes: Tapes = { ...ports.tapes, append: timed };
  const tables = tablesOf(tapes, { tables: options.tablesInMemory, events: options.eventsInMemory }, sets);
  const heart = pulse ? heartOf({ pulse, bus, tapes, clock, log, everyMs: options.pulseMs }) : noHeartbeat;
  const desk: CommandContext = { bus, tapes, tables, sets, heart, now, wall };
  const capacity = modelCapacity();
  const inform = (data: unknown): Reply => ({ performative: 'inform', data });

  async function timed(...given: Parameters<Tapes['append']>): Promise<void> {
    const began = steady();
    try {
      await ports.tapes.append(...given);
    } finally {
      backlog.saw('appends', steady() - began, now());
    }
  }

  async function hear(message: Message<(typeof TYPES)[number]>, { attempt }: Delivery): Promise<Reply | void> {
    const at = now();
    if (attempt === 1) backlog.saw('messages', wall() - Date.parse(message.time), at); // as its sender dates it
    backlog.saw('unsent', bus.unconfirmedCount(), at);
    try {
      return await take(message);
    } catch (thrown) {
      const error = asServiceError(thrown);
      if (error instanceof Refusal && isLate(message, wall())) return undefined; // nobody waits to be refused
      throw error;
    }
  }

  async function take(message: Message<(typeof TYPES)[number]>): Promise<Reply | void> {
    switch (message.type) {
      case 'table.open':
        return open(desk, message, { capacity, backlog: options.obeyBacklog ? backlog : noBacklog });
      case 'table.join':
        return join(message);
      case 'table.act':
        return act(desk, message);
      case 'table.hand':
        return decide(
          desk,
          message,
          ({ state: ledger }) => ledger.rules.hand(ledger.standing.game, message.data.seat, message.data.to),
          () => ({ performative: 'agree', data: { seat: message.data.seat } }),
        );
      case 'table.tick':
        return tick(message);
      case 'table.view':
        if (isLate(message, wall())) return undefined;
        return inform(viewOf(await tables.fresh(message.subject), message.data));
      case 'table.list':
        if (isLate(message, wall())) return undefined;
        return inform({ tables: fitInPage((await tapes.list(listing(message.data))).map(({ summary }) => summary)) });
      case 'table.rules':
        if (isLate(message, wall())) return undefined;
        return inform(rulesOf(message.data, sets));
    }
  }

  const join = (message: Message<'table.join'>): Promise<Reply | void> =>
    decide(
      desk,
      message,
      ({ state: ledger }, at) => ledger.rules.join(ledger.standing.game, message.data.seat, message.data.name, at),
      (_, caused) => {
        const joined = caused.find(({ event }) => event.type === 'joined');
        if (!joined) throw otherMessage(message.subject);
        const { seat, name } = joined.event as unknown as ReplyData<'table.join'>;
        return { performative: 'agree', data: { seat, name } };
      },
    );

  const tick = (message: Message<'table.tick'>): Promise<Reply | void> =>
    decide(
      desk,
      message,
      ({ state: { game, standing } }, at) => {
        const events = game.tick(standing, at, standing.game.opening.seed);
        if (events.length) {
          const late = Math.max(0, at - message.data.alarm);
          metrics.alarmsLate.observe({ service: 'gamemaster' }, late / 1000);
          backlog.saw('alarms', late, at);
        }
        return events;
      },
      () => undefined,
    );

  await heart.begin();
  const told = options.obeyCapacity ? await bus.subscribe(['llm.capacity'], async ({ data }) => capacity.hear(data, now())) : undefined;
  const listening = await bus.consume('gamemaster', TYPES, { concurrency: options.concurrency, inOrder: true, takesLate: true }, hear);
  const looking = setInterval(() => backlog.look(now()), options.behind.windowMs / LOOKS);
  const ringing = alarms({ bus, tapes, now, log, everyMs: options.alarmEveryMs });
  const census = tableMetrics({ tapes, now, log, everyMs: options.censusMs });
  return {
    /** What is kept of tables; for tests. */
    inside: () => tables.inside(),
    async close(): Promise<void> {
      clearInterval(looking);
      await ringing.close();
      await census.close();
      await listening.stop();
      await heart.close();
      await told?.stop();
    },
  };
}

const listing = ({ limit, before, beforeTable, isOver }: Message<'table.list'>['data']) => ({
  limit,
  ...(before === undefined ? {} : { before: beforeTable === undefined ? before : { opened: before, table: beforeTable } }),
  ...(isOver === undefined ? {} : { isOver }),
});
