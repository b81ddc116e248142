import { randomUUID } from 'node:crypto';
import type { Channel, ChannelModel, ConfirmChannel } from 'amqplib';
import { type Log, logger } from '@maw/telemetry/log.ts';
import type { Bus } from './bus.ts';
import { declaring, GONE_MS, guard, release } from './channels.ts';
import { connectTo, type Connection, type Renew } from './connection.ts';
import { declareDelays, declareOwn, declareQueue, declareTopology, exchangeFor, type Names } from './declare.ts';
import { letterOfParcel, parcelOf } from './envelope.ts';
import { outbox as newOutbox } from './outbox.ts';
import { type BusOptions, busOver } from './over.ts';
import { GRACE_MS } from './topology.ts';
import type { Address, Consuming, Parcel, Taken, Wire } from './wire.ts';
import { within } from './within.ts';

export interface RabbitOptions extends BusOptions {
  /** amqp://user:password@host:5672 */
  readonly url: string;
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
 * @throws Error when the address is none, the broker refuses us, or it does not answer within `connectMs`
 */
export async function rabbitBus(options: RabbitOptions): Promise<Bus> {
  const log = options.log ?? logger(options.service);
  return busOver(await wireTo(options, log), { ...options, log });
}

/** How long `close` waits for what the broker has not confirmed, in milliseconds; at most the grace time. */
const CONFIRM_MS = 5_000;

async function wireTo(options: RabbitOptions, log: Log): Promise<Wire> {
  const { url, service, heartbeatS = 5, connectMs = 60_000, prefix = '' } = options;
  const names: Names = { prefix };
  const outbox = newOutbox(service, (key) => sending?.renew(`there is no queue for ${key}`));
  let sending: { channel: ConfirmChannel; replyTo: string; renew: Renew } | undefined;
  let onAnswer: (parcel: Parcel) => void = () => undefined;
  let onRenewed: () => void = () => undefined;

  /** The topology, where we send, and where answers come. */
  async function setup(model: ChannelModel, renew: Renew): Promise<void> {
    await declaring(model, (channel) => declareTopology(channel, names));
    const channel = guard(await model.createConfirmChannel(), renew, log);
    const answers = guard(await model.createChannel(), renew, log);
    const replyTo = await declareOwn(answers, `${prefix}reply.${service}.${randomUUID()}`, [], names);
    await answers.consume(replyTo, (raw) => (raw ? onAnswer(parcelOf(raw)) : renew('the queue for answers is gone')), { noAck: true });
    sending = { channel, replyTo, renew };
  }

  const onUp = (): void => {
    outbox.resume(sending!.channel, sending!.replyTo);
    onRenewed();
  };
  const connection = await connectTo({ url, service, heartbeatS, connectMs, log, basics: { setup }, onUp, onDown: outbox.suspend });

  function place(to: Address): { exchange: string; key: string; isDue: boolean } {
    if ('kind' in to) return { exchange: exchangeFor(to.kind, names), key: to.type, isDue: to.kind === 'command' };
    if ('queue' in to) return { exchange: '', key: `${prefix}${to.queue}`, isDue: true };
    return { exchange: '', key: to.asker, isDue: false };
  }

  const listen = (prefetch: number, queueOn: (model: ChannelModel, channel: Channel) => Promise<string>, take: (taken: Taken) => void) =>
    consuming(connection, log, prefetch, queueOn, take);

  return {
    system: 'rabbitmq',
    send: (to, parcel, { asks = false, signal } = {}) => outbox.send({ ...place(to), ...letterOfParcel(parcel, service), asks }, signal),
    consume: (asked, take) =>
      listen(
        asked.prefetch,
        async (model) => {
          await declaring(model, async (channel) => {
            await declareQueue(channel, asked, names);
            await declareDelays(channel, asked, names);
          });
          return `${prefix}${asked.queue}`;
        },
        take,
      ),
    tap: (types, take) => listen(100, (_, channel) => declareOwn(channel, '', types, names), take),
    onAnswer: (listener) => void (onAnswer = listener),
    onRenewed: (listener) => void (onRenewed = listener),
    isUp: connection.isUp,
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
  take: (taken: Taken) => void,
): Promise<Consuming> {
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
      if (now) await within(GONE_MS, () => now!.channel.cancel(now!.tag)).catch(() => undefined); // Gone: nothing arrives by it.
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
