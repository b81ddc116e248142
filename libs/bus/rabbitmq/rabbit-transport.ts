import { randomUUID } from 'node:crypto';
import type { Channel, ChannelModel, ConfirmChannel, ConsumeMessage } from 'amqplib';
import type { Log } from '@maw/telemetry/log.ts';
import type { BusOptions } from '../core/create-bus.ts';
import { GRACE_MS } from '../core/message-limits.ts';
import { asideExchangeOf, type PartQueue, replyQueueOf, subscriptionQueueOf } from '../core/topology.ts';
import type { Destination, QueueOptions, RawDelivery, RawMessage, Transport, TransportConsumer } from '../core/transport.ts';
import { fromAmqp, toAmqp } from './amqp-message.ts';
import { parseBrokerUrl, type TlsOptions } from './broker-url.ts';
import { cancelConsumer, consumerCounter, guard, onOwnChannel, release } from './channels.ts';
import { confirmQueue } from './confirm-queue.ts';
import { type Connection, connectTo, type Reconnect } from './connection.ts';
import { checkTopology, declareReplyQueue, declareSubscriptionQueue, declareTopology } from './declare.ts';
import {
  delaysPlan,
  exchangeForKind,
  fullPlan,
  mergePlans,
  type Names,
  queuePlan,
  replyExchange,
  sharedPlan,
  type Topology,
} from './broker-topology.ts';

export interface RabbitOptions extends BusOptions {
  /** amqp://user:password@host:5672, or amqps:// for TLS. */
  readonly url: string;
  readonly tls?: TlsOptions | undefined;
  /**
   * Whether to declare exchanges and queues. A user without that permission only checks that they exist, from the definitions in
   * infra/rabbitmq. Default: yes.
   */
  readonly declare?: boolean | undefined;
  /** In seconds. A connection counts as dead after twice this time without traffic. */
  readonly heartbeatS?: number | undefined;
  /** How long to wait for the broker at the start, in milliseconds. */
  readonly connectMs?: number | undefined;
  /** Prepended to the names of all exchanges and queues, so that installations can share a broker. */
  readonly prefix?: string | undefined;
  readonly log?: Log | undefined;
}

/** The longest that `close` waits for outstanding confirms, in milliseconds. */
const CONFIRM_MS = 5_000;
/** How many events a subscriber may have unacknowledged. */
const SUBSCRIBER_PREFETCH = 100;
/** Acknowledgements of events wait for each other, this many or this long in milliseconds: no event comes again, whether it was acknowledged or not. */
const ACKS_TOGETHER = 25;
const ACK_WAIT_MS = 50;

/** Where we send, and where replies come, on the current connection. */
interface Sending {
  readonly channel: ConfirmChannel;
  readonly replyTo: string;
  readonly reconnect: Reconnect;
  readonly consumerCount: (queue: string) => Promise<number | undefined>;
}

interface Listeners {
  onReply(reply: RawMessage): void;
  onReconnected(): void;
}

