import amqp, { type ChannelModel, type Message } from 'amqplib';
import { withTimeout } from '@maw/async/timeout.ts';
import type { DeadLetter } from '@maw/bus/core/dead-letter.ts';
import { readDeadLetters } from '@maw/bus/rabbitmq/dead-letter-admin.ts';
import { DELAYS_MS } from '@maw/bus/retries.ts';
import { SERVICES } from '../supervised-system.ts';
import { deadLetterQueueOf, delayQueueOf, BROADCAST_EVENTS, queuesOf, serviceQueues } from '@maw/bus/core/topology.ts';
import type { Store } from '@maw/store/store.ts';
import { type Evidence, type KeptRoom, speechOf } from './table-audits.ts';
import type { QueueLength } from './system-audits.ts';
import type { RequestRecorder } from './request-recorder.ts';
import type { SimulatedPerson } from '../simulated-person.ts';

const MAX_LINES = 100_000;
const FAR_MS = 10 * 365 * 86_400_000;

/** All that the store and the recorder have of a table. */
export async function evidenceOf(
  store: Store,
  recorder: RequestRecorder,
  table: string,
  people: readonly SimulatedPerson[],
): Promise<Evidence> {
  const tape = await store.tapes.read(table);
  const rooms = new Map<string, KeptRoom>();
  for (const name of speechOf(tape).keys()) {
    const room = await store.rooms.room(table, name);
    const archived = await store.rooms.archived(table, name);
    const after = archived.at(-1)?.line ?? 0;
    rooms.set(name, { room, archived, live: (await store.rooms.lines(table, name, after, MAX_LINES)).lines });
  }
  const due = await store.tapes.due(Date.now() + FAR_MS, MAX_LINES);
  return {
    table,
    tape,
    rooms,
    result: await store.tapes.result(table),
    hasAlarm: due.some((one) => one.table === table),
    asked: recorder.of(table),
    people: people.filter((person) => person.table === table),
  };
}

/** Every queue that should be empty once nothing is left to do: those of the services, and of what waits for its next try. */
export async function queueLengths(url: string): Promise<readonly QueueLength[]> {
  const names = serviceQueues.flatMap((one) => [...queuesOf(one), ...DELAYS_MS.map((ms) => delayQueueOf(one.queue, ms))]);
  return connected(url, async (model) => {
    const lengths: QueueLength[] = [];
    for (const queue of names) lengths.push({ queue, messages: await lengthOf(model, queue) });
    return lengths;
  });
}

/** How many messages of a queue are ready; 0 when there is none, for nobody has ever needed it. */
async function lengthOf(model: ChannelModel, queue: string): Promise<number> {
  const channel = await model.createChannel(); // it ends with a queue that is not there
  channel.on('error', () => undefined);
  try {
    const { messageCount } = await channel.checkQueue(queue);
    await channel.close();
    return messageCount;
  } catch (error) {
    if ((error as { code?: number }).code === 404) return 0;
    throw error;
  }
}

/** What lies in the queues that should be empty: every message of each that has any. Nobody consumes them any more. */
export const leftovers = async (url: string): Promise<readonly QueueLength[]> => {
  const all: QueueLength[] = [];
  for (const { queue, messages } of await queueLengths(url))
    if (messages) all.push({ queue, messages, which: await messagesIn(url, queue, messages) });
  return all;
};

/** How long the broker may take to deliver what is looked at, in milliseconds. */
const DELIVERY_MS = 10_000;

/** What so many messages of a queue are. They are delivered, not fetched: the broker refuses that where only one consumer may be active. */
export const messagesIn = (url: string, queue: string, count: number): Promise<readonly string[]> =>
  connected(url, async (model) => {
    const channel = await model.createChannel(); // what is looked at goes back where it was when it closes
    const names: string[] = [];
    const { promise: delivered, resolve } = Promise.withResolvers<void>();
    await channel.consume(queue, (got) => {
      if (got) names.push(nameOf(got));
      if (!got || names.length === count) resolve();
    });
    await withTimeout(DELIVERY_MS, delivered, { onTimeout: () => undefined });
    return names;
  });

/** The delivery count says how often somebody had it and returned it, or died. */
const nameOf = ({ properties: { type, messageId, headers } }: Message): string =>
  `${String(type)} ${String(messageId)}, delivered ${Number(headers?.['x-delivery-count'] ?? 0)} times before`;

/** How many messages there are by type for which there was no queue, and which somebody should have taken: all but doorbells that nobody heard. */
export const unrouted = (url: string): Promise<readonly QueueLength[]> =>
  connected(url, async (model) => {
    const channel = await model.createChannel(); // what is looked at goes back where it was when it closes
    const counts = new Map<string, number>();
    for (let got = await channel.get('unrouted'); got; got = await channel.get('unrouted')) {
      const type = String(got.properties.type);
      if (!BROADCAST_EVENTS.includes(type)) counts.set(type, (counts.get(type) ?? 0) + 1);
    }
    return [...counts].map(([type, messages]) => ({ queue: `unrouted, of the type ${type}`, messages }));
  });

async function connected<T>(url: string, work: (model: ChannelModel) => Promise<T>): Promise<T> {
  const model = await amqp.connect(url, { noDelay: true, timeout: 120_000 });
  model.on('error', () => undefined); // what is under way rejects
  try {
    return await work(model);
  } finally {
    await model.close().catch(() => undefined);
  }
}

/** The queues of the services that run. */
const readQueues = serviceQueues.filter(({ queue }) => (SERVICES as readonly string[]).includes(queue));

/** Puts something that nobody can read into the queue of each service. Returns what must lie among the dead letters from then on. */
export const plantUnreadable = (url: string, seed: string): Promise<readonly string[]> =>
  connected(url, async (model) => {
    const channel = await model.createConfirmChannel();
    const planted = readQueues.map(({ queue }) => ({ queue, body: `planted in ${queue} by ${seed}` }));
    for (const { queue, body } of planted) channel.sendToQueue(queue, Buffer.from(body), { persistent: true, messageId: body });
    await channel.waitForConfirms();
    return planted.map(({ queue, body }) => `${queue}: ${body}`);
  });

/** The dead letters of all queues, in the words of `plantUnreadable`; those that nobody planted with the reason they are there. */
export async function deadLetters(url: string, planted: readonly string[]): Promise<readonly string[]> {
  const all: string[] = [];
  for (const { queue } of serviceQueues) {
    const letters = await readDeadLetters(url, queue, 1_000);
    all.push(...letters.map((letter) => textOf(queue, letter, planted)));
  }
  return all;
}

function textOf(queue: string, { body, id, type, reason, error, attempts }: DeadLetter, planted: readonly string[]): string {
  const text = `${queue}: ${body.toString()}`;
  return planted.includes(text)
    ? text
    : `${deadLetterQueueOf(queue)}: ${type} ${id}, ${reason} after ${attempts} tries: ${error}; ${body.toString()}`;
}
