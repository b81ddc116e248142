import { type ContractName, contracts } from '@maw/contracts/contracts.ts';
import {
  ANSWERS,
  asideExchangeOf,
  deadLetterQueueOf,
  delayQueueOf,
  MAX_DELIVERIES,
  MAX_RETAINED,
  type ServiceQueue,
  serviceQueues,
} from '../core/topology.ts';

type Arguments = Readonly<Record<string, string | number | boolean>>;

export interface PlannedExchange {
  readonly name: string;
  readonly type: 'topic' | 'direct' | 'fanout';
  readonly arguments: Arguments;
}

export interface PlannedQueue {
  readonly name: string;
  readonly arguments: Arguments;
}

export interface PlannedBinding {
  readonly exchange: string;
  readonly queue: string;
  readonly key: string;
}

/** What is to be on the broker, as data: a bus declares it, and the definitions of a broker are written from it. All of it outlives the broker's restart. */
export interface Plan {
  readonly exchanges: readonly PlannedExchange[];
  readonly queues: readonly PlannedQueue[];
  readonly bindings: readonly PlannedBinding[];
}

/** Names on the broker; with a prefix, several installations can share one. */
export interface Names {
  readonly prefix: string;
}

export const exchangeFor = (kind: 'command' | 'event', { prefix }: Names): string => `${prefix}${kind}s`;
export const answersFor = ({ prefix }: Names): string => `${prefix}${ANSWERS}`;
export const exchangeOf = (type: string, names: Names): string => exchangeFor(contracts.get(type as ContractName).kind, names);

/**
 * Everything that all services share. Each declares it whole, so that a command finds its queue also when the service that takes it has
 * never been started. What nobody is bound to goes to the newest thousands in `unrouted`.
 */
export const wholePlan = (names: Names): Plan => joined([sharedPlan(names), ...serviceQueues.map((one) => queuePlan(one, names))]);

/** The exchanges that every service needs. */
export function sharedPlan(names: Names): Plan {
  const unrouted = `${names.prefix}unrouted`;
  const kept = { 'x-max-length': MAX_RETAINED, 'x-overflow': 'drop-head' };
  return {
    exchanges: [
      { name: unrouted, type: 'fanout', arguments: {} },
      ...(['command', 'event'] as const).map((kind) => ({
        name: exchangeFor(kind, names),
        type: 'topic' as const,
        arguments: { 'alternate-exchange': unrouted },
      })),
      // An answer that nobody waits for any more is let go.
      { name: answersFor(names), type: 'topic', arguments: {} },
    ],
    queues: [quorum(unrouted, kept)],
    bindings: [{ exchange: unrouted, queue: unrouted, key: '' }],
  };
}

/**
 * A queue for work, bound to its types, with its dead letters. What kills its consumers again and again is buried by the broker.
 * The service puts messages aside by an exchange of its own: whoever may write to the broker's default exchange can put anything into any queue.
 */
export function queuePlan({ queue, types, isSingle }: ServiceQueue, names: Names): Plan {
  const name = `${names.prefix}${queue}`;
  const aside = asideExchangeOf(name);
  return {
    exchanges: [{ name: aside, type: 'direct', arguments: {} }],
    queues: [
      // Looking at dead letters gives them back each time: that must not wear them out.
      quorum(deadLetterQueueOf(name), { 'x-delivery-limit': 1_000_000_000 }),
      quorum(name, {
        ...deadLettering(deadLetterQueueOf(name)),
        'x-delivery-limit': MAX_DELIVERIES,
        ...(isSingle ? { 'x-single-active-consumer': true } : {}),
      }),
    ],
    bindings: [
      ...types.map((type) => ({ exchange: exchangeOf(type, names), queue: name, key: type })),
      ...[deadLetterQueueOf(name), name].map((one) => ({ exchange: aside, queue: one, key: one })),
    ],
  };
}

/** Queues that keep what is to be tried again, each for its time. */
export function delaysPlan({ queue, delaysMs }: { readonly queue: string; readonly delaysMs: readonly number[] }, names: Names): Plan {
  const name = `${names.prefix}${queue}`;
  const delays = delaysMs.map((ms) => quorum(delayQueueOf(name, ms), { ...deadLettering(name), 'x-message-ttl': ms }));
  return {
    exchanges: [],
    queues: delays,
    bindings: delays.map((one) => ({ exchange: asideExchangeOf(name), queue: one.name, key: one.name })),
  };
}

export const joined = (plans: readonly Plan[]): Plan => ({
  exchanges: plans.flatMap(({ exchanges }) => exchanges),
  queues: plans.flatMap(({ queues }) => queues),
  bindings: plans.flatMap(({ bindings }) => bindings),
});

/**
 * At least once: without it the broker may lose what it moves from one queue to another. By the default exchange, which the broker itself may
 * always use, and because the arguments of a queue cannot be changed any more.
 */
const deadLettering = (to: string) => ({
  'x-dead-letter-exchange': '',
  'x-dead-letter-routing-key': to,
  'x-dead-letter-strategy': 'at-least-once',
  'x-overflow': 'reject-publish',
});

const quorum = (name: string, args: Arguments): PlannedQueue => ({ name, arguments: { 'x-queue-type': 'quorum', ...args } });
