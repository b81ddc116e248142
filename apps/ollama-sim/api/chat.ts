import { isFields } from '../json-schema/schema.ts';
import type { Message } from '../answer/read-prompt.ts';
import { spokenName } from '../engine/model.ts';
import { HttpError, ollamaErrors } from '../errors.ts';
import { type ModelRequest, readModelRequest, readEarlyFields, readModel } from './model-request.ts';
import { type Body, flagIn, readBody, textIn } from '../http/body.ts';
import { complete, type Finish } from './completion.ts';
import { createdAt, type Exchange } from '../http/exchange.ts';
import { omitEmpty } from '../http/json.ts';
import { NDJSON, openJsonStream } from '../http/json-stream.ts';
import { type Logprob, logprobOf } from './logprobs.ts';
import { sendJson, sendWhole } from '../http/reply.ts';
import type { Route } from '../http/route.ts';

const FIELDS = {
  model: 'string',
  messages: '[]api.Message',
  stream: 'bool',
  tools: '[]api.Tool',
  options: 'map[string]interface {}',
  truncate: 'bool',
  shift: 'bool',
  logprobs: 'bool',
  top_logprobs: 'int',
} as const;

/** `POST /api/chat` */
export const chat: Route = {
  inference: true,
  run: async (exchange) => {
    const { server } = exchange;
    const body = readBody(exchange.body, 'ChatRequest', FIELDS);
    const early = readEarlyFields(body);
    const messages = readMessages(body);
    const name = textIn(body, 'model');
    if (name === '') throw new HttpError(400, 'model is required');
    const model = readModel(server, name, ollamaErrors.noModel);
    if (messages.length === 0 && early.keepAliveMs === 0) {
      server.engine.scheduler.expire(model.name);
      return sendJson(exchange, 200, emptyAnswer(exchange, spokenName(name), 'unload'));
    }
    await say(exchange, readModelRequest(model, name, messages, body, early, 'chat'), flagIn(body, 'stream', true));
  },
};

/** Parses the messages, roles in lower case. @throws HttpError 400 unless the content is text */
export const readMessages = (body: Body): readonly Message[] => {
  const messages = Array.isArray(body['messages']) ? body['messages'].filter(isFields) : [];
  return messages.map(({ role, content }) => {
    for (const [field, value] of Object.entries({ role, content })) {
      if (value != null && typeof value !== 'string') {
        throw new HttpError(
          400,
          `json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go struct field Message.messages.${field} of type string`,
        );
      }
    }
    return { role: typeof role === 'string' ? role.toLowerCase() : '', content: typeof content === 'string' ? content : '' };
  });
};

const emptyAnswer = (exchange: Exchange, model: string, reason: 'load' | 'unload'): object => ({
  model,
  created_at: createdAt(exchange),
  message: { role: 'assistant', content: '' },
  done: true,
  done_reason: reason,
});

const message = (content: string, thinking: string, finish?: Finish): object => ({
  role: 'assistant',
  content,
  ...omitEmpty({ thinking, tool_calls: finish?.toolCalls }),
});

const say = async (exchange: Exchange, ask: ModelRequest, streamed: boolean): Promise<void> => {
  const head = (): object => ({ model: ask.label, created_at: createdAt(exchange) });
  const lines = openJsonStream(exchange, NDJSON);
  const logprobs: Logprob[] = [];
  const heard = { thinking: '', content: '' };
  for await (const said of complete(ask, exchange)) {
    if (said.kind !== 'finish') {
      const one = ask.logprobs === undefined ? undefined : logprobOf(said.text, ask.logprobs);
      if (one !== undefined) logprobs.push(one);
      heard[said.kind] += said.text;
      const spoken = said.kind === 'content' ? message(said.text, '') : message('', said.text);
      if (streamed) await lines.write({ ...head(), message: spoken, done: false, ...omitEmpty({ logprobs: one && [one] }) });
    } else if (said.reason === 'load') {
      return sendJson(exchange, 200, emptyAnswer(exchange, ask.label, 'load'));
    } else if (streamed) {
      await lines.last({ ...head(), message: message('', '', said), done: true, done_reason: said.reason, ...said.counters }, said.done);
    } else {
      const begun = { ...head(), message: message(heard.content, heard.thinking, said) };
      const whole = { ...begun, done: true, done_reason: said.reason, ...omitEmpty({ logprobs }), ...said.counters };
      await sendWhole(exchange, whole, { ...begun, done: false }, said.done);
    }
  }
  if (streamed) exchange.response.end();
};
