import { unlessAborted } from '../request.ts';
import { keyOf } from '../model-name.ts';
import type { GatewayOptions } from '../options.ts';
import type { Model, Server } from './server.ts';

/** Models on their way into the memory of servers. */
export interface Loads {
  /**
   * Resolves when the model is in the server’s memory, as far as is known; at once when it is. A server loads one model at a time.
   * @throws what the server or the network says; @throws what `signal` was aborted with, while the load goes on for the next one
   */
  ready(server: Server, model: Model, signal: AbortSignal): Promise<void>;
  /** Whether one is under way there. Models go by `keyOf` their name. */
  isGoing(server: string, model: string): boolean;
  /** How many are under way. */
  readonly size: number;
  /** Gives up all loads. */
  close(): void;
}

/**
 * In Ollama a load belongs to whoever asked first and is given up when that one leaves. So a completion, which has a deadline, never asks for
 * one: a request of our own does, once for all who wait. Without it a model that loads for longer than a turn takes would never be loaded.
 * @param ended is told after each
 */
export function loads({ numCtx, keepAlive, loadMs }: GatewayOptions, ended: () => void): Loads {
  const going = new Map<string, Promise<void>>();
  /** The last load of each server: it loads one model after the other, whatever it is asked for. */
  const last = new Map<string, Promise<void>>();
  const closed = new AbortController();

  async function load(server: Server, model: Model): Promise<void> {
    await last.get(server.name);
    const canChat = model.capabilities?.includes('completion') ?? true;
    await server.provider.load(model.name, { numCtx, keepAlive, canChat }, AbortSignal.any([closed.signal, AbortSignal.timeout(loadMs)]));
    server.hasUsed(keyOf(model.name));
  }

  return {
    async ready(server, model, signal) {
      if (server.isResident(keyOf(model.name))) return;
      const where = place(server.name, keyOf(model.name));
      let loading = going.get(where);
      if (!loading) {
        loading = load(server, model).finally(() => {
          going.delete(where);
          queueMicrotask(ended); // those that have waited for it go first
        });
        going.set(where, loading);
        // Those who wait for it may all have left.
        const over: Promise<void> = loading
          .catch(() => undefined)
          .finally(() => last.get(server.name) === over && last.delete(server.name));
        last.set(server.name, over);
      }
      await unlessAborted(loading, signal);
    },
    isGoing: (server, model) => going.has(place(server, model)),
    get size() {
      return going.size;
    },
    close: () => closed.abort(new Error('the gateway has closed')),
  };
}

const place = (server: string, model: string): string => `${server} ${model}`;
