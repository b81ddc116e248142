import { rabbitBus } from '@maw/bus/rabbitmq/rabbit-bus.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import { connect } from 'amqplib';
import { figuresBenchmark } from '../benchmark.ts';
import { withServers } from '../system-under-test.ts';

const MESSAGES = 10_000;
const WINDOW = 256;
const PREFETCH = 200;

/** The same messages through amqplib alone and through the bus: published with confirms, consumed and acknowledged one by one. */
export const busThroughput = figuresBenchmark('bus', 'the throughput of the bus against amqplib alone', ({ runs }, { signal, say }) =>
  withServers(
    async ({ amqpUrl }) => {
      const raw: number[] = [];
      const ours: number[] = [];
      for (let run = 0; run < runs && !signal.aborted; run++) {
        raw.push(await rate((done) => throughAmqplib(amqpUrl, `bench-raw-${process.pid}-${run}`, done)));
        ours.push(await rate((done) => throughBus(amqpUrl, `bench-bus-${process.pid}-${run}`, done)));
        say(`run ${run + 1}: amqplib ${raw.at(-1)!.toFixed(0)}, bus ${ours.at(-1)!.toFixed(0)} messages/s`);
      }
      return [
        { what: 'amqplib alone, quorum queue, confirms', unit: 'messages/s', runs: raw },
        { what: 'the bus, same queue, contracts read and written', unit: 'messages/s', runs: ours },
        { what: 'the bus against amqplib', unit: 'ratio', runs: ours.map((n, i) => n / raw[i]!) },
      ];
    },
    { database: false },
  ),
);

/** One run through amqplib alone, in messages a second. */
export const brokerAlone = (url: string, run: number): Promise<number> =>
  rate((done) => throughAmqplib(url, `bench-alone-${process.pid}-${run}`, done));

/** The messages of such a run. */
export const BROKER_ALONE_MESSAGES = MESSAGES;

const message = (n: number) =>
  contracts.write(
    'room.said',
    { room: 'round-1/day-1/Village', line: n + 1, by: 3, text: 'x'.repeat(600), at: 0 },
    { id: `bench/${process.pid}/${n}`, source: 'gamemaster', subject: `bench-${n % 50}`, at: Date.now() },
  );

/** Messages a second, from the first publication to the last acknowledgement. `start` gets a function to call at the last message. */
async function rate(start: (done: () => void) => Promise<{ run(): Promise<void>; close(): Promise<void> }>): Promise<number> {
  let finish: () => void = () => {};
  const all = new Promise<void>((resolve) => (finish = resolve));
  const { run, close } = await start(() => finish());
  const startedAt = performance.now();
  await run();
  await all;
  const seconds = (performance.now() - startedAt) / 1000;
  await close();
  return MESSAGES / seconds;
}

async function inWindow(publish: (n: number) => Promise<void>): Promise<void> {
  const open = new Set<Promise<void>>();
  for (let n = 0; n < MESSAGES; n++) {
    const one: Promise<void> = publish(n).finally(() => open.delete(one));
    open.add(one);
    if (open.size >= WINDOW) await Promise.race(open);
  }
  await Promise.all(open);
}

async function throughAmqplib(url: string, queue: string, done: () => void) {
  const connection = await connect(url, { noDelay: true });
  const sending = await connection.createConfirmChannel();
  const taking = await connection.createChannel();
  await sending.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
  await taking.prefetch(PREFETCH);
  let taken = 0;
  await taking.consume(queue, (delivery) => {
    if (!delivery) return;
    JSON.parse(delivery.content.toString());
    taking.ack(delivery);
    if (++taken === MESSAGES) done();
  });
  return {
    run: () =>
      inWindow(
        (n) =>
          new Promise<void>((resolve, reject) => {
            sending.publish('', queue, Buffer.from(JSON.stringify(message(n))), { persistent: true }, (error: unknown) =>
              error ? reject(error as Error) : resolve(),
            );
          }),
      ),
    close: async () => {
      await sending.deleteQueue(queue);
      await connection.close();
    },
  };
}

async function throughBus(url: string, queue: string, done: () => void) {
  const bus = await rabbitBus({ url, service: 'bench' });
  let taken = 0;
  const pool = await bus.consume(queue, ['room.said'], { concurrency: PREFETCH }, async () => {
    if (++taken === MESSAGES) done();
  });
  return {
    run: () => inWindow((n) => bus.publish(message(n))),
    close: async () => {
      await pool.stop();
      await bus.close();
      const connection = await connect(url, { noDelay: true });
      const channel = await connection.createChannel();
      await channel.deleteQueue(queue);
      await connection.close();
    },
  };
}
