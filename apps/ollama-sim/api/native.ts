import { z } from 'zod';
import type { ChatMessage } from '../answer/answer.ts';
import { spokenName } from '../engine/model-spec.ts';
import { HttpError, ollamaErrors } from '../errors.ts';
import { createdAt, type Exchange, field, readBody, type Route } from '../http/exchange.ts';
import { NDJSON, openJsonStream } from '../http/json-stream.ts';
import { omitEmpty, sendJson, sendWhole } from '../http/reply.ts';
import { complete, type Finish, textOf } from './completion.ts';
import { commonFields, type ModelRequest, readModel, readModelRequest } from './model-request.ts';

/** How one native endpoint writes an answer. The order of fields is Ollama's. */
interface AnswerFormat {
  text(content: string, thinking: string, finish?: Finish): object;
  /** The fields after `done_reason`. */
  end(finish: Finish): object;
}

const message = z.object({ role: field.text.transform((role) => role.toLowerCase()), content: field.text });
const chatBody = z.object({ ...commonFields, messages: z.array(message).nullish() });

/** `POST /api/chat` */
export const chat: Route = {
  inference: true,
  run: async (exchange) => {
    const body = readBody(exchange, chatBody);
    if (body.model === '') throw new HttpError(400, 'model is required');
    const model = readModel(exchange.server, body.model, ollamaErrors.noModel);
    const messages = body.messages ?? [];
    if (messages.length === 0 && body.keep_alive === 0) return unload(exchange, model.name, body.model, chatFormat);
    await send(exchange, readModelRequest(model, body, messages, 'chat'), body.stream, chatFormat);
  },
};

const chatFormat: AnswerFormat = {
  text: (content, thinking, finish) => ({
    message: { role: 'assistant', content, ...omitEmpty({ thinking, tool_calls: finish?.toolCalls }) },
  }),
  end: ({ counters }) => counters,
};

const generateBody = z.object({
  ...commonFields,
  prompt: field.text,
  system: field.text,
  template: field.text,
  raw: field.flag(false),
  context: z.array(z.int()).nullish(),
});

/** `POST /api/generate` */
export const generate: Route = {
  inference: true,
  run: async (exchange) => {
    const body = readBody(exchange, generateBody);
    const { prompt, system, raw } = body;
    const before = body.context ?? [];
    if (body.model === '') throw ollamaErrors.noModel('');
    const model = readModel(exchange.server, body.model, ollamaErrors.noModel);
    if (prompt === '' && body.keep_alive === 0) return unload(exchange, model.name, body.model, generateFormat(undefined));
    if (raw && (body.template !== '' || system !== '' || before.length > 0))
      throw new HttpError(400, 'raw mode does not support template, system, or context');
    const user: ChatMessage = { role: 'user', content: prompt };
    const messages = prompt === '' ? [] : system === '' ? [user] : [{ role: 'system', content: system }, user];
    await send(exchange, readModelRequest(model, body, messages, 'generate'), body.stream, generateFormat(raw ? undefined : before));
  },
};

/** @param before the tokens of the context so far, which grows by one arbitrary number per token; undefined: no context */
const generateFormat = (before: readonly number[] | undefined): AnswerFormat => ({
  text: (content, thinking) => ({ response: content, ...omitEmpty({ thinking }) }),
  end: ({ promptTokens, tokens, counters }) => {
    const context = before && [...before, ...Array.from({ length: promptTokens + tokens }, (_, at) => at)];
    return { ...omitEmpty({ context }), ...counters };
  },
});

const unload = (exchange: Exchange, model: string, asked: string, format: AnswerFormat): void => {
  exchange.server.engine.scheduler.expire(model);
  sendJson(exchange, 200, emptyAnswer(exchange, spokenName(asked), 'unload', format));
};

/** The answer of a request that only loads or unloads the model. */
const emptyAnswer = (exchange: Exchange, model: string, reason: 'load' | 'unload', { text }: AnswerFormat): object => ({
  model,
  created_at: createdAt(exchange),
  ...text('', ''),
  done: true,
  done_reason: reason,
});

/** Completes a request and sends the answer, in one piece or as a stream of lines. */
const send = async (exchange: Exchange, ask: ModelRequest, isStreamed: boolean, format: AnswerFormat): Promise<void> => {
  const head = (): object => ({ model: ask.label, created_at: createdAt(exchange) });
  const stream = openJsonStream(exchange, NDJSON);
  for await (const event of complete(ask, exchange)) {
    if (event.kind !== 'finish') {
      const text = event.kind === 'content' ? format.text(event.text, '') : format.text('', event.text);
      if (isStreamed) await stream.write({ ...head(), ...text, done: false });
    } else if (event.reason === 'load') {
      return sendJson(exchange, 200, emptyAnswer(exchange, ask.label, 'load', format));
    } else {
      const [content, thinking] = isStreamed ? ['', ''] : [textOf(event, 'content'), textOf(event, 'thinking')];
      const begun = { ...head(), ...format.text(content, thinking, event) };
      const whole = { ...begun, done: true, done_reason: event.reason, ...format.end(event) };
      if (isStreamed) await stream.last(whole, event.done);
      else await sendWhole(exchange, whole, { ...begun, done: false }, event.done);
    }
  }
  if (isStreamed) exchange.response.end();
};
