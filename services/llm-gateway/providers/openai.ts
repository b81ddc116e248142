import type { Data } from '@maw/contracts/contracts.ts';
import { z } from 'zod';
import type { ServerOptions } from '../server-options.ts';
import { estimateTokens } from '../request.ts';
import { sanitizeText } from '../sanitize-text.ts';
import { type AnswerCollector, answerCollector, checkedAnswer, messagesFor, samplingOptions } from './chat-answer.ts';
import { connectTo, type IncomingResponse, readText } from './connections.ts';
import { InvalidAnswer, ProtocolError, ServerError } from './errors.ts';
import { type Chunk, parseChunk, type Usage, usageOf } from './openai-chunk.ts';
import type { CallOptions, ChatOptions, ChatResult, EmbedResult, ListedModel, Provider } from './provider.ts';
import { serverSecret } from './secret.ts';
import { eventData } from './sse.ts';

const MAX_MODELS = 2_000;
/** Servers of this protocol refuse a higher temperature. */
const MAX_TEMPERATURE = 2;
/** How long a finished answer waits for its token counts and the end of the stream. */
const AFTER_FINISH_MS = 500;

/** The connection to one server. */
interface Client {
  send(path: string, body: object | undefined, call: CallOptions): Promise<IncomingResponse>;
  redact(text: string): string;
  now(): number;
}

/**
 * A server of the OpenAI protocol (`/v1/*`): OpenAI itself, vLLM, llama.cpp and others. It has no load-time options and keeps its models in memory,
 * as far as can be known. It reports no times: they are measured here.
 */
export function openai(server: ServerOptions, stallMs: number, now: () => number): Provider {
  const key = serverSecret(server);
  const connections = connectTo(server.url, stallMs, now, key.redact);
  const client: Client = {
    now,
    redact: key.redact,
    send(path, body, { signal, headers }) {
      const authorization = key.value === undefined ? server.authorization : `Bearer ${key.value}`;
      const request = {
        method: body ? 'POST' : 'GET',
        headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}), ...(authorization ? { authorization } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      };
      return connections.send(`${server.url}/v1/${path}`, request, signal);
    },
  };
  return {
    kind: 'openai',
    chat: (request, options, call) => chat(client, request, options, call),
    embed: (input, { model }, call) => embed(client, input, model, call),
    async version() {
      await key.refresh(); // each health check, so that a key can be rotated
      return undefined;
    },
    list: (signal) => listModels(client, signal),
    show: async () => undefined,
    resident: async () => 'all',
    load: async () => undefined,
    close: () => connections.close(),
  };
}

/** @throws ProtocolError naming `what` when it is not JSON */
async function readJson(response: IncomingResponse, what: string): Promise<unknown> {
  const text = await readText(response);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ProtocolError(`${what} is not JSON`);
  }
}

/** The chunks of an answer, also of a server that does not stream although it was asked to. */
async function* chunksOf(response: IncomingResponse, redact: (text: string) => string): AsyncGenerator<Chunk> {
  if (response.header('content-type')?.includes('application/json')) {
    yield parseChunk(await readJson(response, 'the answer'), redact);
    return;
  }
  for await (const data of eventData(response.body)) {
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      throw new ProtocolError('a line of the stream is not JSON');
    }
    yield parseChunk(value, redact);
  }
}

/** An answer that is being received. */
interface Progress {
  readonly text: AnswerCollector;
  model: string;
  /** Empty until the answer is finished. */
  finishReason: string;
  usage: Usage | undefined;
  firstAt: number | undefined;
  lastAt: number;
}

async function chat(client: Client, request: Data<'llm.complete'>, options: ChatOptions, call: CallOptions): Promise<ChatResult> {
  const sentAt = client.now();
  const text = answerCollector(request, options.onPiece);
  const progress: Progress = { text, model: options.model, finishReason: '', usage: undefined, firstAt: undefined, lastAt: sentAt };
  const response = await client.send('chat/completions', chatRequest(request, options), call);
  try {
    await receive(client, response, progress);
  } catch (error) {
    // How the connection of a finished answer ends does not matter.
    const isFatal = call.signal.aborted || error instanceof ServerError || error instanceof InvalidAnswer;
    if (progress.finishReason === '' || isFatal) throw error;
  }
  if (progress.finishReason === '') throw new (text.isEmpty ? ProtocolError : InvalidAnswer)('the stream ended without finish_reason');
  text.end();
  const { model, finishReason: reason, usage, lastAt, firstAt = lastAt } = progress;
  const tokens = {
    prompt: usage?.prompt_tokens ?? estimateTokens(request.messages.map(({ content }) => content)),
    completion: usage?.completion_tokens ?? estimateTokens([text.content, text.thinking]),
  };
  const times = { load: 0, prefill: Math.max(0, firstAt - sentAt), decode: Math.max(0, lastAt - firstAt) };
  return { ...checkedAnswer(text, { model, reason, tokens }, options.check), times };
}

