import { LRUCache } from 'lru-cache';
import type { Bus, Delivery } from '@maw/bus/bus.ts';
import type { Message, ReplyData } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import type { Leadership } from './leader.ts';
import type { GatewayOptions } from './options.ts';
import type { Completions } from './scheduler/completions.ts';
import type { ServerChange, ServerListing } from './server-config/server-admin.ts';
import type { ServerRegistry } from './servers/registry.ts';
import type { Status } from './status.ts';

const TYPES = ['llm.complete', 'llm.embed', 'llm.cancel', 'llm.models', 'llm.status', 'llm.servers'] as const;
type GatewayMessage = Message<(typeof TYPES)[number]>;

interface Parts {
  readonly bus: Bus;
  readonly settings: Pick<GatewayOptions, 'maxInFlight'>;
  readonly registry: ServerRegistry;
  readonly scheduler: Completions;
  readonly leadership: Leadership;
  status(): Promise<Status>;
  change(change: ServerChange): Promise<ServerListing>;
  now(): number;
}

const REMEMBERED = { max: 200, ttl: 600_000, ttlResolution: 0 };

/** Consumes the gateway's queue, as its single active consumer. */
export function consumeMessages(parts: Parts) {
  const { bus, settings, now } = parts;
  const changes: Changes = new LRUCache({ ...REMEMBERED, perf: { now } });
  return bus.consume('llm-gateway', TYPES, { concurrency: settings.maxInFlight, isSingle: true }, (message, delivery) =>
    handle(parts, changes, message, delivery),
  );
}

async function handle(parts: Parts, changes: Changes, message: GatewayMessage, delivery: Delivery): Promise<Reply | void> {
  const { scheduler, leadership, registry } = parts;
  leadership.confirm();
  const signal = (): AbortSignal => AbortSignal.any([delivery.signal, leadership.lost]);
  switch (message.type) {
    case 'llm.complete':
      return { performative: 'agree', data: await scheduler.complete(message, signal()) };
    case 'llm.embed':
      return { performative: 'agree', data: await scheduler.embed(message, signal()) };
    case 'llm.cancel':
      return scheduler.cancel(message.data.request, message.data.why ?? 'no longer wanted');
    case 'llm.status':
      return { performative: 'inform', data: await parts.status() };
    case 'llm.models':
      return { performative: 'inform', data: modelsOf(registry, scheduler) };
    case 'llm.servers':
      return { performative: 'agree', data: await changeOnce(parts, changes, message) };
  }
}

/** Changes by message id: a message that is delivered twice is applied once. */
type Changes = LRUCache<string, Promise<ServerListing>>;

function changeOnce({ change }: Parts, changes: Changes, { id, data }: Message<'llm.servers'>): Promise<ServerListing> {
  const known = changes.get(id);
  if (known) return known;
  const applied = change(data);
  applied.catch(() => undefined);
  changes.set(id, applied);
  return applied;
}

function modelsOf(registry: ServerRegistry, { queue, dispatcher }: Completions): ReplyData<'llm.models'> {
  const key = registry.defaultModel();
  const name =
    key === undefined ? undefined : registry.all.find(({ health, models }) => health.isUp && models.has(key))?.models.get(key)?.name;
  return {
    ...(name === undefined ? {} : { default: name }),
    servers: registry.all.map(({ name: server, health, slots, models }) => ({
      server,
      isUp: health.isUp,
      ...(health.version === undefined ? {} : { version: health.version }),
      slots,
      busy: dispatcher.busySlots(server),
      models: [...models.values()].map((model) => model.name),
    })),
    waiting: queue.size,
  };
}
