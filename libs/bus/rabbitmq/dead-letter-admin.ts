import amqp, { type Channel, type ConfirmChannel, type GetMessage } from 'amqplib';
import { type BrokerAddress, parseBrokerUrl, explainBrokerError, type BrokerOptions } from './broker-url.ts';
import { type DeadLetter, deadLetterOf, raised } from '../core/dead-letter.ts';
import { letterOfParcel, parcelOf } from './amqp-message.ts';
import { senderOf } from '../core/sender-check.ts';
import { asideExchangeOf, deadLetterQueueOf, OPERATOR } from '../core/topology.ts';

/**
 * Looks at up to `limit` dead letters of a queue, the oldest first, and leaves them there. Where there are thousands, the oldest of those
 * that the broker gives first: it puts what was looked at behind the others.
 * @throws Error when there is no such queue
 */
export const readDeadLetters = (at: string | BrokerOptions, queue: string, limit: number): Promise<readonly DeadLetter[]> =>
  overConfirms(at, queue, async (channel) => {
    const letters = (await held(channel, queue, Math.max(limit, LOOKED_AT))).map((got) => deadLetterOf(parcelOf(got), queue));
    return letters.toSorted((a, b) => a.at - b.at).slice(0, limit);
  });

const LOOKED_AT = 1_000;

/** Which dead letters: those with these ids, or all that are there now. */
export type Which = { readonly ids: readonly string[] } | 'all';

/**
 * Sends dead letters to their queue again, as if they had never been tried, and returns their ids. A copy is confirmed before the dead
 * letter is removed. A request whose deadline has passed is not handled any more.
 * @throws Error when there is no such queue, or the broker does not take a copy: what was not sent rests where it was
 */
export const resendDeadLetters = (at: string | BrokerOptions, queue: string, which: Which): Promise<readonly string[]> =>
  overConfirms(at, queue, async (channel, user) => {
    const sent: string[] = [];
    for (const got of await held(channel, queue, Number.POSITIVE_INFINITY)) {
      const parcel = parcelOf(got);
      const { id } = deadLetterOf(parcel, queue);
      if (which !== 'all' && !which.ids.includes(id)) continue;
      // The queue of a service has its name, and what it has put aside itself says who sent it first.
      const known = [OPERATOR, queue].includes(user) ? user : undefined;
      const { body, properties } = letterOfParcel(raised(parcel, senderOf(parcel, queue)), 'dead-letters', known);
      await confirmed(channel, queue, body, properties);
      channel.ack(got);
      sent.push(id);
    }
    return sent;
  });

/** What is there now; it goes back where it was when the channel closes, unless it is acknowledged before. */
async function held(channel: Channel, queue: string, limit: number): Promise<readonly GetMessage[]> {
  const { messageCount } = await channel.checkQueue(deadLetterQueueOf(queue));
  const all: GetMessage[] = [];
  while (all.length < Math.min(limit, messageCount)) {
    const got = await channel.get(deadLetterQueueOf(queue));
    if (!got) break;
    all.push(got);
  }
  return all;
}

async function confirmed(channel: ConfirmChannel, queue: string, body: Buffer, properties: object): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const returned = () => reject(new Error(`there is no queue ${queue}`));
  channel.once('return', returned);
  channel.publish(asideExchangeOf(queue), queue, body, { ...properties, mandatory: true }, (error: Error | null) =>
    error ? reject(error) : resolve(),
  );
  await promise.finally(() => channel.removeListener('return', returned));
}

async function overConfirms<T>(
  at: string | BrokerOptions,
  queue: string,
  work: (channel: ConfirmChannel, user: string) => Promise<T>,
): Promise<T> {
  const address = parseBrokerUrl(typeof at === 'string' ? { url: at } : at, 5);
  const model = await connected(address);
  model.on('error', () => undefined); // What is under way rejects.
  try {
    const channel = await model.createConfirmChannel();
    channel.on('error', () => undefined);
    const done = await work(channel, address.user);
    await channel.close();
    return done;
  } catch (cause) {
    if ((cause as { code?: number }).code !== 404) throw cause;
    throw new Error(`no queue ${deadLetterQueueOf(queue)} on the broker at ${address.place}: it is there once its service has started`, {
      cause,
    });
  } finally {
    await model.close().catch(() => undefined);
  }
}

async function connected({ url, socket, place }: BrokerAddress) {
  try {
    return await amqp.connect(url, { ...socket, noDelay: true, timeout: 10_000, clientProperties: { connection_name: 'dead letters' } });
  } catch (cause) {
    const { code, message } = cause as { code?: unknown; message: string };
    const why = message || String(code); // refused at two addresses it has no words of its own
    const advice = explainBrokerError(cause, place);
    throw new Error(advice ?? `no connection to the broker at ${place}: ${why}; is it running, and is this its address?`, { cause });
  }
}
