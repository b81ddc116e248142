import { type ChatRequest, Ollama } from 'ollama/browser';
import { z } from 'zod';
import type { ServerOptions } from '../server-options.ts';
import { logText } from '@maw/text/sanitize-text.ts';
import { connectTo, type OutgoingRequest, readText } from './connections.ts';
import { ProtocolError } from './errors.ts';
import { type AnswerLine, answerLines, type AnswerLines } from './ndjson.ts';
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
export function ollama(server: ServerOptions, stallMs: number, now: () => number): Provider {
  const key = serverSecret(server);
  const { client, chat, close } = connect(server, key, stallMs, now);
  return {
    kind: 'ollama',
    chat: (request, options, { signal, headers }) => ollamaChat((body) => chat(body, signal, headers), request, options),

    async embed(input, { model, numCtx, keepAlive }, { signal, headers }) {
      const request = { model, input: [...input], truncate: false, keep_alive: keepAlive, options: { num_ctx: numCtx } };
      const { data } = embedResponse.safeParse(await client(signal, headers).embed(request));
      if (!data || data.embeddings.length !== input.length) throw new ProtocolError(`it has no vectors for ${input.length} texts`);
      const [load, total] = [data.load_duration / 1e6, data.total_duration / 1e6];
      return {
        embeddings: data.embeddings,
        model: logText(data.model, 200),
        promptTokens: data.prompt_eval_count,
        times: { load, work: Math.max(0, total - load) },
      };
    },

    async version(signal) {
      await key.refresh(); // each health check, so that a key can be rotated
      return parseVersion(await client(signal).version());
    },
    list: async (signal) => parseModelList(await client(signal).list()),
    async show(model, signal) {
      const info = await client(signal)
        .show({ model: model.name })
        .catch(() => undefined);
      return parseModelInfo(info, model, new URL(server.url).hostname);
    },
    resident: async (signal) => parseResident(await client(signal).ps()),

    async load(model, { numCtx, keepAlive, canChat }, signal) {
      const request = { model, keep_alive: keepAlive, options: { num_ctx: numCtx } };
      // Without messages or texts nothing is generated. A model that only makes embeddings refuses even an empty chat.
      if (canChat) await lastOf(await chat({ ...request, messages: [], stream: true }, signal));
      else await client(signal).embed({ ...request, input: [] });
    },

    async timeSlot(model, { numCtx, keepAlive }, signal) {
      // A unique prompt: a cached one takes no time.
      const messages = [{ role: 'user', content: `${crypto.randomUUID()} ${SLOT_PROBE_PROMPT}` }];
      const options = { num_ctx: numCtx, num_predict: 1 };
      const body = { model, messages, stream: true, think: false, keep_alive: keepAlive, options };
      const last = await lastOf(await chat(body, signal));
      const { total_duration: total, load_duration: load, prompt_eval_duration: prefill, eval_duration: decode } = durations.parse(last);
      return { waitedMs: Math.max(0, total - load - prefill - decode) / 1e6, workedMs: (prefill + decode) / 1e6 };
    },
    close,
  };
}

async function lastOf(lines: AnswerLines): Promise<AnswerLine | undefined> {
  let last: AnswerLine | undefined;
  for (let line = await lines.read(); line; line = await lines.read()) last = line;
  return last;
}

function connect({ url, authorization }: ServerOptions, key: ReturnType<typeof serverSecret>, stallMs: number, now: () => number) {
  const { redact } = key;
  const connections = connectTo(url, stallMs, now, redact);

  function authorized(): Readonly<Record<string, string>> {
    if (key.value !== undefined) return { authorization: `Bearer ${key.value}` };
    return authorization === undefined ? {} : { authorization };
  }

  /** Has only what the package uses of a response: web streams would cost as much as the rest of a request. */
  async function fetch(signal: AbortSignal, input: string, request: OutgoingRequest) {
    const text = await readText(await connections.send(input, request, signal));
    return { ok: true, json: async () => JSON.parse(text) as unknown };
  }

  return {
    /** Without the package, which would parse each line a second time. */
    async chat(body: ChatRequest, signal: AbortSignal, headers: Readonly<Record<string, string>> = {}): Promise<AnswerLines> {
      const sent = { ...headers, 'content-type': 'application/json', ...authorized() };
      const response = await connections.send(`${url}/api/chat`, { method: 'POST', headers: sent, body: JSON.stringify(body) }, signal);
      return answerLines(response.body, redact);
    },
    /** For one call. Aborting `signal` closes its connection; the package's own `abort` does nothing before the first token. */
    client: (signal: AbortSignal, headers: Readonly<Record<string, string>> = {}) =>
      new Ollama({
        host: url,
        fetch: ((input: string, request: OutgoingRequest) => fetch(signal, input, request)) as unknown as typeof globalThis.fetch,
        headers: { ...headers, ...authorized() },
      }),
    close: connections.close,
  };
}
