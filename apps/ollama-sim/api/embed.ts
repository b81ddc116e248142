import { embed as vectorOf, shortened } from '../answer/text-vector.ts';
import { type Engine, failRunner } from '../engine/infer.ts';
import { type Model, spokenName } from '../engine/model-spec.ts';
import { type ModelOptions, readOptions } from '../engine/model-options.ts';
import { charsOf, chunksOf, tokenCount } from '../engine/prompt-chunks.ts';
import type { Lease } from '../engine/runners.ts';
import { HttpError, ollamaErrors } from '../errors.ts';
import { numberIn } from '../json-schema/schema.ts';
import { readModel } from './model-request.ts';
import { type Body, fieldsIn, flagIn, readBody, textIn } from '../http/body.ts';
import { keepAliveMs } from './keep-alive.ts';
import type { Exchange } from '../http/exchange.ts';
import { nanoseconds, omitEmpty } from '../http/json.ts';
import { sendWhole } from '../http/reply.ts';
import type { Route } from '../http/route.ts';

const FIELDS = { model: 'string', truncate: 'bool', dimensions: 'int', options: 'map[string]interface {}' } as const;

export interface EmbedRequest {
  readonly model: Model;
  readonly options: ModelOptions;
  readonly keepAliveMs: number | undefined;
  readonly inputs: readonly string[];
  readonly truncate: boolean;
  /** 0: all of the model's. */
  readonly dimensions: number;
}

interface Embedded {
  readonly vectors: readonly (readonly number[])[];
  readonly tokens: number;
  readonly loadMs: number;
}

/** `POST /api/embed` */
export const embed: Route = {
  inference: true,
  run: async (exchange) => {
    const body = readBody(exchange.body, 'EmbedRequest', FIELDS);
    const inputs = readInputs(body['input']);
    const name = textIn(body, 'model');
    const { vectors, tokens, loadMs } = await embedAll(exchange, { ...common(exchange, body, name), inputs });
    const totalMs = exchange.server.engine.clock.now() - exchange.startedAt;
    const counters = { total_duration: nanoseconds(totalMs), load_duration: nanoseconds(loadMs), prompt_eval_count: tokens };
    await send(exchange, { model: spokenName(name), embeddings: vectors, ...omitEmpty(counters) });
  },
};

/** `POST /api/embeddings`: the old API with one prompt. */
export const embeddings: Route = {
  inference: true,
  run: async (exchange) => {
    const body = readBody(exchange.body, 'EmbeddingRequest', { ...FIELDS, prompt: 'string' });
    const prompt = textIn(body, 'prompt');
    const ask = { ...common(exchange, body, textIn(body, 'model')), inputs: prompt === '' ? [] : [prompt] };
    const { vectors } = await embedAll(exchange, ask);
    await send(exchange, { embedding: vectors[0] ?? [] });
  },
};

const send = (exchange: Exchange, value: object): Promise<void> => sendWhole(exchange, value, value, true);

const common = ({ server }: Exchange, body: Body, name: string): Omit<EmbedRequest, 'inputs'> => {
  const keep = keepAliveMs(body['keep_alive']);
  if (name === '') throw ollamaErrors.noModelTryPull(name);
  const model = readModel(server, name, ollamaErrors.noModelTryPull);
  const options = readOptions(fieldsIn(body, 'options'));
  return { model, options, keepAliveMs: keep, truncate: flagIn(body, 'truncate', true), dimensions: numberIn(body, 'dimensions') ?? 0 };
};

/** The texts to embed. @throws HttpError 400 */
export const readInputs = (input: unknown): readonly string[] => {
  if (input === undefined || input === null || input === '') return [];
  if (typeof input === 'string') return [input];
  if (Array.isArray(input) && input.every((one) => typeof one === 'string')) return input;
  throw new HttpError(400, 'invalid input type');
};

/** Embeds the inputs in parallel, each in its own slot. @throws HttpError */
export const embedAll = async (exchange: Exchange, ask: EmbedRequest): Promise<Embedded> => {
  const { server, client, startedAt, fault } = exchange;
  const { engine } = server;
  if (fault?.name === 'bad-input') throw ollamaErrors.badInput();
  const lease = await engine.scheduler.take({ ...ask, shift: true, client, failLoad: fault?.name === 'load-failed' });
  try {
    const loadMs = engine.clock.now() - startedAt;
    const { numCtx } = lease.runner;
    if (!ask.truncate && ask.inputs.some((input) => tokenCount(input) > numCtx))
      throw new HttpError(400, 'the input length exceeds the context length');
    const texts = ask.inputs.map((input) => input.slice(0, charsOf(numCtx)));
    failRunner({ fault, lease, client }, engine);
    const results = await Promise.allSettled(texts.map((text) => evaluate(exchange, lease, engine, text)));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    const vectors = texts.map((text) => {
      const vector = vectorOf(text, ask.model.dimensions);
      return ask.dimensions > 0 && ask.dimensions < vector.length ? shortened(vector, ask.dimensions) : vector;
    });
    return { vectors, tokens: texts.reduce((sum, text) => sum + tokenCount(text), 0), loadMs };
  } finally {
    lease.release();
  }
};

const evaluate = async ({ client, fault }: Exchange, lease: Lease, { clock, speed }: Engine, text: string): Promise<void> => {
  client.stage = 'waiting';
  const grant = await lease.runner.slots.take(chunksOf(text), client);
  try {
    client.stage = 'prefill';
    await clock.wait(tokenCount(text) * speed.prefillMsPerToken, client.signal);
    client.signal.throwIfAborted();
  } finally {
    if (fault?.name === 'wedge') grant.wedge();
    else grant.release();
  }
};
