import { z } from 'zod';
import { CHARS_PER_TOKEN, failRunner, tokenCount } from '../engine/infer.ts';
import { spokenName } from '../engine/model-spec.ts';
import { readOptions } from '../engine/model-options.ts';
import type { Lease } from '../engine/scheduler.ts';
import { HttpError, ollamaErrors } from '../errors.ts';
import { type Exchange, field, readBody, type Route } from '../http/exchange.ts';
import { nanoseconds, omitEmpty, sendJson } from '../http/reply.ts';
import { seededRandom } from '../seeded-random.ts';
import { keepAlive, readModel } from './model-request.ts';
import { openaiError } from './models.ts';

const fields = {
  model: field.text,
  truncate: field.flag(true),
  dimensions: field.whole,
  options: field.any,
  keep_alive: keepAlive,
};
type Fields = z.output<z.ZodObject<typeof fields>>;

/** The texts to embed. */
const inputs = z
  .union([z.string().transform((text) => (text === '' ? [] : [text])), z.array(z.string())], { error: 'invalid input type' })
  .nullish()
  .transform((texts) => texts ?? []);

interface Embedded {
  readonly vectors: readonly (readonly number[])[];
  readonly tokens: number;
  readonly loadMs: number;
}

/** `POST /api/embed` */
export const embed: Route = {
  inference: true,
  run: async (exchange) => {
    const body = readBody(exchange, z.object({ ...fields, input: inputs }));
    const { vectors, tokens, loadMs } = await embedAll(exchange, body, body.input);
    const totalMs = exchange.server.engine.clock.now() - exchange.startedAt;
    const counters = { total_duration: nanoseconds(totalMs), load_duration: nanoseconds(loadMs), prompt_eval_count: tokens };
    sendJson(exchange, 200, { model: spokenName(body.model), embeddings: vectors, ...omitEmpty(counters) });
  },
};

/** `POST /v1/embeddings` */
export const openaiEmbeddings: Route = {
  inference: true,
  error: openaiError,
  run: async (exchange) => {
    const body = readBody(exchange, z.object({ ...fields, input: inputs, encoding_format: field.text }));
    if (body.input.length === 0) throw new HttpError(400, 'invalid input');
    const { vectors, tokens } = await embedAll(exchange, body, body.input);
    const encode = (vector: readonly number[]): unknown =>
      body.encoding_format === 'base64' ? Buffer.from(Float32Array.from(vector).buffer).toString('base64') : vector;
    const data = vectors.map((vector, index) => ({ object: 'embedding', embedding: encode(vector), index }));
    const usage = { prompt_tokens: tokens, total_tokens: tokens };
    sendJson(exchange, 200, { object: 'list', data, model: spokenName(body.model), usage });
  },
};

/** Embeds the texts in parallel, each in its own slot. @throws HttpError */
const embedAll = async (exchange: Exchange, body: Fields, given: readonly string[]): Promise<Embedded> => {
  const { server, client, startedAt, fault } = exchange;
  const { engine } = server;
  if (body.model === '') throw ollamaErrors.noModelTryPull('');
  const model = readModel(server, body.model, ollamaErrors.noModelTryPull);
  const options = readOptions(body.options);
  if (fault?.name === 'bad-input') throw ollamaErrors.badInput();
  const failLoad = fault?.name === 'load-failed';
  const lease = await engine.scheduler.take({ model, options, keepAliveMs: body.keep_alive, client, failLoad });
  try {
    const loadMs = engine.clock.now() - startedAt;
    const { numCtx } = lease.runner;
    if (!body.truncate && given.some((text) => tokenCount(text) > numCtx))
      throw new HttpError(400, 'the input length exceeds the context length');
    const texts = given.map((text) => text.slice(0, numCtx * CHARS_PER_TOKEN));
    failRunner({ fault, lease, client }, engine);
    const results = await Promise.allSettled(texts.map((text) => evaluate(exchange, lease, text)));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    const dimensions = Math.min(body.dimensions || model.dimensions, model.dimensions);
    const vectors = texts.map((text) => unitVector(text, dimensions));
    return { vectors, tokens: texts.reduce((sum, text) => sum + tokenCount(text), 0), loadMs };
  } finally {
    lease.release();
  }
};

const evaluate = async ({ server, client, fault }: Exchange, lease: Lease, text: string): Promise<void> => {
  const { clock, speed } = server.engine;
  client.stage = 'waiting';
  const slot = await lease.runner.slots.take(client.signal);
  try {
    client.stage = 'prefill';
    await clock.wait(tokenCount(text) * speed.prefillMsPerToken, client.signal);
    client.signal.throwIfAborted();
  } finally {
    if (fault?.name === 'wedge') slot.wedge();
    else slot.release();
  }
};

/** What a text alone determines: alike texts do not lie close together. */
function unitVector(text: string, dimensions: number): readonly number[] {
  const random = seededRandom(text);
  const values = Array.from({ length: dimensions }, () => random.next() - 0.5);
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}
