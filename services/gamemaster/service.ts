import type { Bus } from '@maw/bus/bus.ts';
import type { Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import type { Answer } from '@maw/contracts/contracts.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import { Refusal } from '@maw/games/refusal.ts';
import type { RuleSet } from '@maw/games/rule-set.ts';
import type { Tapes } from '@maw/store/store.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { act } from './act.ts';
import { alarms } from './alarm.ts';
import { capacityOf } from './capacity.ts';
import { decide, type Desk, isLate } from './decide.ts';
import { open } from './open.ts';
import { fitting } from './page.ts';
import { tables as tablesOf } from './tables.ts';
import { rulesOf, viewOf } from './view.ts';

export interface GamemasterOptions {
  /** How often due alarms are looked for, in milliseconds; 0 never. */
  readonly alarmEveryMs: number;
  /** How many messages are in hand at once; of one table one after another. */
  readonly concurrency: number;
  /** How many running tables are kept in memory. */
  readonly tablesInMemory: number;
  /** Whether tables whose minds need a model are refused while the gateway says that there is no room for them. */
  readonly obeyCapacity: boolean;
}

export const usualOptions: GamemasterOptions = { alarmEveryMs: 200, concurrency: 64, tablesInMemory: 2_000, obeyCapacity: true };

const TYPES = ['table.open', 'table.join', 'table.act', 'table.hand', 'table.tick', 'table.view', 'table.list', 'table.rules'] as const;

interface Ports {
  readonly bus: Bus;
  readonly tapes: Tapes;
  now(): number;
  readonly log: Log;
  /** The games that can be played; those of the catalogue when not given. */
  readonly sets?: readonly RuleSet[];
  readonly options?: Partial<GamemasterOptions>;
}

/** The gamemaster: opens tables, seats players, deals, asks, counts, times, ends, scores; writes tapes; projects views. Any replica takes any message. */
export async function gamemaster(ports: Ports) {
  const { bus, tapes, now, log, sets = catalogue } = ports;
  const options = { ...usualOptions, ...ports.options };
  const tables = tablesOf(tapes, options.tablesInMemory, sets);
  const desk: Desk = { bus, tapes, tables, sets, now };
  const capacity = capacityOf();
  const inform = (data: unknown): Reply => ({ performative: 'inform', data });

  async function hear(message: Message<(typeof TYPES)[number]>): Promise<Reply | void> {
    try {
      return await take(message);
    } catch (error) {
      if (error instanceof Refusal && isLate(message, now())) return undefined; // nobody waits to be refused
      throw error;
    }
  }

  async function take(message: Message<(typeof TYPES)[number]>): Promise<Reply | void> {
    switch (message.type) {
      case 'table.open':
        return open(desk, message, capacity);
      case 'table.join':
        return join(message);
      case 'table.act':
        return act(desk, message);
      case 'table.hand':
        return decide(
          desk,
          message,
          ({ ledger }) => ledger.rules.hand(ledger.standing.game, message.data.seat, message.data.to),
          () => ({ performative: 'agree', data: { seat: message.data.seat } }),
        );
      case 'table.tick':
        return tick(message);
      case 'table.view':
        if (isLate(message, now())) return undefined;
        return inform(viewOf(await tables.fresh(message.subject), message.data));
      case 'table.list':
        if (isLate(message, now())) return undefined;
        return inform({ tables: fitting((await tapes.list(listing(message.data))).map(({ summary }) => summary)) });
      case 'table.rules':
        if (isLate(message, now())) return undefined;
        return inform(rulesOf(message.data, sets));
    }
  }

  const join = (message: Message<'table.join'>): Promise<Reply | void> =>
    decide(
      desk,
      message,
      ({ ledger }) => ledger.rules.join(ledger.standing.game, message.data.seat, message.data.name, now()),
      (_, caused) => {
        const joined = caused.find(({ event }) => event.type === 'joined')!.event as unknown as Answer<'table.join'>;
        return { performative: 'agree', data: { seat: joined.seat, name: joined.name } };
      },
    );

  const tick = (message: Message<'table.tick'>): Promise<Reply | void> =>
    decide(
      desk,
      message,
      ({ ledger: { game, standing } }) => {
        const at = now();
        const events = game.tick(standing, at, standing.game.opening.seed);
        if (events.length) metrics.alarmsLate.observe({ service: 'gamemaster' }, Math.max(0, at - message.data.alarm) / 1000);
        return events;
      },
      () => undefined,
    );

  const told = options.obeyCapacity ? await bus.tap(['llm.capacity'], async ({ data }) => capacity.hear(data, now())) : undefined;
  const listening = await bus.pool('gamemaster', TYPES, { concurrency: options.concurrency, inOrder: true, takesLate: true }, hear);
  const ringing = alarms({ bus, tapes, now, log, everyMs: options.alarmEveryMs });
  return {
    async close(): Promise<void> {
      await ringing.close();
      await listening.stop();
      await told?.stop();
    },
  };
}

const listing = ({ limit, before, isOver }: Message<'table.list'>['data']) => ({
  limit,
  ...(before === undefined ? {} : { before }),
  ...(isOver === undefined ? {} : { isOver }),
});
