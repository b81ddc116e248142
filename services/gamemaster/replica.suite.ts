import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Bus } from '@maw/bus/bus.ts';
import type { DeadLetter } from '@maw/bus/dead-letter.ts';
import { memoryBus, memoryHub, type MemoryHub } from '@maw/bus/memory.ts';
import { type Answer, type ContractName, contracts, type Contracts, type Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import type { RuleSet } from '@maw/games/rule-set.ts';
import type { Tapes } from '@maw/store/store.ts';
import { logger } from '@maw/telemetry/log.ts';
import { gamemaster } from './service.ts';

export type Input<N extends ContractName> = z.input<
  ReturnType<Contracts['get']> extends infer C ? (C extends { name: N; data: infer D } ? D : never) : never
>;

export interface How {
  readonly table?: string;
  /** The same again is the same message. */
  readonly id?: string;
  readonly source?: string;
  /** Until when an answer is waited for, in milliseconds since the epoch; a minute when not given. */
  readonly replyBy?: number;
}

export interface ReplicaOptions {
  /** Where it hears from; a hub of its own when not given, so that a test says who takes what. */
  readonly hub?: MemoryHub;
  readonly tapes: Tapes;
  now(): number;
  /** The games it knows; those of the catalogue when not given. */
  readonly sets?: readonly RuleSet[];
  /** Called before each message is sent; what it throws is what publishing throws. */
  readonly sending?: ((message: Message) => void | Promise<void>) | undefined;
  /** As good as never when not given: tests tell the time themselves. */
  readonly alarmEveryMs?: number;
  readonly tablesInMemory?: number;
  readonly obeyCapacity?: boolean;
}

/** One gamemaster, and somebody who speaks to it. */
export interface Replica {
  readonly hub: MemoryHub;
  readonly dead: readonly DeadLetter[];
  /** Everything it has sent, in order. */
  readonly said: readonly Message[];
  of<N extends ContractName>(type: N): readonly Message<N>[];
  ask<N extends ContractName>(name: N, data: Input<N>, how?: How): Promise<Reply<Answer<N>>>;
  /** What a good answer carries. @throws Error with the reason of another */
  get<N extends ContractName>(name: N, data: Input<N>, how?: How): Promise<Answer<N>>;
  tell<N extends ContractName>(name: N, data: Input<N>, how?: How): Promise<void>;
  close(): Promise<void>;
}

export async function startReplica(options: ReplicaOptions): Promise<Replica> {
  const { hub = memoryHub(), tapes, now, sets, sending, alarmEveryMs = 3_600_000, ...rest } = options;
  const inner = memoryBus({ service: 'gamemaster', hub, retryMs: [1, 1, 1], graceMs: 200 });
  const tester = memoryBus({ service: 'tester', hub });
  const said: Message[] = [];
  const bus: Bus = {
    ...inner,
    publish: async (message) => {
      await sending?.(message);
      await inner.publish(message);
      said.push(message);
    },
  };
  const log = logger('gamemaster', { level: 'silent' });
  const master = await gamemaster({ bus, tapes, now, log, ...(sets ? { sets } : {}), options: { alarmEveryMs, ...rest } });
  const written = <N extends ContractName>(
    name: N,
    data: Input<N>,
    { table = 't1', id = randomUUID(), source = 'web', replyBy = now() + 60_000 }: How,
  ) => contracts.write(name, data as never, { id, source, subject: table, at: now(), replyBy }) as unknown as Message<N>;
  const ask: Replica['ask'] = (name, data, how = {}) => tester.request(written(name, data, how));
  let closing: Promise<void> | undefined;

  async function close(): Promise<void> {
    await master.close();
    await inner.close();
    await tester.close();
  }

  return {
    hub,
    dead: hub.dead,
    said,
    of: <N extends ContractName>(type: N) => said.filter((message) => message.type === type) as unknown as readonly Message<N>[],
    ask,
    async get(name, data, how) {
      const reply = await ask(name, data, how);
      if (reply.performative === 'refuse' || reply.performative === 'failure') throw new Error(`${name}: ${JSON.stringify(reply.data)}`);
      return reply.data as never;
    },
    tell: (name, data, how = {}) => tester.publish(written(name, data, how) as unknown as Message),
    close: () => (closing ??= close()),
  };
}
