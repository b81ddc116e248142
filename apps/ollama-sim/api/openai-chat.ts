import { z } from 'zod';
import { HttpError, ollamaErrors } from '../errors.ts';
import { type Exchange, field, readBody, type Route } from '../http/exchange.ts';
import { type Framing, openJsonStream } from '../http/json-stream.ts';
import { omitEmpty, sendJson, write } from '../http/reply.ts';
import { complete, type Finish, textOf } from './completion.ts';
import { type ModelRequest, readModel, readModelRequest } from './model-request.ts';
import { openaiError } from './models.ts';

/** What `reasoning_effort` is in the native API. */
const EFFORTS: Readonly<Record<string, ModelRequest['think'] | false>> = {
  none: false,
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  max: 'max',
  xhigh: 'max',
  ultra: 'max',
};

const textPart = z.object({ type: z.literal('text'), text: z.string() }).transform(({ text }) => text);
const imagePart = z.object({ type: z.literal('image_url'), image_url: z.unknown() }).transform(() => '');
const chatMessage = z.object({
  role: field.text.transform((role) => role.toLowerCase()),
  content: z
    .union([z.string(), z.array(z.union([textPart, imagePart], { error: 'invalid message format' })).transform((parts) => parts.join(''))])
    .nullish()
    .transform((content) => content ?? ''),
});
const number = z.number().nullish();
const body = z.object({
  model: field.text,
  messages: z.array(chatMessage).min(1, "[] is too short - 'messages'"),
  stream: field.flag(false),
  stream_options: z.object({ include_usage: field.flag(false) }).nullish(),
  reasoning_effort: field.text.refine((effort) => effort === '' || Object.hasOwn(EFFORTS, effort), 'invalid reasoning value'),
  response_format: z.object({ type: z.string(), json_schema: z.object({ schema: z.unknown() }).nullish() }).nullish(),
  stop: z.union([z.string().transform((text) => [text]), z.array(z.string())]).nullish(),
  max_tokens: number,
  seed: number,
  temperature: number,
});

/** `POST /v1/chat/completions` */
export const openaiChat: Route = {
  inference: true,
  error: openaiError,
  run: async (exchange) => {
    const { messages, ...given } = readBody(exchange, body);
    if (given.model === '') throw new HttpError(400, 'model is required');
    const model = readModel(exchange.server, given.model, ollamaErrors.noModel);
    const ask = readModelRequest(model, toNative(given), messages);
    if (!given.stream) return answer(exchange, ask);
    await stream(exchange, ask, given.stream_options?.include_usage === true);
  },
};

/** Translates the request to the native API. */
const toNative = ({ model, stop, seed, ...given }: Omit<z.output<typeof body>, 'messages'>): Parameters<typeof readModelRequest>[1] => {
  const { type, json_schema: of } = given.response_format ?? {};
  return {
    model,
    think: EFFORTS[given.reasoning_effort],
    format: type === 'json_object' ? 'json' : type === 'json_schema' ? of?.schema : undefined,
    options: { num_predict: given.max_tokens, seed, temperature: given.temperature ?? 1, stop },
    keep_alive: undefined,
    truncate: true,
  };
};

const head = ({ server }: Exchange, ask: ModelRequest, object: string): ((choices: readonly unknown[]) => Record<string, unknown>) => {
  const now = server.engine.clock.wall();
  const id = `chatcmpl-${Math.floor(now) % 999}`;
  return (choices) => ({ id, object, created: Math.floor(now / 1000), model: ask.label, system_fingerprint: 'fp_ollama', choices });
};

const usageOf = ({ promptTokens, tokens }: Finish): object => ({
  prompt_tokens: promptTokens,
  completion_tokens: tokens,
  total_tokens: promptTokens + tokens,
});

const answer = async (exchange: Exchange, ask: ModelRequest): Promise<void> => {
  for await (const event of complete(ask, exchange)) {
    if (event.kind !== 'finish') continue;
    const extras = omitEmpty({ reasoning: textOf(event, 'thinking') });
    const message = { role: 'assistant', content: textOf(event, 'content'), ...extras };
    const whole = head(exchange, ask, 'chat.completion');
    const choices = [{ index: 0, message, finish_reason: event.done ? event.reason : null }];
    sendJson(exchange, 200, { ...whole(choices), usage: usageOf(event) });
  }
};

const stream = async (exchange: Exchange, ask: ModelRequest, usage: boolean): Promise<void> => {
  const chunk = head(exchange, ask, 'chat.completion.chunk');
  const delta = (given: object, reason: string | null = null): Record<string, unknown> =>
    chunk([{ index: 0, delta: given, finish_reason: reason }]);
  const framing: Framing = {
    contentType: 'text/event-stream',
    frame: (json) => `data: ${json}\n\n`,
    unfinished: () => undefined,
    error: () => delta({ content: '' }), // the error itself is lost on this way
  };
  const lines = openJsonStream(exchange, framing);
  let role: { readonly role?: string } = { role: 'assistant' };
  for await (const event of complete(ask, exchange)) {
    if (event.kind !== 'finish') {
      const said = event.kind === 'content' ? { content: event.text } : { content: '', reasoning: event.text };
      await lines.write(delta({ ...role, ...said }));
      role = {};
      continue;
    }
    const isWhole = await lines.last(delta({}, event.reason), event.done);
    if (isWhole && usage) await write(exchange, framing.frame(JSON.stringify({ ...chunk([]), usage: usageOf(event) })));
    if (isWhole) await write(exchange, 'data: [DONE]\n\n');
  }
  exchange.response.end();
};
