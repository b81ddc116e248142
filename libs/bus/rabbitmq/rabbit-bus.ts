import { randomUUID } from 'node:crypto';
import type { Channel, ChannelModel, ConfirmChannel } from 'amqplib';
import { withTimeout } from '@maw/async/timeout.ts';
import { type Log, logger } from '@maw/telemetry/log.ts';
import { parseBrokerUrl, type TlsOptions } from './broker-url.ts';
import type { Bus } from '../bus.ts';
import { declaring, GONE_MS, guard, release } from './channels.ts';
import { connectTo, type Connection, type Renew } from './connection.ts';
import { checkPlan, declarePlan, declareReplyQueue, declareTapQueue } from './declare.ts';
import { letterOfParcel, parcelOf } from './amqp-message.ts';
import { confirmQueue as newOutbox } from './confirm-queue.ts';
import { type BusOptions, createBus } from '../core/create-bus.ts';
import { answersFor, delaysPlan, exchangeFor, joined, type Names, type Plan, queuePlan, sharedPlan, wholePlan } from './plan.ts';
import { asideExchangeOf, GRACE_MS, replyQueueOf, subscriptionQueueOf } from '../core/topology.ts';
import type { Destination, TransportConsumer, RawMessage, RawDelivery, Transport } from '../core/transport.ts';

export interface RabbitOptions extends BusOptions {
  /** amqp://user:password@host:5672, or amqps:// for an encrypted connection. */
  readonly url: string;
  /** For an encrypted one: whom we trust, and who we are. */
  readonly tls?: TlsOptions | undefined;
  /**
   * Whether exchanges and queues are declared. A user who may not declare any looks only whether they are there, from the definitions in
   * infra/rabbitmq. Default: yes.
   */
  readonly declare?: boolean | undefined;
  /** After twice this time without a sign of life a connection is taken to be dead. */
  readonly heartbeatS?: number | undefined;
  /** How long the broker is waited for at the start, in milliseconds. */
  readonly connectMs?: number | undefined;
  /** Stands before the name of every exchange and queue, so that several installations can share a broker. */
  readonly prefix?: string | undefined;
  readonly log?: Log | undefined;
}

/**
 * A bus over RabbitMQ. Resolves once it is connected and everything is declared.
 * @throws Error when the address is none, the broker refuses us, is not who its certificate should say, or does not answer within `connectMs`
 */
export async function rabbitBus(options: RabbitOptions): Promise<Bus> {
  const log = options.log ?? logger(options.service);
  return createBus(await wireTo(options, log), { ...options, log });
}

/** How long `close` waits for what the broker has not confirmed, in milliseconds; at most the grace time. */
const CONFIRM_MS = 5_000;

