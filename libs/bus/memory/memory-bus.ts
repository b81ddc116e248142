import { randomUUID } from 'node:crypto';
import { type Log, logger } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import type { Bus } from '../bus.ts';
import { type BusOptions, createBus } from '../core/create-bus.ts';
import type { DeadLetter } from '../core/dead-letter.ts';
import { replyQueueOf } from '../core/topology.ts';
import type { RawMessage, Transport } from '../core/transport.ts';
import { createHub, type MemoryHub } from './hub.ts';

export { createHub as memoryHub, type MemoryHub } from './hub.ts';

interface MemoryOptions extends BusOptions {
  /** Shared with the other buses of the process. Default: a hub of its own. */
  readonly hub?: MemoryHub | undefined;
  /** Default: silent. */
  readonly log?: Log | undefined;
}

/** A bus without a broker, for one process. It behaves like the real one; nothing outlives the process. */
export function memoryBus(options: MemoryOptions): Bus & { readonly dead: DeadLetter[] } {
  const { service, hub = createHub(), log = logger(service, { level: 'silent' }) } = options;
  return { ...createBus(transportOn(hub, service), { ...options, log }), dead: hub.dead };
}

function transportOn(hub: MemoryHub, service: string): Transport {
  const replyQueue = replyQueueOf(service, randomUUID());
  let listener: ((reply: RawMessage) => void) | undefined;
  const leave = hub.onReply(replyQueue, (reply) => listener?.(reply));
  let isOpen = true;
  metrics.busUp.set({ service }, 1);

  return {
    system: 'memory',
    user: service,
    async send(to, message, { expectsReply, signal } = {}) {
      signal?.throwIfAborted();
      if (!isOpen) throw new Error(`the bus of ${service} is closed`);
      hub.send(to, { ...message, user: service, ...(expectsReply ? { replyTo: replyQueue } : {}) });
    },
    consume: async (options, deliver) => hub.consume(options, deliver),
    subscribe: async (types, deliver) => hub.subscribe(types, deliver),
    onReply: (given) => void (listener = given),
    onReconnected: () => undefined, // there is no connection to lose
    isUp: () => isOpen,
    consumerCount: async (queue) => hub.consumerCount(queue),
    unconfirmedCount: () => 0,
    async close() {
      isOpen = false;
      leave();
      metrics.busUp.set({ service }, 0);
    },
  };
}