/** A transport over RabbitMQ, connected and declared. @throws Error as `rabbitBus` does */
export async function openTransport(options: RabbitOptions, log: Log): Promise<Transport> {
  const { service, heartbeatS = 5, connectMs = 60_000, prefix = '', declare = true, checkSender = false } = options;
  const address = parseBrokerUrl(options, heartbeatS);
  const { user, server } = address;
  if (checkSender && user !== service)
    throw new Error(`AMQP_CHECK_SENDER=yes needs a broker user per service: the user in AMQP_URL is ${user}, the service ${service}`);
  const names: Names = { prefix };
  const ensure = (model: ChannelModel, topology: Topology) =>
    onOwnChannel(model, (channel) => (declare ? declareTopology : checkTopology)(channel, topology));
  const listeners: Listeners = { onReply: () => undefined, onReconnected: () => undefined };
  let sending: Sending | undefined;
  const unconfirmed = confirmQueue(service, {
    onUnroutable: (key) => sending?.reconnect(`no queue is bound to ${key}`),
    // A broker without memory or disk space confirms nothing until it has some.
    onUnconfirmed: (key) => connection.isUp() && sending?.reconnect(`the broker does not confirm ${key}`),
  });
  const base = {
    async setup(model: ChannelModel, reconnect: Reconnect): Promise<void> {
      await ensure(model, declare ? fullPlan(names) : sharedPlan(names));
      const channel = guard(await model.createConfirmChannel(), reconnect, log);
      const replyTo = await consumeReplies(guard(await model.createChannel(), reconnect, log), service, names, listeners, reconnect);
      sending = { channel, replyTo, reconnect, consumerCount: consumerCounter(model) };
    },
  };
  const onUp = (): void => {
    unconfirmed.resume(sending!.channel, sending!.replyTo);
    listeners.onReconnected();
  };
  const connection = await connectTo({ address, service, connectMs, log, base, onUp, onDown: unconfirmed.suspend });

  return {
    system: 'rabbitmq',
    server,
    user,
    send: (to, message, { expectsReply = false, signal } = {}) =>
      unconfirmed.send({ ...routeOf(to, names), ...toAmqp(message, service, user === service ? user : undefined), expectsReply }, signal),
    consume: (queue, deliver) => {
      const plan = mergePlans([queuePlan(queue, names), delaysPlan(queue, names)]);
      const sources = () => sourcesOf(queue, prefix);
      const sourcesOn = (model: ChannelModel) => ensure(model, plan).then(sources);
      return consume({ connection, log, prefetch: queue.prefetch, ackerOn: atOnce, sourcesOn, sources, deliver });
    },
    subscribe: (types, deliver) => {
      const sourcesOn = async (_: ChannelModel, channel: Channel) => {
        const queue = `${prefix}${subscriptionQueueOf(service, randomUUID())}`;
        return [{ queue: await declareSubscriptionQueue(channel, queue, types, names), priority: 0 }];
      };
      return consume({ connection, log, prefetch: SUBSCRIBER_PREFETCH, ackerOn: together, sourcesOn, sources: () => [], deliver });
    },
    onReply: (listener) => void (listeners.onReply = listener),
    onReconnected: (listener) => void (listeners.onReconnected = listener),
    isUp: connection.isUp,
    consumerCount: async (queue) => sending?.consumerCount(`${prefix}${queue}`),
    unconfirmedCount: unconfirmed.size,
    async close() {
      await unconfirmed.close(Math.min(CONFIRM_MS, options.graceMs ?? GRACE_MS));
      await connection.close();
    },
  };
}

/** A queue and its parts, with their present priorities. */
const sourcesOf = ({ queue, parts, priorityOf }: QueueOptions, prefix: string): readonly Source[] => [
  { queue: `${prefix}${queue}`, priority: 0 },
  ...parts.map((part) => ({ queue: `${prefix}${part.queue}`, part, priority: priorityOf(part) })),
];

/** Resolves with the name of the reply queue. */
async function consumeReplies(
  channel: Channel,
  service: string,
  names: Names,
  listeners: Listeners,
  reconnect: Reconnect,
): Promise<string> {
  const replyTo = await declareReplyQueue(channel, `${names.prefix}${replyQueueOf(service, randomUUID())}`, names);
  await channel.consume(replyTo, (raw) => (raw ? listeners.onReply(fromAmqp(raw)) : reconnect('the reply queue is gone')), { noAck: true });
  return replyTo;
}

function routeOf(to: Destination, names: Names): { exchange: string; key: string; mandatory: boolean } {
  if ('kind' in to) return { exchange: exchangeForKind(to.kind, names), key: to.key, mandatory: to.kind === 'command' };
  if ('replyQueue' in to) return { exchange: replyExchange(names), key: to.replyQueue, mandatory: false };
  return { exchange: `${names.prefix}${asideExchangeOf(to.parent)}`, key: `${names.prefix}${to.queue}`, mandatory: true };
}

/** A queue that is consumed. */
interface Source {
  readonly queue: string;
  readonly part?: PartQueue;
  readonly priority: number;
}

