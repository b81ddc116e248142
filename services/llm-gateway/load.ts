import { unlessAborted } from './job.ts';
import { keyOf } from './model-name.ts';
import type { GatewayOptions } from './options.ts';
import type { Model, Server } from './server.ts';

/** Models on their way into the memory of servers. */
export interface Loads {
  /**
   * Resolves when the model is in the server’s memory, as far as is known; at once when it is.
   * @throws what the server or the network says; @throws what `signal` was aborted with, while the load goes on for the next one
   */
  ready(server: Server, model: Model, signal: AbortSignal): Promise<void>;
  /** Gives up all loads. */
  close(): void;
}

/**
 * In Ollama a load belongs to whoever asked first and is given up when that one leaves. So a completion, which has a deadline, never asks for
 * one: a request of our own does, once for all who wait. Without it a model that loads for longer than a turn takes would never be loaded.
 */
export function loads({ numCtx, keepAlive, loadMs }: GatewayOptions): Loads {
  const going = new Map<string, Promise<void>>();
  const closed = new AbortController();

  async function load(server: Server, model: Model): Promise<void> {
    const client = server.wire.client(AbortSignal.any([closed.signal, AbortSignal.timeout(loadMs)]));
    // No messages: nothing is generated.
    const told = await client.chat({ model: model.name, messages: [], stream: true, keep_alive: keepAlive, options: { num_ctx: numCtx } });
    for await (const _ of told);
    server.hasUsed(keyOf(model.name));
  }

  return {
    async ready(server, model, signal) {
      if (server.isResident(keyOf(model.name))) return;
      const where = `${server.name} ${model.name}`;
      let loading = going.get(where);
      if (!loading) {
        loading = load(server, model).finally(() => going.delete(where));
        going.set(where, loading);
        // Those who wait for it may all have left.
        loading.catch(() => undefined);
      }
      await unlessAborted(loading, signal);
    },
    close: () => closed.abort(new Error('the gateway has closed')),
  };
}
