import type { Message } from '../answer/read-prompt.ts';
import { chunksOf } from '../engine/prompt-chunks.ts';
import { spokenName } from '../engine/model.ts';
import { HttpError, ollamaErrors } from '../errors.ts';
import { type ModelRequest, readModelRequest, readEarlyFields, readModel } from './model-request.ts';
import { type Body, flagIn, readBody, textIn } from '../http/body.ts';
import { complete } from './completion.ts';
import { createdAt, type Exchange } from '../http/exchange.ts';
import { omitEmpty } from '../http/json.ts';
import { NDJSON, openJsonStream } from '../http/json-stream.ts';
import { type Logprob, logprobOf } from './logprobs.ts';
import { sendJson, sendWhole } from '../http/reply.ts';
import type { Route } from '../http/route.ts';

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
      return sendJson(exchange, 200, emptyAnswer(exchange, spokenName(name), 'unload'));
    }
    if (raw && (textIn(body, 'template') !== '' || textIn(body, 'system') !== '' || context(body).length > 0)) {
      throw new HttpError(400, 'raw mode does not support template, system, or context');
    }
    const ask = readModelRequest(model, name, messages(body), body, early, 'generate');
    await say(exchange, ask, flagIn(body, 'stream', true), raw ? undefined : context(body));
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

const emptyAnswer = (exchange: Exchange, model: string, reason: 'load' | 'unload'): object => ({
  model,
  created_at: createdAt(exchange),
  response: '',
  done: true,
  done_reason: reason,
});

const VOCABULARY = 128_000;

/** `context`: one arbitrary number per token. */
const tokensAsNumbers = (before: readonly number[], text: string, count: number): readonly number[] => {
  const hashes = chunksOf(text.padEnd(64));
  return [...before, ...Array.from({ length: count }, (_, at) => ((hashes[at % hashes.length] ?? 0) + at * 7919) % VOCABULARY)];
};

const say = async (exchange: Exchange, ask: ModelRequest, streamed: boolean, before: readonly number[] | undefined): Promise<void> => {
  const head = (): object => ({ model: ask.label, created_at: createdAt(exchange) });
  const lines = openJsonStream(exchange, NDJSON);
  const logprobs: Logprob[] = [];
  const heard = { thinking: '', content: '' };
  for await (const said of complete(ask, exchange)) {
    if (said.kind !== 'finish') {
      const one = ask.logprobs === undefined ? undefined : logprobOf(said.text, ask.logprobs);
      if (one !== undefined) logprobs.push(one);
      heard[said.kind] += said.text;
      const spoken = said.kind === 'content' ? { response: said.text } : { response: '', thinking: said.text };
      if (streamed) await lines.write({ ...head(), ...spoken, done: false, ...omitEmpty({ logprobs: one && [one] }) });
    } else if (said.reason === 'load') {
      return sendJson(exchange, 200, emptyAnswer(exchange, ask.label, 'load'));
    } else {
      const numbers = before === undefined ? undefined : tokensAsNumbers(before, heard.content, said.promptTokens + said.tokens);
      const end = { done: true, done_reason: said.reason, ...omitEmpty({ context: numbers }), ...said.counters };
      const begun = { ...head(), response: streamed ? '' : heard.content, ...omitEmpty({ thinking: streamed ? '' : heard.thinking }) };
      if (streamed) await lines.last({ ...begun, ...end }, said.done);
      else await sendWhole(exchange, { ...begun, ...end, ...omitEmpty({ logprobs }) }, { ...begun, done: false }, said.done);
    }
  }
  if (streamed) exchange.response.end();
};
