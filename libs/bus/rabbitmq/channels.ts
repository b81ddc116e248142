import type { Channel, ChannelModel } from 'amqplib';
import { withTimeout } from '@maw/async/timeout.ts';
import type { Log } from '@maw/telemetry/log.ts';
import type { Renew } from './connection.ts';

/** A channel that, when it is closed by anybody but us, has everything set up anew: amqplib leaves it dead otherwise. */
export function guard<C extends Channel>(channel: C, renew: Renew, log: Log): C {
  channel.on('error', (err) => log.warn({ err }, 'the broker closed a channel'));
  channel.on('close', () => {
    if (!letGo.has(channel)) renew('a channel was closed');
  });
  return channel;
}

/** A connection that says nothing any more may take longer to be found dead than we have time to leave it, in milliseconds. */
export const GONE_MS = 2_000;
const letGo = new WeakSet<Channel>();

/** Closes a channel on purpose. */
export async function release(channel: Channel): Promise<void> {
  letGo.add(channel);
  await withTimeout(GONE_MS, () => channel.close()).catch(() => undefined); // It is gone already.
}

/** Declares on a channel of its own, so that a refusal closes nothing else. @throws Error as the broker says it */
export async function declaring(model: ChannelModel, declare: (channel: Channel) => Promise<void>): Promise<void> {
  const channel = await model.createChannel();
  channel.on('error', () => undefined); // It is what `declare` rejects with.
  await declare(channel);
  await release(channel);
}
