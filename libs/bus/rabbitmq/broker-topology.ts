import { type ContractName, contracts } from '@maw/contracts/contracts.ts';
import { MAX_RETAINED } from '../core/message-limits.ts';
import { MAX_DELIVERIES } from '../retries.ts';
import {
  ANSWERS,
  asideExchangeOf,
  deadLetterQueueOf,
  delayQueueOf,
  type ServiceQueue,
  serviceQueues,
  typeOfKey,
} from '../core/topology.ts';

type Arguments = Readonly<Record<string, string | number | boolean>>;

interface PlannedQueue {
  readonly name: string;
  readonly arguments: Arguments;
}

/** What must exist on the broker, as data: a bus declares it, and a broker's definitions are generated from it. All of it is durable. */
export interface Topology {
  readonly exchanges: readonly (PlannedQueue & { readonly type: 'topic' | 'direct' | 'fanout' })[];
  readonly queues: readonly PlannedQueue[];
  readonly bindings: readonly { readonly exchange: string; readonly queue: string; readonly key: string }[];
}

/** Names on the broker. With a prefix, installations can share one. */
export interface Names {
  readonly prefix: string;
}

export const exchangeForKind = (kind: 'command' | 'event', { prefix }: Names): string => `${prefix}${kind}s`;
export const replyExchange = ({ prefix }: Names): string => `${prefix}${ANSWERS}`;
export const exchangeForType = (type: string, names: Names): string => exchangeForKind(contracts.get(type as ContractName).kind, names);

/**
 * The exchanges and the queues of all services. Every service declares all of it, so that a command finds its queue even if the receiving
 * service has never started.
 */
export const fullPlan = (names: Names): Topology => mergePlans([sharedPlan(names), ...serviceQueues.map((one) => queuePlan(one, names))]);

/** The exchanges that every service needs. Messages without a bound queue go to `unrouted`, which retains the newest. */
export function sharedPlan(names: Names): Topology {
  const unrouted = `${names.prefix}unrouted`;
  const newest = { 'x-max-length': MAX_RETAINED, 'x-overflow': 'drop-head' };
  return {
    exchanges: [
      { name: unrouted, type: 'fanout', arguments: {} },
      ...(['command', 'event'] as const).map((kind) => ({
        name: exchangeForKind(kind, names),
        type: 'topic' as const,
        arguments: { 'alternate-exchange': unrouted },
      })),
      // A reply that nobody waits for any more is dropped.
      { name: replyExchange(names), type: 'topic', arguments: {} },
    ],
    queues: [quorum(unrouted, newest)],
    bindings: [{ exchange: unrouted, queue: unrouted, key: '' }],
  };
}

/**
 * The queue of a service, bound to its types, with its dead-letter queue. The broker dead-letters what kills its consumers repeatedly.
 * Retries and dead letters have an exchange per queue: a user who may write to the default exchange could write to every queue.
 */
export function queuePlan({ queue, types, isSingle, parts }: ServiceQueue, names: Names): Topology {
  const name = `${names.prefix}${queue}`;
  const aside = asideExchangeOf(name);
  return {
    exchanges: [{ name: aside, type: 'direct', arguments: {} }],
    queues: [
      // Reading dead letters counts as a delivery each time, and must not use them up.
      quorum(deadLetterQueueOf(name), { 'x-delivery-limit': 1_000_000_000 }),
      quorum(name, {
        ...deadLettering(deadLetterQueueOf(name)),
        'x-delivery-limit': MAX_DELIVERIES,
        ...(isSingle ? { 'x-single-active-consumer': true } : {}),
      }),
      ...parts.map((part) =>
        quorum(`${names.prefix}${part.queue}`, {
          ...(part.isRead ? {} : deadLettering(deadLetterQueueOf(name))),
          'x-delivery-limit': MAX_DELIVERIES,
        }),
      ),
    ],
    bindings: [
      ...types.map((key) => ({ exchange: exchangeForType(typeOfKey(key), names), queue: name, key })),
      ...parts.flatMap((part) =>
        part.keys.map((key) => ({ exchange: exchangeForKind('command', names), queue: `${names.prefix}${part.queue}`, key })),
      ),
      ...[deadLetterQueueOf(name), name].map((one) => ({ exchange: aside, queue: one, key: one })),
    ],
  };
}

/** The delay queues of a queue: messages wait there for their next attempt. */
export function delaysPlan({ queue, delaysMs }: { readonly queue: string; readonly delaysMs: readonly number[] }, names: Names): Topology {
  const name = `${names.prefix}${queue}`;
  const delays = delaysMs.map((ms) => quorum(delayQueueOf(name, ms), { ...deadLettering(name), 'x-message-ttl': ms }));
  return {
    exchanges: [],
    queues: delays,
    bindings: delays.map((one) => ({ exchange: asideExchangeOf(name), queue: one.name, key: one.name })),
  };
}

export const mergePlans = (plans: readonly Topology[]): Topology => ({
  exchanges: plans.flatMap(({ exchanges }) => exchanges),
  queues: plans.flatMap(({ queues }) => queues),
  bindings: plans.flatMap(({ bindings }) => bindings),
});

/**
 * At least once: otherwise the broker may lose what it moves between queues. It uses the default exchange, to which the broker itself may
 * always write; the arguments of an existing queue cannot be changed.
 */
const deadLettering = (to: string) => ({
  'x-dead-letter-exchange': '',
  'x-dead-letter-routing-key': to,
  'x-dead-letter-strategy': 'at-least-once',
  'x-overflow': 'reject-publish',
});

const quorum = (name: string, args: Arguments): PlannedQueue => ({ name, arguments: { 'x-queue-type': 'quorum', ...args } });