async function wireTo(options: RabbitOptions, log: Log): Promise<Transport> {
  const { service, heartbeatS = 5, connectMs = 60_000, prefix = '', declare = true, checkSender = false } = options;
  const address = parseBrokerUrl(options, heartbeatS);
  const { user } = address;
  if (checkSender && user !== service)
    throw new Error(`AMQP_CHECK_SENDER=yes needs a user of the broker for each service: AMQP_URL has ${user}, and this is ${service}`);
  const names: Names = { prefix };
  /** Has a plan on the broker: makes it so, or looks that it is. */
  const see = (model: ChannelModel, plan: Plan) => declaring(model, (channel) => (declare ? declarePlan : checkPlan)(channel, plan));
  const outbox = newOutbox(service, (key) => sending?.renew(`there is no queue for ${key}`));
  let sending: { channel: ConfirmChannel; replyTo: string; renew: Renew } | undefined;
  let onAnswer: (parcel: RawMessage) => void = () => undefined;
  let onRenewed: () => void = () => undefined;

  /** The topology, where we send, and where answers come. */
  async function setup(model: ChannelModel, renew: Renew): Promise<void> {
    await see(model, declare ? wholePlan(names) : sharedPlan(names));
    const channel = guard(await model.createConfirmChannel(), renew, log);
    const answers = guard(await model.createChannel(), renew, log);
    const replyTo = await declareReplyQueue(answers, `${prefix}${replyQueueOf(service, randomUUID())}`, names);
    await answers.consume(replyTo, (raw) => (raw ? onAnswer(parcelOf(raw)) : renew('the queue for answers is gone')), { noAck: true });
    sending = { channel, replyTo, renew };
  }

  const onUp = (): void => {
    outbox.resume(sending!.channel, sending!.replyTo);
    onRenewed();
  };
  const connection = await connectTo({ address, service, connectMs, log, basics: { setup }, onUp, onDown: outbox.suspend });

  function place(to: Destination): { exchange: string; key: string; isDue: boolean } {
    if ('kind' in to) return { exchange: exchangeFor(to.kind, names), key: to.type, isDue: to.kind === 'command' };
    if ('queue' in to) return { exchange: `${prefix}${asideExchangeOf(to.beside)}`, key: `${prefix}${to.queue}`, isDue: true };
    return { exchange: answersFor(names), key: to.asker, isDue: false };
  }

  const listen = (
    prefetch: number,
    queueOn: (model: ChannelModel, channel: Channel) => Promise<string>,
    take: (taken: RawDelivery) => void,
  ) => consuming(connection, log, prefetch, queueOn, take);

  return {
    system: 'rabbitmq',
    user,
    send: (to, parcel, { asks = false, signal } = {}) =>
      outbox.send({ ...place(to), ...letterOfParcel(parcel, service, user === service ? user : undefined), asks }, signal),
    consume: (asked, take) =>
      listen(
        asked.prefetch,
        async (model) => {
          await see(model, joined([queuePlan(asked, names), delaysPlan(asked, names)]));
          return `${prefix}${asked.queue}`;
        },
        take,
      ),
    tap: (types, take) =>
      listen(100, (_, channel) => declareTapQueue(channel, `${prefix}${subscriptionQueueOf(service, randomUUID())}`, types, names), take),
    onAnswer: (listener) => void (onAnswer = listener),
    onRenewed: (listener) => void (onRenewed = listener),
    isUp: connection.isUp,
    unsent: outbox.size,
    async close() {
      await outbox.close(Math.min(CONFIRM_MS, options.graceMs ?? GRACE_MS));
      await connection.close();
    },
  };
}

/** Consumes from a queue on every connection, each time by a channel of its own. */
async function consuming(
  connection: Connection,
  log: Log,
  prefetch: number,
  queueOn: (model: ChannelModel, channel: Channel) => Promise<string>,
  take: (taken: RawDelivery) => void,
): Promise<TransportConsumer> {
  let now: { channel: Channel; tag: string } | undefined;
  let isCancelled = false;

  async function setup(model: ChannelModel, renew: Renew): Promise<void> {
    const channel = guard(await model.createChannel(), renew, log);
    try {
      const queue = await queueOn(model, channel);
      await channel.prefetch(prefetch);
      const { consumerTag: tag } = await channel.consume(queue, (raw) => {
        if (raw) take({ parcel: parcelOf(raw), ack: () => quietly(() => channel.ack(raw)) });
        else renew(`the queue ${queue} is gone`);
      });
      now = { channel, tag };
      if (isCancelled) await release(channel);
    } catch (error) {
      await release(channel);
      throw error;
    }
  }

  const remove = await connection.add({ setup });
  return {
    cancel: async () => {
      isCancelled = true;
      remove();
      if (now) await withTimeout(GONE_MS, () => now!.channel.cancel(now!.tag)).catch(() => undefined); // Gone: nothing arrives by it.
    },
    release: async () => {
      if (now) await release(now.channel);
    },
  };
}

/** What came by a channel that is gone cannot be acknowledged, and comes again. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    return;
  }
}
