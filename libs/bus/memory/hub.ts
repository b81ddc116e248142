import { setImmediate as nextTurn } from 'node:timers';
import { asDeadLetter, type DeadLetter, deadLetterOf } from '../core/dead-letter.ts';
import { MAX_RETAINED, MAX_WAITING } from '../core/message-limits.ts';
import { MAX_DELIVERIES } from '../retries.ts';
import { delayQueueOf, type PartQueue, serviceQueues } from '../core/topology.ts';
import type { Destination, QueueOptions, RawDelivery, RawMessage, TransportConsumer } from '../core/transport.ts';

/** The broker of one process: the queues that several memory buses share. */
export interface MemoryHub {
  /** The newest 10,000 dead letters, the oldest first. */
  readonly dead: DeadLetter[];
  /** @throws Error when a queue is full */
  send(to: Destination | { readonly queue: string }, message: RawMessage): void;
  consume(options: QueueOptions, deliver: (delivery: RawDelivery) => void): TransportConsumer;
  subscribe(types: readonly string[], deliver: (delivery: RawDelivery) => void): TransportConsumer;
  consumerCount(queue: string): number;
  /** Passes on the replies to a reply queue, until the returned function is called. */
  onReply(replyQueue: string, listener: (reply: RawMessage) => void): () => void;
}

interface Queued {
  readonly raw: RawMessage;
  /** Its place in the order of arrival, to which it returns when it is redelivered. */
  readonly order: number;
  deliveries: number;
}

interface Consumer {
  readonly prefetch: number;
  priority(): number;
  readonly part: PartQueue | undefined;
  readonly deliver: (delivery: RawDelivery) => void;
  readonly unacknowledged: Set<Queued>;
}

interface Queue {
  readonly name: string;
  readonly keys: Set<string>;
  readonly isSingle: boolean;
  /** The queue whose dead letters its own go to; null: they are dropped. */
  readonly home: string | null;
  /** It belongs to one subscriber and goes with it. */
  readonly isTemporary: boolean;
  waiting: Queued[];
  consumers: Consumer[];
}

interface State {
  readonly queues: Map<string, Queue>;
  /** By the name of the delay queue. */
  readonly delays: Map<string, { readonly queue: string; readonly ms: number }>;
  readonly repliesTo: Map<string, (reply: RawMessage) => void>;
  readonly dead: DeadLetter[];
  arrivals: number;
  subscribers: number;
}

/** A hub with the queues of all services. */
export function createHub(): MemoryHub {
  const state: State = { queues: new Map(), delays: new Map(), repliesTo: new Map(), dead: [], arrivals: 0, subscribers: 0 };
  for (const { queue, types, isSingle, parts } of serviceQueues) {
    declare(state, queue, { keys: types, isSingle });
    for (const part of parts) declare(state, part.queue, { keys: part.keys, home: part.isRead ? null : queue });
  }
  return {
    dead: state.dead,
    send: (to, message) => send(state, to, message),
    consume: (options, deliver) => {
      const { queue, types, isSingle, delaysMs, parts } = options;
      for (const ms of delaysMs) state.delays.set(delayQueueOf(queue, ms), { queue, ms });
      const own = addConsumer(state, declare(state, queue, { keys: types, isSingle }), options, deliver);
      return together([own, ...parts.map((part) => addConsumer(state, queueNamed(state, part.queue), options, deliver, part))]);
    },
    subscribe: (types, deliver) => {
      const queue = declare(state, `tap.${state.subscribers++}`, { keys: types, isTemporary: true });
      return addConsumer(state, queue, SUBSCRIBER, deliver);
    },
    consumerCount: (queue) => state.queues.get(queue)?.consumers.length ?? 0,
    onReply: (replyQueue, listener) => {
      state.repliesTo.set(replyQueue, listener);
      return () => void state.repliesTo.delete(replyQueue);
    },
  };
}

interface Declaration {
  readonly keys?: readonly string[];
  readonly isSingle?: boolean;
  readonly isTemporary?: boolean;
  /** Default: the queue itself. */
  readonly home?: string | null;
}

function declare({ queues }: State, name: string, { keys = [], isSingle = false, isTemporary = false, home = name }: Declaration): Queue {
  const queue = queues.get(name) ?? { name, keys: new Set(), isSingle, home, isTemporary, waiting: [], consumers: [] };
  if (queue.isSingle !== isSingle) throw new Error(`queue ${name} is already declared with isSingle ${queue.isSingle}`);
  for (const key of keys) queue.keys.add(key);
  queues.set(name, queue);
  return queue;
}

const queueNamed = (state: State, name: string): Queue => state.queues.get(name) ?? declare(state, name, {});

