import type { Bus, Delivery } from '@maw/bus/bus.ts';
import type { Answer, Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { completions } from './complete.ts';
import { type GatewayOptions, usualOptions } from './options.ts';
import { servers as serversOf } from './servers.ts';

const TYPES = ['llm.complete', 'llm.cancel', 'llm.models'] as const;
type Heard = Message<(typeof TYPES)[number]>;

export interface LlmGateway {
  /** @throws Error that says what is missing, when no server is up that can do what is asked without a model’s name */
  ready(): Promise<void>;
  /** Takes no more, finishes what is in hand within the grace time of the bus, which gives back the rest; disconnects. Twice does no harm. */
  close(): Promise<void>;
}

/**
 * The queue in front of the model servers. Asks the servers how they are once, then listens, whether or not one is up.
 * All messages come by one queue with one active consumer, so that a cancellation reaches the process that has the completion; those that
 * wait for a slot are in hand, so there must be room for many.
 */
export async function llmGateway(ports: {
  bus: Bus;
  now(): number;
  log: Log;
  options: Partial<GatewayOptions> & Pick<GatewayOptions, 'servers'>;
}): Promise<LlmGateway> {
  const { bus, now, log } = ports;
  const options = { ...usualOptions, ...ports.options };
  const servers = serversOf(options, log);
  const desk = completions({ servers, now, log, options });

  async function hear(message: Heard, delivery: Delivery): Promise<Reply | void> {
    switch (message.type) {
      case 'llm.complete':
        return { performative: 'agree', data: await desk.complete(message, delivery.signal) };
      case 'llm.cancel':
        return desk.cancel(message.data.request, message.data.why ?? 'no longer wanted');
      case 'llm.models':
        return { performative: 'inform', data: models() };
    }
  }

  function models(): Answer<'llm.models'> {
    const usual = servers.usual();
    const name = usual === undefined ? undefined : servers.all.find((one) => one.isUp && one.models.has(usual))?.models.get(usual)?.name;
    return {
      ...(name === undefined ? {} : { default: name }),
      servers: servers.all.map(({ name: server, isUp, version, slots, models: has }) => ({
        server,
        isUp,
        ...(version === undefined ? {} : { version }),
        slots,
        busy: desk.busy(server),
        models: [...has.values()].map((model) => model.name),
      })),
      waiting: desk.waiting,
    };
  }

  await servers.check();
  const listening = await bus.pool('llm-gateway', TYPES, { concurrency: options.maxInHand, isSingle: true }, hear);
  servers.watch(desk.look);
  let closing: Promise<void> | undefined;
  return {
    async ready() {
      const usual = servers.usual();
      if (usual !== undefined && servers.all.some(({ isUp, models: has }) => isUp && has.has(usual))) return;
      const what = options.model ?? 'a model that can chat';
      throw new Error(`no model server is up that has ${what}: ${servers.report()}. Start Ollama, or pull a model: ollama pull llama3.1`);
    },
    close: () =>
      (closing ??= (async () => {
        await listening.stop();
        desk.close();
        await servers.close();
      })()),
  };
}
