import { randomUUID } from 'node:crypto';
import { type Log, logger } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import type { Bus } from '../bus.ts';
import type { DeadLetter } from '../core/dead-letter.ts';
import { type MemoryHub as Hub, createHub } from './hub.ts';
import { type BusOptions, createBus } from '../core/create-bus.ts';
import { replyQueueOf } from '../core/topology.ts';
import type { RawMessage, Transport } from '../core/transport.ts';

export type MemoryHub = Hub;
/** What several buses in one process share: `memoryBus({ service: 'player', hub })`. */
export const memoryHub: () => MemoryHub = createHub;

export interface MemoryOptions extends BusOptions {
  /** Where the others are; a hub of its own when not given. */
  readonly hub?: MemoryHub | undefined;
  /** Silent when not given. */
  readonly log?: Log | undefined;
}

/** A bus that needs no broker, for one process: the same behaviour, and everything is forgotten when the process ends. */
export function memoryBus(options: MemoryOptions): Bus & { readonly dead: DeadLetter[] } {
  const { service, hub = createHub(), log = logger(service, { level: 'silent' }) } = options;
  return { ...createBus(wireTo(hub, service), { ...options, log }), dead: hub.dead };
}

function wireTo(hub: MemoryHub, service: string): Transport {
  const asker = replyQueueOf(service, randomUUID());
  let take: ((parcel: RawMessage) => void) | undefined;
  const leave = hub.answers(asker, (parcel) => take?.(parcel));
  let isOpen = true;
  metrics.busUp.set({ service }, 1);

  return {
    system: 'memory',
    user: service,
    async send(to, parcel, { asks, signal } = {}) {
      signal?.throwIfAborted();
      if (!isOpen) throw new Error(`the bus of ${service} is closed`);
      hub.put(to, { ...parcel, user: service, ...(asks ? { replyTo: asker } : {}) });
    },
    consume: async (asked, onTaken) => hub.consume(asked, onTaken),
    tap: async (types, onTaken) => hub.tap(types, onTaken),
    onAnswer: (listener) => void (take = listener),
    onRenewed: () => undefined, // Nothing is lost on the way.
    isUp: () => isOpen,
    unsent: () => 0, // What is sent is there.
    async close() {
      isOpen = false;
      leave();
      metrics.busUp.set({ service }, 0);
    },
  };
}
