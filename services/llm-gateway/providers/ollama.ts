import { z } from 'zod';
import type { ServerAddress } from '../address.ts';
import { sanitizeText } from '../sanitize-text.ts';
import { ProtocolError } from './errors.ts';
import { ollamaChat } from './ollama-chat.ts';
import { ollamaConnections } from './ollama-client.ts';
import { parseModelInfo, parseModelList, parseResident, parseVersion } from './ollama-responses.ts';
import type { Provider } from './provider.ts';

const nanoseconds = z.number().nonnegative().catch(0);
const embedResponse = z.object({
  model: z.string().catch('unknown'),
  embeddings: z.array(z.array(z.number())),
  prompt_eval_count: z.int().nonnegative().catch(0),
  total_duration: nanoseconds,
  load_duration: nanoseconds,
});
const durations = z.object({
  total_duration: nanoseconds,
  load_duration: nanoseconds,
  prompt_eval_duration: nanoseconds,
  eval_duration: nanoseconds,
});

/** The prompt of a slot probe, after something unique. */
export const SLOT_PROBE_PROMPT = 'Slot check: say yes.';

/** Ollama by its own protocol (`/api/*`). Connects when it is first used. */
export function ollama(address: ServerAddress, stallMs: number, now: () => number): Provider {
  const connections = ollamaConnections(address, stallMs, now);
  return {
    kind: 'ollama',
    chat: (request, options, { signal, headers }) => ollamaChat(connections.client(signal, headers), request, options),

    async embed(input, { model, numCtx, keepAlive }, { signal, headers }) {
      const response: unknown = await connections
        .client(signal, headers)
        .embed({ model, input: [...input], truncate: false, keep_alive: keepAlive, options: { num_ctx: numCtx } });
      const { data } = embedResponse.safeParse(response);
      if (!data || data.embeddings.length !== input.length) throw new ProtocolError(`it has no vectors for ${input.length} texts`);
      const [load, total] = [data.load_duration / 1e6, data.total_duration / 1e6];
      return {
        embeddings: data.embeddings,
        model: sanitizeText(data.model, 200),
        promptTokens: data.prompt_eval_count,
        times: { load, work: Math.max(0, total - load) },
      };
    },

    version: async (signal) => parseVersion(await connections.client(signal).version()),
    list: async (signal) => parseModelList(await connections.client(signal).list()),
    show: (model, signal) =>
      connections
        .client(signal)
        .show({ model })
        .then(parseModelInfo)
        .catch(() => undefined),
    resident: async (signal) => parseResident(await connections.client(signal).ps()),

    async load(model, { numCtx, keepAlive, canChat }, signal) {
      const client = connections.client(signal);
      const request = { model, keep_alive: keepAlive, options: { num_ctx: numCtx } };
      // Without messages or texts nothing is generated. A model that only makes embeddings refuses even an empty chat.
      if (canChat) for await (const _ of await client.chat({ ...request, messages: [], stream: true }));
      else await client.embed({ ...request, input: [] });
    },

    async timeSlot(model, { numCtx, keepAlive }, signal) {
      // A unique prompt: a cached one takes no time.
      const messages = [{ role: 'user', content: `${crypto.randomUUID()} ${SLOT_PROBE_PROMPT}` }];
      const options = { num_ctx: numCtx, num_predict: 1 };
      const stream = await connections.client(signal).chat({ model, messages, stream: true, think: false, keep_alive: keepAlive, options });
      let last: unknown;
      for await (const part of stream) last = part;
      const { total_duration: total, load_duration: load, prompt_eval_duration: prefill, eval_duration: decode } = durations.parse(last);
      return { waitedMs: Math.max(0, total - load - prefill - decode) / 1e6, workedMs: (prefill + decode) / 1e6 };
    },
    close: () => connections.close(),
  };
}
