import { type MemoryHub, createHub } from '@maw/bus/memory/hub.ts';
import { attemptOf } from '@maw/bus/core/parse.ts';
import { serviceQueues } from '@maw/bus/core/topology.ts';
import type { Destination, TransportConsumer, RawMessage, RawDelivery, Transport } from '@maw/bus/core/transport.ts';
import type { Process, TurnKind } from './simulated-process.ts';

/** A message in a queue or in delivery to a process. */
export interface QueuedMessage {
  readonly queue: string;
  readonly id: string;
  readonly type: string;
  readonly raw: RawMessage;
  /** It was delivered before. */
  readonly isAgain: boolean;
}

/** Observes what processes send and acknowledge, at the moment it takes effect. */
export interface HubObserver {
  onSend(to: Destination, raw: RawMessage): void;
  onAck(message: QueuedMessage): void;
}

/**
 * An in-memory hub whose deliveries are decided by a schedule. A message stays in `waiting` until it is delivered to a process; what was in
 * delivery to a process that dies returns there. A retry is queued without its delay: a schedule may let it wait as long as it likes.
 */
export interface ScheduledHub {
  readonly memory: MemoryHub;
  readonly waiting: readonly QueuedMessage[];
  readonly inDelivery: ReadonlyMap<Process, readonly QueuedMessage[]>;
  /** The transport of one process. */
  transportOf(process: Process): Transport;
  /** Whether a process consumes the queue of the message and is below its prefetch. */
  canDeliver(process: Process, message: QueuedMessage): boolean;
  deliver(process: Process, message: QueuedMessage): void;
  /** Takes a message out of its queue without delivering it to a process. */
  remove(message: QueuedMessage): void;
  /** Queues one more copy of a waiting message. */
  duplicate(message: QueuedMessage): void;
  /** Kills a process. */
  kill(process: Process): void;
}

interface HubConsumer {
  readonly queue: string;
  readonly receive: (delivery: RawDelivery) => void;
}

interface HubSubscriber {
  readonly types: readonly string[];
  readonly receive: (delivery: RawDelivery) => void;
}

interface HubState {
  readonly memory: MemoryHub;
  readonly observer: HubObserver;
  waiting: QueuedMessage[];
  readonly inDelivery: Map<Process, QueuedMessage[]>;
  readonly consumers: Map<Process, HubConsumer>;
  readonly subscribers: Map<Process, HubSubscriber>;
}

const NOTHING: TransportConsumer = {
  cancel: () => Promise.resolve(),
  release: () => Promise.resolve(),
  reprioritize: () => Promise.resolve(),
};

/** @param prefetch how many messages are in delivery to one process at most */
export function scheduledHub(queues: readonly string[], observer: HubObserver, prefetch: number): ScheduledHub {
  const memory = createHub();
  const state: HubState = { memory, observer, waiting: [], inDelivery: new Map(), consumers: new Map(), subscribers: new Map() };
  for (const queue of queues)
    memory.consume(
      {
        queue,
        types: [],
        isSingle: false,
        prefetch: Number.POSITIVE_INFINITY,
        delaysMs: [],
        parts: serviceQueues.find((one) => one.queue === queue)?.parts ?? [],
        priorityOf: () => 0,
      },
      ({ raw, ack }) => {
        enqueue(state, queue, raw, attemptOf(raw) > 1);
        ack();
      },
    );
  return {
    memory,
    get waiting() {
      return state.waiting;
    },
    inDelivery: state.inDelivery,
    transportOf: (process) => transportOf(state, process),
    canDeliver: (process, { queue }) =>
      !process.isDead && state.consumers.get(process)?.queue === queue && inDeliveryTo(state, process).length < prefetch,
    deliver: (process, message) => deliver(state, process, message),
    remove: (message) => remove(state, message),
    duplicate: (message) => void state.waiting.push({ ...message }),
    kill: (process) => kill(state, process),
  };
}

const enqueue = ({ waiting }: HubState, queue: string, raw: RawMessage, isAgain: boolean): void =>
  void waiting.push({ queue, id: raw.id ?? '?', type: raw.type ?? '?', raw, isAgain });

const remove = (state: HubState, message: QueuedMessage): void => void (state.waiting = state.waiting.filter((other) => other !== message));

const inDeliveryTo = ({ inDelivery }: HubState, process: Process): readonly QueuedMessage[] => inDelivery.get(process) ?? [];

function transportOf({ memory, observer, consumers, subscribers }: HubState, process: Process): Transport {
  return {
    system: 'memory',
    user: process.name,
    send(to, raw, { expectsReply } = {}) {
      if (raw.type === 'tape.failed') return broadcast(subscribers, raw);
      const send = (): void => {
        const sent = expectsReply ? { ...raw, replyTo: process.name } : raw;
        observer.onSend(to, sent);
        memory.send('queue' in to ? { queue: to.queue.replace(/\.after-\d+$/, '') } : to, sent);
      };
      return process.turn(kindOf(to, raw), labelOf(to, raw), send, { isAlarm: raw.type === 'table.tick' });
    },
    async consume({ queue }, receive) {
      consumers.set(process, { queue, receive });
      return NOTHING;
    },
    async subscribe(types, receive) {
      subscribers.set(process, { types, receive });
      return NOTHING;
    },
    onReply: () => undefined,
    onReconnected: () => undefined,
    isUp: () => true,
    consumerCount: () => Promise.resolve(undefined),
    unconfirmedCount: () => 0,
    close: () => Promise.resolve(),
  };
}

/** Broadcasts that are heard at once; others are not, since whoever misses one polls. */
async function broadcast(subscribers: HubState['subscribers'], raw: RawMessage): Promise<void> {
  for (const [process, { types, receive }] of subscribers)
    if (!process.isDead && types.includes(raw.type ?? '')) receive({ raw, ack: () => undefined, requeue: () => undefined });
}

function deliver(state: HubState, process: Process, message: QueuedMessage): void {
  const { inDelivery, observer } = state;
  remove(state, message);
  inDelivery.set(process, [...inDeliveryTo(state, process), message]);
  process.note(`${message.isAgain ? 'again ' : ''}${attemptOf(message.raw)} ${message.id}`);
  let isAcknowledged = false;
  const ack = (): void => {
    if (isAcknowledged) return;
    isAcknowledged = true;
    void process.turn('ack', `ack ${message.id}`, () => {
      inDelivery.set(
        process,
        inDeliveryTo(state, process).filter((other) => other !== message),
      );
      observer.onAck(message);
    });
  };
  const requeue = (): never => {
    throw new Error('no consumer is stopped in an exploration');
  };
  state.consumers.get(process)!.receive({ raw: message.raw, ack, requeue });
}

function kill(state: HubState, process: Process): void {
  process.isDead = true;
  state.consumers.delete(process);
  for (const { queue, raw } of inDeliveryTo(state, process)) enqueue(state, queue, raw, true);
  state.inDelivery.delete(process);
}

/** `send` is for messages that follow from the tape and go to services outside the exploration; the others come back to its processes. */
function kindOf(to: Destination, { type }: RawMessage): TurnKind {
  if ('replyQueue' in to) return 'answer';
  return 'queue' in to || type === 'table.tick' || type === 'table.act' ? 'other' : 'send';
}

function labelOf(to: Destination, { id, type, correlationId }: RawMessage): string {
  if ('replyQueue' in to) return `answer ${correlationId}`;
  if ('queue' in to) return to.queue.endsWith('.dead') ? `bury ${id}` : `later ${id}`;
  return `send ${type} ${id}`;
}