async function receive({ now, redact }: Client, response: IncomingResponse, progress: Progress): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const { content, thinking, model, finishReason, usage } of chunksOf(response, redact)) {
      if (content !== '' || thinking !== '') {
        progress.lastAt = now();
        progress.firstAt ??= progress.lastAt;
        progress.text.add(content, thinking);
      }
      progress.model = model || progress.model;
      progress.finishReason = finishReason || progress.finishReason;
      progress.usage = usage ?? progress.usage;
      if (progress.finishReason !== '') timer ??= setTimeout(() => void response.body.cancel(), AFTER_FINISH_MS);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Built field by field, as for Ollama: nothing of the caller gets through but what is named. */
const chatRequest = (request: Data<'llm.complete'>, { model, maxTokens, repairHint }: ChatOptions) => {
  const { temperature, ...sampling } = samplingOptions(request, repairHint);
  return {
    model,
    messages: messagesFor(request, repairHint),
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: maxTokens,
    ...(temperature === undefined ? {} : { temperature: Math.min(temperature, MAX_TEMPERATURE) }),
    ...sampling,
    ...(request.format === undefined ? {} : { response_format: responseFormat(request.format) }),
  };
};

const responseFormat = (format: NonNullable<Data<'llm.complete'>['format']>) =>
  format === 'json'
    ? { type: 'json_object' }
    : { type: 'json_schema', json_schema: { name: 'answer', strict: isStrict(format), schema: format } };

const embeddings = z.object({
  data: z.array(z.object({ embedding: z.array(z.number()), index: z.int() })),
  model: z.string().catch('unknown'),
  usage: usageOf.optional().catch(undefined),
});

async function embed(client: Client, input: readonly string[], model: string, call: CallOptions): Promise<EmbedResult> {
  const sentAt = client.now();
  const response = await client.send('embeddings', { model, input: [...input] }, call);
  const { data } = embeddings.safeParse(await readJson(response, 'the answer'));
  const sorted = data?.data.toSorted((a, b) => a.index - b.index);
  if (!data || sorted?.length !== input.length || sorted.some(({ index }, i) => index !== i))
    throw new ProtocolError(`it has no vectors for ${input.length} texts`);
  return {
    embeddings: sorted.map(({ embedding }) => embedding),
    model: sanitizeText(data.model, 200),
    promptTokens: data.usage?.prompt_tokens ?? estimateTokens(input),
    times: { load: 0, work: Math.max(0, client.now() - sentAt) },
  };
}

const modelList = z.object({ data: z.array(z.unknown()) });
const modelEntry = z.object({ id: z.string() });

async function listModels(client: Client, signal: AbortSignal): Promise<readonly ListedModel[]> {
  const { data } = modelList.safeParse(
    await readJson(await client.send('models', undefined, { signal, headers: {} }), 'its list of models'),
  );
  if (!data) throw new Error('its /v1/models is no list of models');
  return data.data.slice(0, MAX_MODELS).flatMap((entry): readonly ListedModel[] => {
    const { data: known } = modelEntry.safeParse(entry);
    if (!known) return [];
    return [{ name: known.id, digest: '', family: '', capabilities: capabilitiesOf(known.id), isRemote: false }];
  });
}

/** The list does not say what a model can do; its name often does. */
const EMBEDS = /embed|\bbge\b|\be5\b/i;
const CANNOT_CHAT = /rerank|whisper|transcribe|\btts\b|moderation|dall-e|image|realtime/i;
const capabilitiesOf = (model: string): readonly string[] =>
  EMBEDS.test(model) ? ['embedding'] : CANNOT_CHAT.test(model) ? [] : ['completion'];

/**
 * Whether servers of the OpenAI protocol can enforce a schema strictly: every object in it must require all its properties and allow no others.
 * They refuse to be strict about any other schema.
 */
export function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (typeof schema !== 'object' || schema === null) return true;
  const { type, properties, required, additionalProperties } = schema as { [keyword: string]: unknown };
  if (typeof properties === 'object' && properties !== null) {
    const names = Array.isArray(required) ? required : [];
    if (additionalProperties !== false || !Object.keys(properties).every((name) => names.includes(name))) return false;
  } else if (type === 'object') return false;
  return Object.values(schema).every(isStrict);
}
