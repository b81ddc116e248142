import { setTimeout as sleep } from 'node:timers/promises';
import { delaysPlan, fullPlan, mergePlans } from '@maw/bus/rabbitmq/broker-topology.ts';
import { rabbitBus } from '@maw/bus/rabbitmq/rabbit-bus.ts';
import { RETRY_MS } from '@maw/bus/retries.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import { connect } from 'amqplib';

/** The first argument of this process, as JSON. */
export interface MessageProcess {
  readonly amqpUrl: string;
  readonly through: 'amqplib' | 'the bus';
  /** A name for queues, of this process alone. */
  readonly name: string;
}

/** What it is asked to send. */
export interface SendRequest {
  /** A second. */
  readonly rate: number;
  readonly seconds: number;
}

/** Processor time of one message: published, confirmed, taken and acknowledged, in seconds. */
export interface SendCost {
  readonly cpu: number;
}

interface Way {
  send(): Promise<void>;
  readonly taken: () => number;
  close(): Promise<void>;
}

const QUEUE = 'chatroom';
const LENGTH = 120;
const PREFETCH = 64;

/** A process that sends messages to itself through the broker at the rate it is told. */
const { amqpUrl, through, name } = JSON.parse(process.argv[2]!) as MessageProcess;
const way = await (through === 'amqplib' ? throughAmqplib() : throughBus());
process.on('message', (request: SendRequest | 'close') => void answer(request));
process.on('SIGINT', () => {}); // Ctrl-C reaches the whole group, and the benchmark has still to end in order
process.on('disconnect', () => process.exit());
process.send!('ready');

async function answer(request: SendRequest | 'close'): Promise<void> {
  if (request === 'close') {
    await way.close();
    return process.disconnect();
  }
  const before = process.cpuUsage();
  const [count, from] = [Math.max(1, Math.round(request.rate * request.seconds)), way.taken()];
  const start = performance.now();
  const sent: Promise<void>[] = [];
  for (let n = 0; n < count; n++) {
    const leftMs = start + (1_000 * n) / request.rate - performance.now();
    if (leftMs > 1) await sleep(leftMs);
    sent.push(way.send());
  }
  await Promise.all(sent);
  while (way.taken() < from + count) await sleep(5);
  const { user, system } = process.cpuUsage(before);
  process.send!({ cpu: (user + system) / 1e6 / count } satisfies SendCost);
}

async function throughAmqplib(): Promise<Way> {
  const connection = await connect(amqpUrl, { noDelay: true });
  const [sending, taking] = [await connection.createConfirmChannel(), await connection.createChannel()];
  await sending.assertQueue(name, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
  await taking.prefetch(PREFETCH);
  let taken = 0;
  await taking.consume(name, (delivery) => {
    if (!delivery) return;
    JSON.parse(delivery.content.toString());
    taking.ack(delivery);
    taken++;
  });
  const body = message();
  return {
    send: () =>
      new Promise((resolve, reject) => {
        const sent = Buffer.from(JSON.stringify({ ...body, id: crypto.randomUUID() }));
        sending.publish('', name, sent, { persistent: true }, (error: unknown) => (error ? reject(error as Error) : resolve()));
      }),
    taken: () => taken,
    async close() {
      await sending.deleteQueue(name);
      await connection.close();
    },
  };
}

async function throughBus(): Promise<Way> {
  const names = { prefix: `${name}.` };
  const bus = await rabbitBus({ url: amqpUrl, service: 'bench', ...names });
  let taken = 0;
  await bus.consume(QUEUE, ['room.said'], { concurrency: PREFETCH }, async () => void taken++);
  return {
    send: () => bus.publish(message()),
    taken: () => taken,
    async close() {
      await bus.close();
      const connection = await connect(amqpUrl, { noDelay: true });
      const channel = await connection.createChannel();
      const { queues, exchanges } = mergePlans([fullPlan(names), delaysPlan({ queue: QUEUE, delaysMs: RETRY_MS }, names)]);
      for (const queue of queues) await channel.deleteQueue(queue.name);
      for (const exchange of exchanges) await channel.deleteExchange(exchange.name);
      await connection.close();
    },
  };
}

function message() {
  const about = { id: crypto.randomUUID(), source: 'gamemaster', subject: 'bench', at: Date.now() };
  return contracts.write('room.said', { room: 'round-1/day-1/Village', line: 1, by: 3, text: 'x'.repeat(LENGTH), at: 0 }, about);
}
