import type { EventEmitter } from 'node:events';
import { unlessAborted } from '@maw/async/abort.ts';
import { keyedQueue } from '@maw/async/keyed-queue.ts';
import { withTimeout } from '@maw/async/timeout.ts';
import { keyOf } from '@maw/contracts/model-name.ts';
import type { GatewayOptions } from '../defaults.ts';
import type { Server, ServerEvents } from './server.ts';
import type { Model } from './server-models.ts';

export type ModelLoads = ReturnType<typeof modelLoads>;

type Options = Pick<GatewayOptions, 'numCtx' | 'keepAlive' | 'loadMs'>;

/**
 * Loads models into the memory of servers, one at a time on each. Ollama gives up a load when the client that asked for it disconnects, and requests with a deadline do. So a request of our own loads the
 * model, once for all who wait; otherwise a model that loads for longer than a turn would never be loaded.
 */
export function modelLoads({ numCtx, keepAlive, loadMs }: Options, events: EventEmitter<ServerEvents>) {
  const loading = new Map<string, Promise<void>>();
  const queue = keyedQueue();
  const closed = new AbortController();
  const keyFor = (server: string, model: string): string => `${server} ${model}`;

  async function load(server: Server, model: Model): Promise<void> {
    const canChat = model.capabilities?.includes('completion') ?? true;
    // AbortSignal.timeout would keep its timer, and all that it refers to, for minutes after the load.
    await withTimeout(
      loadMs,
      (timeout) => server.provider.load(model.name, { numCtx, keepAlive, canChat }, AbortSignal.any([closed.signal, timeout])),
      { what: `loading ${model.name}`, unref: true },
    );
    server.models.markUsed(keyOf(model.name));
  }

  function start(server: Server, model: Model, key: string): Promise<void> {
    const started = queue(server.name, () => load(server, model)).finally(() => {
      loading.delete(key);
      queueMicrotask(() => events.emit('changed')); // the requests that have waited for it go first
    });
    started.catch(() => undefined); // all who wait for it may have left
    loading.set(key, started);
    return started;
  }

  return {
    /**
     * Resolves once the model is in the server's memory, as far as is known.
     * @throws what the server or the network says; what `signal` was aborted with, while the load goes on for others
     */
    async ensureLoaded(server: Server, model: Model, signal: AbortSignal): Promise<void> {
      const modelKey = keyOf(model.name);
      if (server.isResident(modelKey)) return;
      const key = keyFor(server.name, modelKey);
      await unlessAborted(loading.get(key) ?? start(server, model, key), signal);
    },
    /** @param model the key of the model */
    isLoading: (server: string, model: string): boolean => loading.has(keyFor(server, model)),
    get size() {
      return loading.size;
    },
    /** Aborts all loads. */
    close: (): void => closed.abort(new Error('the gateway has closed')),
  };
}
