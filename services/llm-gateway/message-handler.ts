import type { Bus, Delivery } from '@maw/bus/bus.ts';
import type { Message, ReplyData } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import type { Leadership } from './leader.ts';
import type { GatewayOptions } from './defaults.ts';
import type { Completions } from './scheduler/completions.ts';
import type { ServerRegistry } from './servers/registry.ts';
import { canChat } from './servers/server-models.ts';
import type { Status } from './status.ts';

const TYPES = ['llm.complete', 'llm.embed', 'llm.cancel', 'llm.models', 'llm.status'] as const;

interface Parts {
  readonly bus: Bus;
  readonly settings: Pick<GatewayOptions, 'maxInFlight'>;
  readonly registry: ServerRegistry;
  readonly scheduler: Completions;
  readonly leadership: Leadership;
  status(): Promise<Status>;
}

/** Consumes the gateway's queue, as its single active consumer. */
export const consumeMessages = (parts: Parts) =>
  parts.bus.consume(
    'llm-gateway',
    TYPES,
    { concurrency: parts.settings.maxInFlight, isSingle: true, takesLate: true },
    (message, delivery) => handle(parts, message, delivery),
  );

async function handle(
  { scheduler, leadership, registry, status }: Parts,
  message: Message<(typeof TYPES)[number]>,
  delivery: Delivery,
): Promise<Reply | void> {
  leadership.confirm();
  const signal = (): AbortSignal => AbortSignal.any([delivery.signal, leadership.lost]);
  switch (message.type) {
    case 'llm.complete':
      return { performative: 'agree', data: await scheduler.complete(message, signal(), { takesUnfit: true }) };
    case 'llm.embed':
      return { performative: 'agree', data: await scheduler.embed(message, signal()) };
    case 'llm.cancel':
      return scheduler.cancel(message.data.request, message.data.why ?? 'no longer wanted');
    case 'llm.status':
      return { performative: 'inform', data: await status() };
    case 'llm.models':
      return { performative: 'inform', data: modelsOf(registry, scheduler) };
  }
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
      cannotChat: [...models.values()].flatMap((model) => (model.capabilities && !canChat(model) ? [model.name] : [])),
    })),
    waiting: queue.size,
  };
}
