import type { Channel } from 'amqplib';
import { type ContractName, contracts } from '@maw/contracts/contracts.ts';
import { deadOf, delayOf, MOST_DELIVERIES, MOST_KEPT, serviceQueues } from './topology.ts';
import type { QueueAsked } from './wire.ts';

/** Names on the broker; with a prefix, several installations can share one. */
export interface Names {
  readonly prefix: string;
}

export const exchangeFor = (kind: 'command' | 'event', { prefix }: Names): string => `${prefix}${kind}s`;
const kindOf = (type: string) => contracts.get(type as ContractName).kind;

/**
 * Everything that all services share. Each declares it whole, so that a command finds its queue also when the service that takes it has
 * never been started. What nobody is bound to goes to the newest thousands in `unrouted`.
 */
export async function declareTopology(channel: Channel, names: Names): Promise<void> {
  const unrouted = `${names.prefix}unrouted`;
  await channel.assertExchange(unrouted, 'fanout', { durable: true });
  await quorum(channel, unrouted, { 'x-max-length': MOST_KEPT, 'x-overflow': 'drop-head' });
  await channel.bindQueue(unrouted, unrouted, '');
  for (const kind of ['command', 'event'] as const)
    await channel.assertExchange(exchangeFor(kind, names), 'topic', { durable: true, alternateExchange: unrouted });
  for (const one of serviceQueues) await declareQueue(channel, one, names);
}

/** A queue for work, bound to its types, with its dead letters. What kills its consumers again and again is buried by the broker. */
export async function declareQueue(
  channel: Channel,
  { queue, types, isSingle }: Pick<QueueAsked, 'queue' | 'types' | 'isSingle'>,
  names: Names,
): Promise<void> {
  const name = `${names.prefix}${queue}`;
  // Looking at dead letters gives them back each time: that must not wear them out.
  await quorum(channel, deadOf(name), { 'x-delivery-limit': 1_000_000_000 });
  await quorum(channel, name, {
    ...deadLettering(deadOf(name)),
    'x-delivery-limit': MOST_DELIVERIES,
    ...(isSingle ? { 'x-single-active-consumer': true } : {}),
  });
  for (const type of types) await channel.bindQueue(name, exchangeFor(kindOf(type), names), type);
}

/** Queues that keep what is to be tried again, each for its time. */
export async function declareDelays(
  channel: Channel,
  { queue, delaysMs }: Pick<QueueAsked, 'queue' | 'delaysMs'>,
  names: Names,
): Promise<void> {
  const name = `${names.prefix}${queue}`;
  for (const ms of delaysMs) await quorum(channel, delayOf(name, ms), { ...deadLettering(name), 'x-message-ttl': ms });
}

/** A queue of ours alone, that goes with the connection. */
export async function declareOwn(channel: Channel, name: string, types: readonly string[], names: Names): Promise<string> {
  const own = { exclusive: true, durable: false, autoDelete: true, arguments: { 'x-max-length': MOST_KEPT } };
  const { queue } = await channel.assertQueue(name, own);
  for (const type of types) await channel.bindQueue(queue, exchangeFor(kindOf(type), names), type);
  return queue;
}

/** At least once: without it the broker may lose what it moves from one queue to another. */
const deadLettering = (to: string) => ({
  'x-dead-letter-exchange': '',
  'x-dead-letter-routing-key': to,
  'x-dead-letter-strategy': 'at-least-once',
  'x-overflow': 'reject-publish',
});

const quorum = (channel: Channel, name: string, args: Record<string, unknown>) =>
  channel.assertQueue(name, { durable: true, arguments: { 'x-queue-type': 'quorum', ...args } });
