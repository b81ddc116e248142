import { z } from 'zod';
import type { Address } from '../address.ts';
import { chat } from './chat.ts';
import { NoAnswer } from './fault.ts';
import { sanitizeText } from '../sanitize-text.ts';
import type { Provider } from './provider.ts';
import { listing, resident, shown, versionOf } from './ollama-responses.ts';
import { wire } from './ollama-client.ts';

const embedded = z.object({
  model: z.string().catch('unknown'),
  embeddings: z.array(z.array(z.number())),
  prompt_eval_count: z.int().nonnegative().catch(0),
  total_duration: z.number().nonnegative().catch(0),
  load_duration: z.number().nonnegative().catch(0),
});

const nanoseconds = z.number().nonnegative().catch(0);
const counters = z.object({
  total_duration: nanoseconds,
  load_duration: nanoseconds,
  prompt_eval_duration: nanoseconds,
  eval_duration: nanoseconds,
});

/** What a slot check says, behind something that is different each time. */
export const SLOT_CHECK = 'Slot check: say yes.';

/** Ollama by its own protocol (`/api/*`). Opens nothing until it is needed. */
export function ollama(address: Address, stallMs: number, now: () => number): Provider {
  const connections = wire(address, stallMs, now);
  return {
    kind: 'ollama',
    chat: (asked, options, { signal, headers }) => chat(connections.client(signal, headers), asked, options),

    async embed(input, { model, numCtx, keepAlive }, { signal, headers }) {
      const said: unknown = await connections
        .client(signal, headers)
        .embed({ model, input: [...input], truncate: false, keep_alive: keepAlive, options: { num_ctx: numCtx } });
      const { data } = embedded.safeParse(said);
      if (!data || data.embeddings.length !== input.length) throw new NoAnswer(`it has no vectors for ${input.length} texts`);
      const [load, total] = [data.load_duration / 1e6, data.total_duration / 1e6];
      return {
        embeddings: data.embeddings,
        model: sanitizeText(data.model, 200),
        promptTokens: data.prompt_eval_count,
        times: { load, work: Math.max(0, total - load) },
      };
    },

    version: async (signal) => versionOf(await connections.client(signal).version()),
    list: async (signal) => listing(await connections.client(signal).list()),
    show: (model, signal) =>
      connections
        .client(signal)
        .show({ model })
        .then(shown)
        .catch(() => undefined),
    resident: async (signal) => resident(await connections.client(signal).ps()),

    async load(model, { numCtx, keepAlive, canChat }, signal) {
      const client = connections.client(signal);
      const same = { model, keep_alive: keepAlive, options: { num_ctx: numCtx } };
      // No messages, or no texts: nothing is made of them. A model that only makes vectors refuses to chat, even so.
      if (canChat) for await (const _ of await client.chat({ ...same, messages: [], stream: true }));
      else await client.embed({ ...same, input: [] });
    },

    async tryOut(model, { numCtx, keepAlive }, signal) {
      // Each its own prompt: one that is in the cache takes no time.
      const messages = [{ role: 'user', content: `${crypto.randomUUID()} ${SLOT_CHECK}` }];
      const options = { num_ctx: numCtx, num_predict: 1 };
      const told = await connections.client(signal).chat({ model, messages, stream: true, think: false, keep_alive: keepAlive, options });
      let last: unknown;
      for await (const part of told) last = part;
      const { total_duration: total, ...took } = counters.parse(last);
      const worked = took.prompt_eval_duration + took.eval_duration;
      return { waited: Math.max(0, total - took.load_duration - worked) / 1e6, worked: worked / 1e6 };
    },
    close: () => connections.close(),
  };
}