function send(state: State, to: Destination | { readonly queue: string }, raw: RawMessage): void {
  if ('replyQueue' in to) return void nextTurn(() => state.repliesTo.get(to.replyQueue)?.(raw));
  if ('kind' in to) {
    const bound = [...state.queues.values()].filter(({ keys }) => keys.has(to.key));
    return enqueueAll(state, bound, raw);
  }
  const delay = state.delays.get(to.queue);
  if (delay) return void setTimeout(() => enqueue(state, queueNamed(state, delay.queue), raw), delay.ms).unref();
  if (to.queue.endsWith('.dead')) return deadLetter(state, to.queue.slice(0, -'.dead'.length), raw);
  enqueueAll(state, [queueNamed(state, to.queue)], raw);
}

function enqueueAll(state: State, queues: readonly Queue[], raw: RawMessage): void {
  const full = queues.find(({ isTemporary, waiting }) => !isTemporary && waiting.length >= MAX_WAITING);
  if (full) throw new Error(`queue ${full.name} is full: ${MAX_WAITING} messages wait and nothing consumes them`);
  for (const queue of queues) enqueue(state, queue, raw);
}

function enqueue(state: State, queue: Queue, raw: RawMessage): void {
  queue.waiting.push({ raw, order: state.arrivals++, deliveries: 0 });
  if (queue.isTemporary && queue.waiting.length > MAX_RETAINED) queue.waiting.shift();
  scheduleDelivery(state, queue);
}

function deadLetter({ dead }: State, queue: string, raw: RawMessage): void {
  dead.push(deadLetterOf(raw, queue));
  if (dead.length > MAX_RETAINED) dead.shift();
}

/** Delivers in a later turn of the event loop, so that the sender goes on first and other work is not starved. */
const scheduleDelivery = (state: State, queue: Queue): void => void nextTurn(() => deliverWaiting(state, queue));

function deliverWaiting(state: State, queue: Queue): void {
  for (;;) {
    const served = queue.isSingle ? queue.consumers.slice(0, 1) : queue.consumers;
    const free = served.filter(({ unacknowledged, prefetch }) => unacknowledged.size < prefetch);
    const highest = Math.max(...free.map(({ priority }) => priority()));
    const consumer = free.find(({ priority }) => priority() === highest);
    const next = consumer && queue.waiting.shift();
    if (!consumer || !next) return;
    // Round robin, unless the others only stand by.
    if (!queue.isSingle) queue.consumers = [...queue.consumers.filter((one) => one !== consumer), consumer];
    consumer.unacknowledged.add(next);
    next.deliveries++;
    consumer.deliver({
      raw: next.raw,
      part: consumer.part,
      ack: () => void (consumer.unacknowledged.delete(next) && scheduleDelivery(state, queue)),
      requeue: () => void (consumer.unacknowledged.delete(next) && requeue(state, queue, [next])),
    });
  }
}

/** Returns messages to their places in the queue; those with too many deliveries are dead-lettered. */
function requeue(state: State, queue: Queue, returned: readonly Queued[]): void {
  const isOverLimit = ({ deliveries }: Queued): boolean => deliveries > MAX_DELIVERIES;
  for (const { raw, deliveries } of returned.filter(isOverLimit)) {
    const error = `dead-lettered after ${deliveries} deliveries`;
    const note = { reason: 'delivery-limit', error, queue: queue.home ?? queue.name, at: Date.now(), attempts: deliveries };
    if (queue.home !== null) deadLetter(state, queue.home, asDeadLetter(raw, note));
  }
  queue.waiting = [...returned.filter((one) => !isOverLimit(one)), ...queue.waiting].toSorted((a, b) => a.order - b.order);
  scheduleDelivery(state, queue);
}

const SUBSCRIBER: Pick<QueueOptions, 'prefetch' | 'priorityOf'> = { prefetch: 100, priorityOf: () => 0 };

function addConsumer(
  state: State,
  queue: Queue,
  { prefetch, priorityOf }: Pick<QueueOptions, 'prefetch' | 'priorityOf'>,
  deliver: (delivery: RawDelivery) => void,
  part?: PartQueue,
): TransportConsumer {
  const priority = () => (part ? priorityOf(part) : 0);
  const consumer: Consumer = { prefetch, priority, part, deliver, unacknowledged: new Set() };
  queue.consumers.push(consumer);
  scheduleDelivery(state, queue);
  return {
    cancel: async () => {
      queue.consumers = queue.consumers.filter((one) => one !== consumer);
      if (queue.isTemporary) state.queues.delete(queue.name);
      scheduleDelivery(state, queue);
    },
    release: async () => {
      const returned = [...consumer.unacknowledged];
      consumer.unacknowledged.clear();
      requeue(state, queue, returned);
    },
    reprioritize: async () => undefined, // each delivery asks for the priorities
  };
}

const together = (all: readonly TransportConsumer[]): TransportConsumer => ({
  cancel: async () => void (await Promise.all(all.map((one) => one.cancel()))),
  release: async () => void (await Promise.all(all.map((one) => one.release()))),
  reprioritize: async () => undefined,
});
