import type { Message } from '../answer/read-prompt.ts';
import { chunksOf } from '../engine/prompt-chunks.ts';
import { spokenName } from '../engine/model-spec.ts';
import { HttpError, ollamaErrors } from '../errors.ts';
import { readModelRequest, readEarlyFields, readModel } from './model-request.ts';
import { type Body, flagIn, readBody, textIn } from '../http/body.ts';
import { omitEmpty } from '../http/json.ts';
import { sendJson } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import { type AnswerFormat, emptyAnswer, sendAnswer } from './native-answer.ts';

const FIELDS = {
  model: 'string',
  prompt: 'string',
  suffix: 'string',
  system: 'string',
  template: 'string',
  context: '[]int',
  stream: 'bool',
  raw: 'bool',
  options: 'map[string]interface {}',
  truncate: 'bool',
  shift: 'bool',
  logprobs: 'bool',
  top_logprobs: 'int',
} as const;

/** `POST /api/generate` */
export const generate: Route = {
  inference: true,
  run: async (exchange) => {
    const { server } = exchange;
    const body = readBody(exchange.body, 'GenerateRequest', FIELDS);
    const early = readEarlyFields(body);
    const name = textIn(body, 'model');
    if (name === '') throw ollamaErrors.noModel(name);
    const model = readModel(server, name, ollamaErrors.noModel);
    const raw = flagIn(body, 'raw', false);
    if (textIn(body, 'prompt') === '' && early.keepAliveMs === 0) {
      server.engine.scheduler.expire(model.name);
      return sendJson(exchange, 200, emptyAnswer(exchange, spokenName(name), 'unload', formatFor(undefined)));
    }
    if (raw && (textIn(body, 'template') !== '' || textIn(body, 'system') !== '' || context(body).length > 0)) {
      throw new HttpError(400, 'raw mode does not support template, system, or context');
    }
    const ask = readModelRequest(model, name, messages(body), body, early, 'generate');
    await sendAnswer(exchange, ask, flagIn(body, 'stream', true), formatFor(raw ? undefined : context(body)));
  },
};

const context = (body: Body): readonly number[] =>
  Array.isArray(body['context']) ? body['context'].filter((token) => typeof token === 'number') : [];

const messages = (body: Body): readonly Message[] => {
  const prompt = textIn(body, 'prompt');
  if (prompt === '') return [];
  const system = textIn(body, 'system');
  return [...(system === '' ? [] : [{ role: 'system', content: system }]), { role: 'user', content: prompt }];
};

const VOCABULARY = 128_000;

/** `context`: one arbitrary number per token. */
const tokensAsNumbers = (before: readonly number[], text: string, count: number): readonly number[] => {
  const hashes = chunksOf(text.padEnd(64));
  return [...before, ...Array.from({ length: count }, (_, at) => ((hashes[at % hashes.length] ?? 0) + at * 7919) % VOCABULARY)];
};

/** @param before the tokens of the context so far; undefined: no context */
const formatFor = (before: readonly number[] | undefined): AnswerFormat => ({
  text: (content, thinking) => ({ response: content, ...omitEmpty({ thinking }) }),
  end: ({ promptTokens, tokens, counters }, content, logprobs) => {
    const numbers = before === undefined ? undefined : tokensAsNumbers(before, content, promptTokens + tokens);
    return { ...omitEmpty({ context: numbers }), ...counters, ...omitEmpty({ logprobs }) };
  },
});
