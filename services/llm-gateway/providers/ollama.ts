import { Ollama } from 'ollama/browser';
import { z } from 'zod';
import type { ServerAddress } from '../address.ts';
import { sanitizeText } from '../sanitize-text.ts';
import { connectTo, type OutgoingRequest, readText } from './connections.ts';
import { ProtocolError } from './errors.ts';
import { checkedLines } from './ndjson.ts';
import { ollamaChat } from './ollama-chat.ts';
import { parseModelInfo, parseModelList, parseResident, parseVersion } from './ollama-responses.ts';
import type { Provider } from './provider.ts';
import { serverSecret } from './secret.ts';

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
  const { client, close } = connect(address, stallMs, now);
  return {
    kind: 'ollama',
    chat: (request, options, { signal, headers }) => ollamaChat(client(signal, headers), request, options),

    async embed(input, { model, numCtx, keepAlive }, { signal, headers }) {
      const request = { model, input: [...input], truncate: false, keep_alive: keepAlive, options: { num_ctx: numCtx } };
      const { data } = embedResponse.safeParse(await client(signal, headers).embed(request));
      if (!data || data.embeddings.length !== input.length) throw new ProtocolError(`it has no vectors for ${input.length} texts`);
      const [load, total] = [data.load_duration / 1e6, data.total_duration / 1e6];
      return {
        embeddings: data.embeddings,
        model: sanitizeText(data.model, 200),
        promptTokens: data.prompt_eval_count,
        times: { load, work: Math.max(0, total - load) },
      };
    },

    version: async (signal) => parseVersion(await client(signal).version()),
    list: async (signal) => parseModelList(await client(signal).list()),
    show: async (model, signal) => parseModelInfo(await client(signal).show({ model })),
    resident: async (signal) => parseResident(await client(signal).ps()),

    async load(model, { numCtx, keepAlive, canChat }, signal) {
      const request = { model, keep_alive: keepAlive, options: { num_ctx: numCtx } };
      // Without messages or texts nothing is generated. A model that only makes embeddings refuses even an empty chat.
      if (canChat) for await (const _ of await client(signal).chat({ ...request, messages: [], stream: true }));
      else await client(signal).embed({ ...request, input: [] });
    },

    async timeSlot(model, { numCtx, keepAlive }, signal) {
      // A unique prompt: a cached one takes no time.
      const messages = [{ role: 'user', content: `${crypto.randomUUID()} ${SLOT_PROBE_PROMPT}` }];
      const options = { num_ctx: numCtx, num_predict: 1 };
      const stream = await client(signal).chat({ model, messages, stream: true, think: false, keep_alive: keepAlive, options });
      let last: unknown;
      for await (const part of stream) last = part;
      const { total_duration: total, load_duration: load, prompt_eval_duration: prefill, eval_duration: decode } = durations.parse(last);
      return { waitedMs: Math.max(0, total - load - prefill - decode) / 1e6, workedMs: (prefill + decode) / 1e6 };
    },
    close,
  };
}

function connect({ url, authorization }: ServerAddress, stallMs: number, now: () => number) {
  const { redact } = serverSecret({ authorization });
  const connections = connectTo(url, stallMs, now, redact);

  /** Has only what the package uses of a response: web streams would cost as much as the rest of a request. */
  async function fetch(signal: AbortSignal, input: string, request: OutgoingRequest) {
    const response = await connections.send(input, request, signal);
    if (input.endsWith('/api/chat')) return { ok: true, body: { getReader: () => checkedLines(response.body, redact) } };
    const text = await readText(response);
    return { ok: true, json: async () => JSON.parse(text) as unknown };
  }

  return {
    /** For one call. Aborting `signal` closes its connection; the package's own `abort` does nothing before the first token. */
    client: (signal: AbortSignal, headers: Readonly<Record<string, string>> = {}) =>
      new Ollama({
        host: url,
        fetch: ((input: string, request: OutgoingRequest) => fetch(signal, input, request)) as unknown as typeof globalThis.fetch,
        headers: { ...headers, ...(authorization ? { authorization } : {}) },
      }),
    close: connections.close,
  };
}
