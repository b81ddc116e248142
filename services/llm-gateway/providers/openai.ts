import type { Data } from '@maw/contracts/contracts.ts';
import { z } from 'zod';
import type { ServerOptions } from '../server-options.ts';
import { estimateTokens } from '../request.ts';
import { logText } from '@maw/text/sanitize-text.ts';
import { type AnswerCollector, answerCollector, checkedAnswer, messagesFor, samplingOptions, tokensFor } from './chat-answer.ts';
import { connectTo, type IncomingResponse, readText } from './connections.ts';
import { InvalidAnswer, ProtocolError, ServerError } from './errors.ts';
import { type Takes, takesOf } from './families/families.ts';
import { type Chunk, parseChunk, type Usage, usageOf } from './openai-chunk.ts';
import type { CallOptions, ChatOptions, ChatResult, EmbedResult, ListedModel, ModelDetails, Provider } from './provider.ts';
import { serverSecret } from './secret.ts';
import { eventData } from './sse.ts';
import { openaiToolFields, toolsField } from './families/tools.ts';

const MAX_MODELS = 2_000;
/** Servers of this protocol refuse a higher temperature. */
const MAX_TEMPERATURE = 2;
/** How long a finished answer waits for its token counts and the end of the stream. */
const AFTER_FINISH_MS = 500;

/** The connection to one server. */
interface Client {
  /** @param path from the version of the API on; from the address of the server on when it begins with a slash */
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
      const base = hasVersion(server.url) ? server.url : `${server.url}/v1`;
      return connections.send(path.startsWith('/') ? server.url + path : `${base}/${path}`, request, signal);
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
    show: (model, signal) => showModel(client, new URL(server.url).hostname, model, signal),
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
  const isWrapped = wrapsAnswer(request, options.takes);
  const text = answerCollector(request, isWrapped ? () => undefined : options.onPiece);
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
  const { content, thinking, toolCalls } = text;
  const answer = isWrapped ? { content: unwrapped(content), thinking, toolCalls } : text;
  if (isWrapped) options.onPiece(answer.content);
  return { ...checkedAnswer(answer, { model, reason, tokens }, { ...request, check: options.check }), times };
}

async function receive({ now, redact }: Client, response: IncomingResponse, progress: Progress): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const { content, thinking, toolCalls, model, finishReason, usage } of chunksOf(response, redact)) {
      if (content !== '' || thinking !== '') {
        progress.lastAt = now();
        progress.firstAt ??= progress.lastAt;
        progress.text.add(content, thinking);
      }
      progress.text.addCalls(toolCalls);
      progress.model = model || progress.model;
      progress.finishReason = finishReason || progress.finishReason;
      progress.usage = usage ?? progress.usage;
      if (progress.finishReason !== '') timer ??= setTimeout(() => void response.body.cancel(), AFTER_FINISH_MS);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a path names the version of the API: Gemini's ends with `/v1beta/openai`, and `/v1` comes after others. */
const hasVersion = (url: string): boolean => /\/v\d/.test(url);

/** Built field by field, as for Ollama: nothing of the caller gets through but what is named. What the model refuses is left out. */
function chatRequest(request: Data<'llm.complete'>, { model, takes, maxTokens, repairHint }: ChatOptions) {
  const { temperature, ...sampling } = samplingOptions(request, repairHint);
  const isThinking = takes.thinking === 'levels' || takes.thinking === 'always';
  const optional = {
    ...(temperature === undefined ? {} : { temperature: Math.min(temperature, MAX_TEMPERATURE) }),
    ...sampling,
    ...(takes.thinking === 'levels' ? { reasoning_effort: request.think ? 'medium' : 'low' } : {}),
    stream_options: { include_usage: true },
  };
  return {
    model,
    messages: messagesFor(request, repairHint, takes, openaiToolFields),
    ...toolsField(request),
    ...(request.mustCall ? { tool_choice: 'required' } : {}),
    stream: true,
    [takes.limit]: tokensFor(maxTokens, isThinking),
    ...Object.fromEntries(Object.entries(optional).filter(([name]) => !takes.without.includes(name))),
    ...(request.format === undefined || takes.format === 'none' ? {} : { response_format: responseFormat(request.format, takes) }),
  };
}

type Format = NonNullable<Data<'llm.complete'>['format']>;

function responseFormat(format: Format, takes: Takes) {
  if (format === 'json' || takes.format === 'json') return { type: 'json_object' };
  const schema = wrapsAnswer({ format }, takes)
    ? { type: 'object', properties: { [WRAPPED]: format }, required: [WRAPPED], additionalProperties: false }
    : format;
  return { type: 'json_schema', json_schema: { name: 'answer', strict: isStrict(schema), schema } };
}

/** The only property of an object around an answer that may be something else. */
const WRAPPED = 'answer';

const wrapsAnswer = ({ format }: Pick<Data<'llm.complete'>, 'format'>, takes: Takes): boolean =>
  takes.format === 'object' && typeof format === 'object' && (format['type'] !== 'object' || 'anyOf' in format);

/** The text of the answer itself; what is no such object stays as it is. */
function unwrapped(content: string): string {
  try {
    const { [WRAPPED]: answer } = JSON.parse(content) as { [WRAPPED]?: unknown };
    return answer === undefined ? content : JSON.stringify(answer);
  } catch {
    return content;
  }
}

/** llama.cpp shows the template of its one model. */
const props = z.object({ chat_template: z.string().optional().catch(undefined) });
const LLAMA_CPP = 'llamacpp';

async function showModel(client: Client, host: string, listed: ListedModel, signal: AbortSignal): Promise<ModelDetails> {
  const { name: model, family, capabilities, owner } = listed;
  const read = async () =>
    props.safeParse(await readJson(await client.send('/props', undefined, { signal, headers: {} }), 'what it shows')).data?.chat_template;
  const template = owner === LLAMA_CPP ? await read().catch(() => undefined) : undefined;
  return { capabilities, family, takes: takesOf({ kind: 'openai', host, model, family, capabilities, template }) };
}

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
    model: logText(data.model, 200),
    promptTokens: data.usage?.prompt_tokens ?? estimateTokens(input),
    times: { load: 0, work: Math.max(0, client.now() - sentAt) },
  };
}

const modelList = z.object({ data: z.array(z.unknown()) });
const modelEntry = z.object({ id: z.string(), owned_by: z.string().optional().catch(undefined) });

async function listModels(client: Client, signal: AbortSignal): Promise<readonly ListedModel[]> {
  const { data } = modelList.safeParse(
    await readJson(await client.send('models', undefined, { signal, headers: {} }), 'its list of models'),
  );
  if (!data) throw new Error('its /v1/models is no list of models');
  return data.data.slice(0, MAX_MODELS).flatMap((entry): readonly ListedModel[] => {
    const { data: known } = modelEntry.safeParse(entry);
    if (!known) return [];
    return [{ name: known.id, digest: '', family: '', capabilities: capabilitiesOf(known.id), owner: known.owned_by, isRemote: false }];
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
