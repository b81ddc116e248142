import { randomUUID } from 'node:crypto';
import amqp, { type Channel, type ChannelModel } from 'amqplib';
import { logger } from '@maw/telemetry/log.ts';
import type { Bus } from '../bus.ts';
import { readDeadLetters } from './dead-letter-admin.ts';
import { toAmqp } from './amqp-message.ts';
import type { BusFixture } from '../suites/fixture.suite.ts';
import { rabbitBus } from './rabbit-bus.ts';
import type { RabbitOptions } from './rabbit-transport.ts';
import { ANSWERS, asideExchangeOf, deadLetterQueueOf, delayQueueOf, replyQueueOf, serviceQueues } from '../core/topology.ts';
import type { RawMessage } from '../core/transport.ts';
import { type Wirecutter, wirecutter } from './wirecutter.suite.ts';

export interface RabbitFixture extends BusFixture {
  open(service?: string, options?: Partial<RabbitOptions>): Promise<Bus>;
  /** The proxy between a bus of this fixture and the broker. */
  wayOf(bus: Bus): Wirecutter;
  /** A channel of the test, to inspect and break things. */
  readonly channel: Channel;
  /** The name of a queue or exchange on the broker. */
  nameOf(name: string): string;
}

/** The broker for integration tests; undefined without AMQP_URL. */
export const brokerForTests = process.env['AMQP_URL'];

const quiet = { write: () => undefined };

/** Queues and exchanges under a prefix of their own; `close` deletes them. */
export async function rabbitFixture(url: string): Promise<RabbitFixture> {
  const prefix = `test-${randomUUID().slice(0, 8)}.`;
  const ways = new Map<Bus, Wirecutter>();
  const allWays: Wirecutter[] = [];
  const queues = new Set<string>();
  const consumed = new Set<string>();
  const model: ChannelModel = await amqp.connect(url, { noDelay: true });
  const channel = await model.createChannel();
  channel.on('error', () => undefined);
  const nameOf = (name: string) => `${prefix}${name}`;
  const retryMs = [10, 20];

  /** Records the queues that a test declares, for `close`. */
  function watched(bus: Bus, delaysMs: readonly number[]): Bus {
    return {
      ...bus,
      consume: (queue, ...rest) => {
        consumed.add(queue);
        for (const name of [queue, deadLetterQueueOf(queue), ...delaysMs.map((ms) => delayQueueOf(queue, ms))]) queues.add(name);
        return bus.consume(queue, ...rest);
      },
    };
  }

  return {
    channel,
    nameOf,
    wayOf: (bus) => ways.get(bus)!,
    async open(service = 'test', options = {}) {
      const way = await wirecutter(url);
      allWays.push(way);
      const log = logger(service, { destination: quiet });
      const opened = await rabbitBus({ url: way.url, service, prefix, retryMs, graceMs: 100, log, ...options });
      const bus = watched(opened, options.retryMs ?? retryMs);
      ways.set(bus, way);
      return bus;
    },
    async inject(queue, raw) {
      const { body, properties } = toAmqp({ headers: {}, ...raw }, 'stranger', undefined);
      channel.sendToQueue(nameOf(queue), body, properties);
    },
    askRaw: (queue, raw) => askRaw(channel, nameOf(queue), nameOf, raw),
    dead: (queue) => readDeadLetters(url, nameOf(queue), 100),
    async kill(bus) {
      ways.get(bus)!.block();
    },
    async close() {
      for (const bus of ways.keys()) await bus.close();
      for (const way of allWays) await way.close();
      await deleteAll(await model.createChannel(), nameOf, queues, consumed);
      await model.close();
    },
  };
}

/** Sends a request as a stranger to the bus, and resolves with the body of the reply. */
async function askRaw(channel: Channel, queue: string, nameOf: (name: string) => string, raw: Partial<RawMessage> & { body: Buffer }) {
  const replyTo = nameOf(replyQueueOf('stranger', randomUUID()));
  await channel.assertQueue(replyTo, { exclusive: true });
  await channel.bindQueue(replyTo, nameOf(ANSWERS), replyTo);
  const reply = Promise.withResolvers<unknown>();
  await channel.consume(replyTo, (got) => reply.resolve(JSON.parse(got!.content.toString())), { noAck: true });
  const { body, properties } = toAmqp({ headers: {}, ...raw, replyTo, correlationId: 'c' }, 'stranger', undefined);
  channel.sendToQueue(queue, body, properties);
  return reply.promise;
}

async function deleteAll(channel: Channel, nameOf: (name: string) => string, queues: Iterable<string>, consumed: Iterable<string>) {
  const all = [...serviceQueues.flatMap(({ queue }) => [queue, deadLetterQueueOf(queue)]), ...queues, 'unrouted'];
  for (const name of new Set(all)) await channel.deleteQueue(nameOf(name));
  const asides = [...serviceQueues.map(({ queue }) => queue), ...consumed].map(asideExchangeOf);
  for (const name of ['commands', 'events', 'unrouted', ANSWERS, ...asides]) await channel.deleteExchange(nameOf(name));
}
