import type { Message } from '../answer/read-prompt.ts';
import { spokenName } from '../engine/model-spec.ts';
import { HttpError, ollamaErrors } from '../errors.ts';
import { readModelRequest, readEarlyFields, readModel } from './model-request.ts';
import { type Body, flagIn, listIn, readBody, requireKinds, textIn } from '../http/body.ts';
import { omitEmpty } from '../http/json.ts';
import { sendJson } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import { type AnswerFormat, emptyAnswer, sendAnswer } from './native-answer.ts';

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
      return sendJson(exchange, 200, emptyAnswer(exchange, spokenName(name), 'unload', format));
    }
    await sendAnswer(exchange, readModelRequest(model, name, messages, body, early, 'chat'), flagIn(body, 'stream', true), format);
  },
};

/** Parses the messages, roles in lower case. @throws HttpError 400 unless the content is text */
const readMessages = (body: Body): readonly Message[] =>
  listIn(body, 'messages').map((message) => {
    requireKinds(message, 'Message.messages', { role: 'string', content: 'string' });
    return { role: textIn(message, 'role').toLowerCase(), content: textIn(message, 'content') };
  });

const format: AnswerFormat = {
  text: (content, thinking, finish) => ({
    message: { role: 'assistant', content, ...omitEmpty({ thinking, tool_calls: finish?.toolCalls }) },
  }),
  end: ({ counters }, _, logprobs) => ({ ...omitEmpty({ logprobs }), ...counters }),
};
