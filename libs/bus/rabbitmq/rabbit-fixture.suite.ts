import { randomUUID } from 'node:crypto';
import { afterAll } from '@jest/globals';
import amqp, { type Channel, type ChannelModel } from 'amqplib';
import { logger } from '@maw/telemetry/log.ts';
import type { Bus } from '../bus.ts';
import { readDeadLetters } from './dead-letter-admin.ts';
import { toAmqp } from './amqp-message.ts';
import type { BusFixture } from '../suites/fixture.suite.ts';
import { rabbitBus } from './rabbit-bus.ts';
import type { RabbitOptions } from './rabbit-transport.ts';
import { ANSWERS, asideExchangeOf, deadLetterQueueOf, delayQueueOf, replyQueueOf, queuesOf, serviceQueues } from '../core/topology.ts';
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

const newPrefix = () => `test-${randomUUID().slice(0, 8)}.`;

/** Queues and exchanges under a prefix of their own; `close` deletes them. */
export const rabbitFixture = (url: string): Promise<RabbitFixture> => fixtureWith(url, newPrefix(), false);

/**
 * Fixtures of a `describe` block, one after the other, that share the queues and exchanges of the services, because the broker takes a second to
 * declare and delete them. `close` deletes all other queues and empties these.
 */
export function rabbitFixtures(url: string): () => Promise<RabbitFixture> {
  const prefix = newPrefix();
  afterAll(() => fixtureWith(url, prefix, false).then((last) => last.close()));
  return () => fixtureWith(url, prefix, true);
}

/** @param keepsServices whether `close` empties the queues of the services instead of deleting them */
async function fixtureWith(url: string, prefix: string, keepsServices: boolean): Promise<RabbitFixture> {
  const ways = new Map<Bus, Wirecutter>();
  const allWays: Wirecutter[] = [];
  const declared = { queues: new Set<string>(), exchanges: new Set<string>() };
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
        const isOfService = serviceQueues.some((service) => service.queue === queue);
        for (const ms of delaysMs) declared.queues.add(delayQueueOf(queue, ms));
        if (!isOfService) for (const name of [queue, deadLetterQueueOf(queue)]) declared.queues.add(name);
        if (!isOfService) declared.exchanges.add(asideExchangeOf(queue));
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
      const cleaner = await model.createChannel();
      for (const name of declared.queues) await cleaner.deleteQueue(nameOf(name));
      for (const name of declared.exchanges) await cleaner.deleteExchange(nameOf(name));
      if (!keepsServices) await deleteServices(cleaner, nameOf);
      else if (ways.size) await purgeServices(cleaner, nameOf);
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

const queuesOfServices = [...serviceQueues.flatMap((one) => [...queuesOf(one), deadLetterQueueOf(one.queue)]), 'unrouted'];

async function purgeServices(channel: Channel, nameOf: (name: string) => string) {
  for (const name of queuesOfServices) await channel.purgeQueue(nameOf(name));
}

async function deleteServices(channel: Channel, nameOf: (name: string) => string) {
  for (const name of queuesOfServices) await channel.deleteQueue(nameOf(name));
  const asides = serviceQueues.map(({ queue }) => asideExchangeOf(queue));
  for (const name of ['commands', 'events', 'unrouted', ANSWERS, ...asides]) await channel.deleteExchange(nameOf(name));
}
