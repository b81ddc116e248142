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
import { type Wirecutter, wirecutter } from './wirecutter.suite.ts';

export interface RabbitFixture extends BusFixture {
  open(service?: string, options?: Partial<RabbitOptions>): Promise<Bus>;
  /** The way by which a bus that was opened here reaches the broker. */
  wayOf(bus: Bus): Wirecutter;
  /** A channel beside all buses, to look and to break things. */
  readonly hand: Channel;
  /** The name of a queue or exchange on the broker. */
  nameOf(name: string): string;
}

/** The broker for integration tests; undefined without AMQP_URL. */
export const brokerForTests = process.env['AMQP_URL'];

const quiet = { write: () => undefined };

/** A part of the broker where nobody else is, removed when it is closed. */
export async function rabbitFixture(url: string): Promise<RabbitFixture> {
  const prefix = `test-${randomUUID().slice(0, 8)}.`;
  const ways = new Map<Bus, Wirecutter>();
  const allWays: Wirecutter[] = [];
  const queues = new Set<string>();
  const pools = new Set<string>();
  const model: ChannelModel = await amqp.connect(url, { noDelay: true });
  const hand = await model.createChannel();
  hand.on('error', () => undefined);
  const nameOf = (name: string) => `${prefix}${name}`;
  const retryMs = [10, 20];

  /** Remembers what a test makes, to remove it. */
  function watched(bus: Bus, delaysMs: readonly number[]): Bus {
    return {
      ...bus,
      consume: (queue, ...rest) => {
        pools.add(queue);
        for (const name of [queue, deadLetterQueueOf(queue), ...delaysMs.map((ms) => delayQueueOf(queue, ms))]) queues.add(name);
        return bus.consume(queue, ...rest);
      },
    };
  }

  return {
    hand,
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
    async inject(queue, parcel) {
      const { body, properties } = toAmqp({ headers: {}, ...parcel }, 'stranger', undefined);
      hand.sendToQueue(nameOf(queue), body, properties);
    },
    async askRaw(queue, parcel) {
      const mine = nameOf(replyQueueOf('stranger', randomUUID()));
      await hand.assertQueue(mine, { exclusive: true });
      await hand.bindQueue(mine, nameOf(ANSWERS), mine);
      const answer = Promise.withResolvers<unknown>();
      await hand.consume(mine, (raw) => answer.resolve(JSON.parse(raw!.content.toString())), { noAck: true });
      const { body, properties } = toAmqp({ headers: {}, ...parcel, replyTo: mine, correlationId: 'c' }, 'stranger', undefined);
      hand.sendToQueue(nameOf(queue), body, properties);
      return answer.promise;
    },
    dead: (queue) => readDeadLetters(url, nameOf(queue), 100),
    async kill(bus) {
      ways.get(bus)!.block();
    },
    async close() {
      for (const bus of ways.keys()) await bus.close();
      for (const way of allWays) await way.close();
      const all = [...serviceQueues.flatMap(({ queue }) => [queue, deadLetterQueueOf(queue)]), ...queues, 'unrouted'];
      const tidy = await model.createChannel();
      for (const name of new Set(all)) await tidy.deleteQueue(nameOf(name));
      const asides = [...serviceQueues.map(({ queue }) => queue), ...pools].map(asideExchangeOf);
      for (const name of ['commands', 'events', 'unrouted', ANSWERS, ...asides]) await tidy.deleteExchange(nameOf(name));
      await model.close();
    },
  };
}
