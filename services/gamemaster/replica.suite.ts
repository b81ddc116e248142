import { randomUUID } from 'node:crypto';
import type { Bus } from '@maw/bus/bus.ts';
import type { DeadLetter } from '@maw/bus/core/dead-letter.ts';
import { memoryBus, memoryHub, type MemoryHub } from '@maw/bus/memory/memory-bus.ts';
import { type ReplyData, type ContractName, contracts, type Input, type Message } from '@maw/contracts/contracts.ts';
import { omitUndefined } from '@maw/contracts/omit-undefined.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import type { Heartbeat } from '@maw/store/ports/heartbeat.ts';
import type { ExperiencePools } from '@maw/store/ports/experience.ts';
import type { Policies } from '@maw/store/ports/policies.ts';
import type { Strategies } from '@maw/store/ports/strategies.ts';
import type { Tapes } from '@maw/store/ports/tapes.ts';
import { logger } from '@maw/telemetry/log.ts';
import { gamemaster } from './service.ts';

export interface How {
  readonly table?: string;
  /** The same again is the same message. */
  readonly id?: string;
  readonly source?: string;
  /** Until when an answer is waited for, in milliseconds since the epoch; a minute when not given. */
  readonly replyBy?: number;
  /** When it was written; now when not given. */
  readonly at?: number;
}

export interface ReplicaOptions {
  /** Where it hears from; a hub of its own when not given, so that a test says who takes what. */
  readonly hub?: MemoryHub;
  readonly tapes: Tapes;
  readonly strategies?: Strategies;
  readonly pools?: ExperiencePools;
  readonly policies?: Policies;
  now(): number;
  /** A clock that nobody sets; the same as `now` when not given. */
  steady?(): number;
  /** The games it knows; those of the catalogue when not given. */
  readonly sets?: readonly RuleSet[];
  /** Called before each message is sent; what it throws is what publishing throws. */
  readonly sending?: ((message: Message) => void | Promise<void>) | undefined;
  /** As good as never when not given: tests tell the time themselves. */
  readonly alarmEveryMs?: number;
  readonly tablesInMemory?: number;
  readonly eventsInMemory?: number;
  readonly obeyBacklog?: boolean;
  readonly obeyCapacity?: boolean;
  /** By which outages are known; without it the clock is all that counts, and may be moved at will. */
  readonly heartbeat?: Heartbeat;
  readonly heartbeatMs?: number;
  /** Whether the broker is there; it is when not given. */
  readonly isUp?: () => boolean;
  /** Awaited before the broker confirms a probe. */
  readonly probing?: () => Promise<void>;
}

/** One gamemaster, and somebody who speaks to it. */
export interface Replica {
  readonly hub: MemoryHub;
  readonly dead: readonly DeadLetter[];
  /** Everything it has sent, in order. */
  readonly said: readonly Message[];
  of<N extends ContractName>(type: N): readonly Message<N>[];
  ask<N extends ContractName>(name: N, data: Input<N>, how?: How): Promise<Reply<ReplyData<N>>>;
  /** What a good answer carries. @throws Error with the reason of another */
  get<N extends ContractName>(name: N, data: Input<N>, how?: How): Promise<ReplyData<N>>;
  tell<N extends ContractName>(name: N, data: Input<N>, how?: How): Promise<void>;
  /** @throws the reason why it is not ready */
  check(): void;
  /** What it keeps of tables. */
  inside(): ReturnType<Awaited<ReturnType<typeof gamemaster>>['inside']>;
  close(): Promise<void>;
}

export async function startReplica(options: ReplicaOptions): Promise<Replica> {
  const { hub = memoryHub(), tapes, now, steady = now, sets, sending, isUp, probing, alarmEveryMs = 3_600_000, ...rest } = options;
  const { strategies, pools, policies, heartbeat } = options;
  const inner = memoryBus({ service: 'gamemaster', hub, retryMs: [1, 1, 1], graceMs: 200 });
  const tester = memoryBus({ service: 'tester', hub });
  const said: Message[] = [];
  const bus: Bus = {
    ...inner,
    ...(isUp ? { isUp } : {}),
    probe: async (...about) => {
      await probing?.();
      return inner.probe(...about);
    },
    publish: async (message, how) => {
      await sending?.(message);
      await inner.publish(message, how);
      said.push(message);
    },
  };
  const master = await gamemaster({
    bus,
    tapes,
    now,
    steady,
    log: logger('gamemaster', { level: 'silent' }),
    ...omitUndefined({ strategies, pools, policies, heartbeat, sets }),
    options: { alarmEveryMs, metricsEveryMs: 0, shareEveryMs: 0, ...rest },
  });
  const written = <N extends ContractName>(
    name: N,
    data: Input<N>,
    { table = 't1', id = randomUUID(), source = 'web', replyBy = now() + 60_000, at = now() }: How,
  ) => contracts.write(name, data as never, { id, source, subject: table, at, replyBy }) as unknown as Message<N>;
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
    check: master.check,
    inside: master.inside,
    close: () => (closing ??= close()),
  };
}