interface Consuming {
  readonly connection: Connection;
  readonly log: Log;
  /** Of each queue. */
  readonly prefetch: number;
  /** How deliveries are acknowledged. */
  ackerOn(channel: Channel): Acker;
  /** Declares the queues and returns them. */
  sourcesOn(model: ChannelModel, channel: Channel): Promise<readonly Source[]>;
  /** The queues with their present priorities. */
  sources(): readonly Source[];
  deliver(delivery: RawDelivery): void;
}

/** The consumers of one connection, on a channel of their own. */
interface OpenChannel {
  readonly channel: Channel;
  /** By queue. */
  readonly consumers: Map<string, { readonly tag: string; readonly priority: number }>;
  start(source: Source): Promise<void>;
}

/** Consumes from queues on every connection. */
async function consume({ connection, log, prefetch, ackerOn, sourcesOn, sources, deliver }: Consuming): Promise<TransportConsumer> {
  let current: OpenChannel | undefined;
  let isCancelled = false;
  let reordering = Promise.resolve();

  async function setup(model: ChannelModel, reconnect: Reconnect): Promise<void> {
    const channel = guard(await model.createChannel(), reconnect, log);
    try {
      const declared = await sourcesOn(model, channel);
      await channel.prefetch(prefetch);
      const opened = openChannel(channel, ackerOn(channel), reconnect, deliver);
      for (const source of declared) await opened.start(source);
      current = opened;
      if (isCancelled) await release(channel);
    } catch (error) {
      await release(channel);
      throw error;
    }
  }

  /** The new consumer first, so that the queue is never without one. Deliveries of the old one stay ours until they are settled. */
  async function reorder(): Promise<void> {
    for (const source of sources()) {
      const old = current?.consumers.get(source.queue);
      if (isCancelled || !current || !old || old.priority === source.priority) continue;
      await current.start(source);
      await cancelConsumer(current.channel, old.tag);
    }
  }

  const remove = await connection.add({ setup });
  return {
    cancel: async () => {
      isCancelled = true;
      remove();
      await reordering;
      const { channel, consumers } = current ?? {};
      if (channel) await Promise.all([...(consumers ?? []).values()].map(({ tag }) => cancelConsumer(channel, tag)));
    },
    release: async () => {
      if (current) await release(current.channel);
    },
    // A lost connection opens its consumers with the present priorities.
    reprioritize: () => (reordering = reordering.then(reorder).catch(() => undefined)),
  };
}

function openChannel(channel: Channel, acknowledge: Acker, reconnect: Reconnect, deliver: Consuming['deliver']): OpenChannel {
  const consumers: OpenChannel['consumers'] = new Map();
  return {
    channel,
    consumers,
    async start({ queue, part, priority }) {
      const receive = (raw: ConsumeMessage | null): void => {
        if (!raw) return reconnect(`the queue ${queue} is gone`);
        const ack = (): void => acknowledge(raw);
        const requeue = (): void => ignoringErrors(() => channel.nack(raw, false, true));
        deliver({ raw: fromAmqp(raw), part, ack, requeue });
      };
      const { consumerTag } = await channel.consume(queue, receive, priority ? { priority } : {});
      consumers.set(queue, { tag: consumerTag, priority });
    },
  };
}

type Acker = (delivery: ConsumeMessage) => void;

const atOnce =
  (channel: Channel): Acker =>
  (delivery) =>
    ignoringErrors(() => channel.ack(delivery));

function together(channel: Channel): Acker {
  const done: ConsumeMessage[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const delivery of done.splice(0)) ignoringErrors(() => channel.ack(delivery));
  };
  return (delivery) => {
    done.push(delivery);
    if (done.length >= ACKS_TOGETHER) flush();
    else timer ??= setTimeout(flush, ACK_WAIT_MS).unref();
  };
}

/** A delivery of a closed channel cannot be settled; it is redelivered. */
function ignoringErrors(work: () => void): void {
  try {
    work();
  } catch {
    return;
  }
}
