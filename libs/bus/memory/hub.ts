import { setImmediate as soon } from 'node:timers';
import { type DeadLetter, deadParcel, deadLetterOf } from '../core/dead-letter.ts';
import { delayQueueOf, MAX_DELIVERIES, MAX_RETAINED, MAX_WAITING, serviceQueues } from '../core/topology.ts';
import type { Destination, TransportConsumer, RawMessage, QueueOptions, RawDelivery } from '../core/transport.ts';

/** What the buses of one process share: the queues, as a broker would keep them. Lives and dies with the process. */
export interface MemoryHub {
  /** What could not be handled, the oldest first; the newest thousands are kept. */
  readonly dead: DeadLetter[];
  /** @throws Error when it is full */
  put(to: Destination | { readonly queue: string }, parcel: RawMessage): void;
  consume(asked: QueueOptions, take: (taken: RawDelivery) => void): TransportConsumer;
  tap(types: readonly string[], take: (taken: RawDelivery) => void): TransportConsumer;
  /** Answers to `asker` come here until it is called. */
  answers(asker: string, take: (parcel: RawMessage) => void): () => void;
}

interface Kept {
  readonly parcel: RawMessage;
  readonly order: number;
  deliveries: number;
}

interface Consumer {
  readonly prefetch: number;
  readonly take: (taken: RawDelivery) => void;
  readonly held: Set<Kept>;
  isTaking: boolean;
}

interface Queue {
  readonly name: string;
  readonly types: Set<string>;
  readonly isSingle: boolean;
  readonly isTap: boolean;
  waiting: Kept[];
  consumers: Consumer[];
}

/** A hub with the queues of all services. */
export function createHub(): MemoryHub {
  const queues = new Map<string, Queue>();
  const delays = new Map<string, { queue: string; ms: number }>();
  const askers = new Map<string, (parcel: RawMessage) => void>();
  const dead: DeadLetter[] = [];
  let order = 0;
  let taps = 0;

  function declare(name: string, types: readonly string[], isSingle: boolean, isTap = false): Queue {
    const queue = queues.get(name) ?? { name, types: new Set(), isSingle, isTap, waiting: [], consumers: [] };
    if (queue.isSingle !== isSingle) throw new Error(`queue ${name} is there already with isSingle ${queue.isSingle}`);
    for (const type of types) queue.types.add(type);
    queues.set(name, queue);
    return queue;
  }

  const declared = (name: string): Queue => queues.get(name) ?? declare(name, [], false);

  function put(to: Destination | { readonly queue: string }, parcel: RawMessage): void {
    if ('asker' in to) return void soon(() => askers.get(to.asker)?.(parcel));
    if ('kind' in to)
      return putAll(
        [...queues.values()].filter(({ types }) => types.has(to.type)),
        parcel,
      );
    const delay = delays.get(to.queue);
    if (delay) return void setTimeout(() => keep(declared(delay.queue), parcel), delay.ms).unref();
    if (to.queue.endsWith('.dead')) return bury(to.queue.slice(0, -'.dead'.length), parcel);
    putAll([declared(to.queue)], parcel);
  }

  function putAll(all: readonly Queue[], parcel: RawMessage): void {
    const full = all.find(({ isTap, waiting }) => !isTap && waiting.length >= MAX_WAITING);
    if (full) throw new Error(`queue ${full.name} is full: ${MAX_WAITING} messages wait and nobody takes them; start a pool for it`);
    for (const queue of all) keep(queue, parcel);
  }

  function keep(queue: Queue, parcel: RawMessage): void {
    queue.waiting.push({ parcel, order: order++, deliveries: 0 });
    if (queue.isTap && queue.waiting.length > MAX_RETAINED) queue.waiting.shift();
    stir(queue);
  }

  function bury(queue: string, parcel: RawMessage): void {
    dead.push(deadLetterOf(parcel, queue));
    if (dead.length > MAX_RETAINED) dead.shift();
  }

  /** Not at once, so that whoever sends goes on before anybody hears it, and other work of the process is not starved. */
  const stir = (queue: Queue): void => void soon(() => deliver(queue));

  function deliver(queue: Queue): void {
    for (;;) {
      const able = (queue.isSingle ? queue.consumers.slice(0, 1) : queue.consumers).filter((c) => c.isTaking && c.held.size < c.prefetch);
      const consumer = able[0];
      const kept = consumer && queue.waiting.shift();
      if (!consumer || !kept) return;
      // Whoever took one goes to the end of the line, unless the others only stand by.
      if (!queue.isSingle) queue.consumers = [...queue.consumers.filter((one) => one !== consumer), consumer];
      consumer.held.add(kept);
      kept.deliveries++;
      consumer.take({ parcel: kept.parcel, ack: () => void (consumer.held.delete(kept) && stir(queue)) });
    }
  }

  function join(queue: Queue, prefetch: number, take: (taken: RawDelivery) => void): TransportConsumer {
    const consumer: Consumer = { prefetch, take, held: new Set(), isTaking: true };
    queue.consumers.push(consumer);
    stir(queue);
    return {
      cancel: async () => {
        consumer.isTaking = false;
        queue.consumers = queue.consumers.filter((one) => one !== consumer);
        if (queue.isTap) queues.delete(queue.name);
        stir(queue);
      },
      release: async () => {
        const back = [...consumer.held];
        consumer.held.clear();
        for (const kept of back.filter(({ deliveries }) => deliveries > MAX_DELIVERIES)) buryUnlucky(queue.name, kept);
        const again = back.filter(({ deliveries }) => deliveries <= MAX_DELIVERIES);
        queue.waiting = [...again, ...queue.waiting].toSorted((a, b) => a.order - b.order);
        stir(queue);
      },
    };
  }

  function buryUnlucky(queue: string, { parcel, deliveries }: Kept): void {
    const error = `buried after it was given back ${deliveries} times`;
    bury(queue, deadParcel(parcel, { reason: 'delivery-limit', error, queue, at: Date.now(), attempts: deliveries }));
  }

  for (const { queue, types, isSingle } of serviceQueues) declare(queue, types, isSingle);

  return {
    dead,
    put,
    consume: ({ queue, types, isSingle, prefetch, delaysMs }, take) => {
      for (const ms of delaysMs) delays.set(delayQueueOf(queue, ms), { queue, ms });
      return join(declare(queue, types, isSingle), prefetch, take);
    },
    tap: (types, take) => join(declare(`tap.${taps++}`, types, false, true), 100, take),
    answers: (asker, take) => {
      askers.set(asker, take);
      return () => void askers.delete(asker);
    },
  };
}
