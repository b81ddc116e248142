import { z } from 'zod';
import { spokenName } from '../engine/model-spec.ts';
import { HttpError, ollamaErrors } from '../errors.ts';
import { createdAt, type Exchange, field, readBody, type Route } from '../http/exchange.ts';
import { NDJSON, openJsonStream } from '../http/json-stream.ts';
import { omitEmpty, sendJson } from '../http/reply.ts';
import { complete, textOf } from './completion.ts';
import { commonFields, type ModelRequest, readModel, readModelRequest } from './model-request.ts';

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
    if (messages.length === 0 && body.keep_alive === 0) return unload(exchange, model.name, body.model);
    await send(exchange, readModelRequest(model, body, messages), body.stream);
  },
};

/** The field of an answer with its text. The order of fields is Ollama's. */
const messageOf = (content: string, thinking: string): object => ({
  message: { role: 'assistant', content, ...omitEmpty({ thinking }) },
});

const unload = (exchange: Exchange, model: string, asked: string): void => {
  exchange.server.engine.scheduler.expire(model);
  sendJson(exchange, 200, emptyAnswer(exchange, spokenName(asked), 'unload'));
};

/** The answer of a request that only loads or unloads the model. */
const emptyAnswer = (exchange: Exchange, model: string, reason: 'load' | 'unload'): object => ({
  model,
  created_at: createdAt(exchange),
  ...messageOf('', ''),
  done: true,
  done_reason: reason,
});

/** Completes a request and sends the answer, in one piece or as a stream of lines. */
const send = async (exchange: Exchange, ask: ModelRequest, isStreamed: boolean): Promise<void> => {
  const head = (): object => ({ model: ask.label, created_at: createdAt(exchange) });
  const stream = openJsonStream(exchange, NDJSON);
  for await (const event of complete(ask, exchange)) {
    if (event.kind !== 'finish') {
      const text = event.kind === 'content' ? messageOf(event.text, '') : messageOf('', event.text);
      if (isStreamed) await stream.write({ ...head(), ...text, done: false });
    } else if (event.reason === 'load') {
      return sendJson(exchange, 200, emptyAnswer(exchange, ask.label, 'load'));
    } else {
      const [content, thinking] = isStreamed ? ['', ''] : [textOf(event, 'content'), textOf(event, 'thinking')];
      const begun = { ...head(), ...messageOf(content, thinking) };
      const whole = { ...begun, done: true, done_reason: event.reason, ...event.counters };
      if (isStreamed) await stream.last(whole, event.done);
      else sendJson(exchange, 200, event.done ? whole : { ...begun, done: false });
    }
  }
  if (isStreamed) exchange.response.end();
};
