import type { Channel, ChannelModel } from 'amqplib';
import { withTimeout } from '@maw/async/timeout.ts';
import type { Log } from '@maw/telemetry/log.ts';
import type { Reconnect } from './connection.ts';

/** How long closing waits for the broker, in milliseconds: a dead connection may not be detected yet. */
const CLOSE_MS = 2_000;

/** Channels that we close on purpose. */
const released = new WeakSet<Channel>();

/** Reconnects when anybody but us closes the channel; amqplib would leave it dead. */
export function guard<C extends Channel>(channel: C, reconnect: Reconnect, log: Log): C {
  channel.on('error', (err) => log.warn({ err }, 'the broker closed a channel'));
  channel.on('close', () => {
    if (!released.has(channel)) reconnect('a channel was closed');
  });
  return channel;
}

export async function release(channel: Channel): Promise<void> {
  released.add(channel);
  await withTimeout(CLOSE_MS, () => channel.close()).catch(() => undefined); // it is closed already
}

export async function cancelConsumer(channel: Channel, consumerTag: string): Promise<void> {
  await withTimeout(CLOSE_MS, () => channel.cancel(consumerTag)).catch(() => undefined); // a closed channel delivers nothing
}

/** Runs `declare` on a channel of its own, which an error closes. @throws the error of the broker */
export async function onOwnChannel(model: ChannelModel, declare: (channel: Channel) => Promise<void>): Promise<void> {
  const channel = await model.createChannel();
  channel.on('error', () => undefined); // `declare` rejects with it
  await declare(channel);
  await release(channel);
}

/**
 * Counts the consumers of queues by passive declarations, which need no permission, on one channel. Undefined where the broker does not say:
 * a missing queue closes the channel, and the next call opens another.
 */
export function consumerCounter(model: ChannelModel): (queue: string) => Promise<number | undefined> {
  let opening: Promise<Channel> | undefined;

  async function open(): Promise<Channel> {
    const channel = await model.createChannel();
    channel.on('error', () => undefined); // `checkQueue` rejects with it
    channel.on('close', () => (opening = undefined));
    return channel;
  }

  return async (queue) => {
    try {
      const channel = await (opening ??= open());
      return (await channel.checkQueue(queue)).consumerCount;
    } catch {
      opening = undefined;
      return undefined;
    }
  };
}
