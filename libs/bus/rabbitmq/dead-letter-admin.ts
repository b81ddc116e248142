import amqp, { type Channel, type ConfirmChannel, type GetMessage } from 'amqplib';
import { asFirstAttempt, type DeadLetter, deadLetterOf } from '../core/dead-letter.ts';
import { senderOf } from '../core/sender-check.ts';
import { asideExchangeOf, deadLetterQueueOf, OPERATOR } from '../core/topology.ts';
import { fromAmqp, toAmqp } from './amqp-message.ts';
import { type BrokerAddress, type BrokerOptions, explainBrokerError, parseBrokerUrl } from './broker-url.ts';

/**
 * Reads up to `limit` dead letters of a queue, oldest first, and leaves them there. At least 1,000 are looked at: the broker moves those that
 * were read to the end of the queue.
 * @throws Error when the queue does not exist
 */
export const readDeadLetters = (at: string | BrokerOptions, queue: string, limit: number): Promise<readonly DeadLetter[]> =>
  withChannel(at, queue, async (channel) => {
    const letters = (await fetch(channel, queue, Math.max(limit, MIN_FETCHED))).map((got) => deadLetterOf(fromAmqp(got), queue));
    return letters.toSorted((a, b) => a.at - b.at).slice(0, limit);
  });

const MIN_FETCHED = 1_000;

/** Dead letters with these ids, those dead-lettered for this reason, or all that are there now. */
export type DeadLetterSelection = { readonly ids: readonly string[] } | { readonly reason: string } | 'all';

const isSelected = (letter: DeadLetter, selection: DeadLetterSelection): boolean => {
  if (selection === 'all') return true;
  return 'ids' in selection ? selection.ids.includes(letter.id) : letter.reason === selection.reason;
};

/**
 * Sends dead letters to their queue again, as first attempts, and returns their ids. A dead letter is removed once its copy is confirmed.
 * A request whose deadline has passed is not handled any more.
 * @throws Error when the queue does not exist, or the broker rejects a copy; what was not sent stays where it is
 */
export const resendDeadLetters = (at: string | BrokerOptions, queue: string, selection: DeadLetterSelection): Promise<readonly string[]> =>
  withChannel(at, queue, async (channel, user) => {
    const sent: string[] = [];
    for (const got of await fetch(channel, queue, Number.POSITIVE_INFINITY)) {
      const raw = fromAmqp(got);
      const letter = deadLetterOf(raw, queue);
      if (!isSelected(letter, selection)) continue;
      // A queue is named after its service: only that and the operator are trusted to note the original sender.
      const trusted = [OPERATOR, queue].includes(user) ? user : undefined;
      const { body, properties } = toAmqp(asFirstAttempt(raw, senderOf(raw, queue)), 'dead-letters', trusted);
      await publish(channel, queue, body, properties);
      channel.ack(got);
      sent.push(letter.id);
    }
    return sent;
  });

/** The ids of the letters that were dropped, and why those after them were not. */
export interface Dropped {
  readonly dropped: readonly string[];
  readonly failure?: Error;
}

/**
 * Removes dead letters for good.
 * @param record called before each is removed, and resolves with what is called once it is. When one of them rejects, the letters that are still
 * there stay.
 * @throws Error when the queue does not exist
 */
export const dropDeadLetters = (
  at: string | BrokerOptions,
  queue: string,
  selection: DeadLetterSelection,
  record: (letter: DeadLetter) => Promise<() => Promise<void>>,
): Promise<Dropped> =>
  withChannel(at, queue, async (channel) => {
    const dropped: string[] = [];
    for (const got of await fetch(channel, queue, Number.POSITIVE_INFINITY)) {
      const letter = deadLetterOf(fromAmqp(got), queue);
      if (!isSelected(letter, selection)) continue;
      try {
        const finish = await record(letter);
        channel.ack(got);
        await channel.checkQueue(deadLetterQueueOf(queue)); // answered after the acknowledgement was handled
        dropped.push(letter.id);
        await finish();
      } catch (error) {
        return { dropped, failure: error as Error };
      }
    }
    return { dropped };
  });

/**
 * Fetches what is in the dead-letter queue now. It returns there when the channel closes, unless acknowledged.
 * An empty queue is tried too, so that whoever may not read it is told.
 */
async function fetch(channel: Channel, queue: string, limit: number): Promise<readonly GetMessage[]> {
  const { messageCount } = await channel.checkQueue(deadLetterQueueOf(queue));
  const all: GetMessage[] = [];
  do {
    const got = await channel.get(deadLetterQueueOf(queue));
    if (!got) break;
    all.push(got);
  } while (all.length < Math.min(limit, messageCount));
  return all;
}

/** Resolves on the broker's confirm. */
async function publish(channel: ConfirmChannel, queue: string, body: Buffer, properties: object): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const returned = () => reject(new Error(`there is no queue ${queue}`));
  channel.once('return', returned);
  channel.publish(asideExchangeOf(queue), queue, body, { ...properties, mandatory: true }, (error: Error | null) =>
    error ? reject(error) : resolve(),
  );
  await promise.finally(() => channel.removeListener('return', returned));
}

async function withChannel<T>(
  at: string | BrokerOptions,
  queue: string,
  work: (channel: ConfirmChannel, user: string) => Promise<T>,
): Promise<T> {
  const address = parseBrokerUrl(typeof at === 'string' ? { url: at } : at, 5);
  const model = await connect(address);
  model.on('error', () => undefined); // pending calls reject
  try {
    const channel = await model.createConfirmChannel();
    channel.on('error', () => undefined);
    const result = await work(channel, address.user);
    await channel.close();
    return result;
  } catch (cause) {
    if ((cause as { code?: number }).code !== 404) throw cause;
    const name = deadLetterQueueOf(queue);
    throw new Error(`no queue ${name} on the broker at ${address.label}: it exists once its service has started`, { cause });
  } finally {
    await model.close().catch(() => undefined);
  }
}

async function connect({ url, socket, label }: BrokerAddress) {
  try {
    return await amqp.connect(url, { ...socket, noDelay: true, timeout: 10_000, clientProperties: { connection_name: 'dead letters' } });
  } catch (cause) {
    const { code, message } = cause as { code?: unknown; message: string };
    const why = message || String(code); // an AggregateError over two addresses has no message
    const advice = explainBrokerError(cause, label);
    throw new Error(advice ?? `no connection to the broker at ${label}: ${why}; is it running, and is this its address?`, { cause });
  }
}
