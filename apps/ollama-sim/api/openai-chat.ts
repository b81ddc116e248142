import { isFields } from '../json-schema/schema.ts';
import type { Message } from '../answer/read-prompt.ts';
import type { ToolCall } from '../answer/answer.ts';
import type { Piece } from '../engine/infer.ts';
import { HttpError, ollamaErrors } from '../errors.ts';
import { type ModelRequest, readModelRequest, readEarlyFields, readModel } from './model-request.ts';
import { type Body, fieldsIn, flagIn, listIn, readBody, textIn } from '../http/body.ts';
import { complete, type Finish, textOf } from './completion.ts';
import type { Exchange } from '../http/exchange.ts';
import { goJson, omitEmpty } from '../http/json.ts';
import { type Framing, openJsonStream } from '../http/json-stream.ts';
import { logprobsOf } from './logprobs.ts';
import { openaiError } from './openai.ts';
import { sendWhole, write } from '../http/reply.ts';
import type { Route } from '../http/route.ts';

const FIELDS = {
  model: 'string',
  messages: '[]api.Message',
  stream: 'bool',
  tools: '[]api.Tool',
  logprobs: 'bool',
  top_logprobs: 'int',
} as const;

/** `POST /v1/chat/completions` */
export const openaiChat: Route = {
  inference: true,
  error: openaiError,
  run: async (exchange) => {
    const body = readBody(exchange.body, 'ChatCompletionRequest', FIELDS);
    const messages = readMessages(body);
    if (messages.length === 0) throw new HttpError(400, "[] is too short - 'messages'");
    const native = toNative(body);
    const early = readEarlyFields(native);
    const name = textIn(body, 'model');
    if (name === '') throw new HttpError(400, 'model is required');
    const ask = readModelRequest(readModel(exchange.server, name, ollamaErrors.noModel), name, messages, native, early, 'chat');
    if (!flagIn(body, 'stream', false)) return answer(exchange, ask);
    await stream(exchange, ask, flagIn(fieldsIn(body, 'stream_options'), 'include_usage', false));
  },
};

const readMessages = (body: Body): readonly Message[] =>
  listIn(body, 'messages').map((message) => ({ role: textIn(message, 'role').toLowerCase(), content: partsText(message['content']) }));

const partsText = (content: unknown): string => {
  if (typeof content === 'string') return content;
  if (content === undefined || content === null) return '';
  if (!Array.isArray(content)) throw new HttpError(400, `invalid message content type: ${typeof content}`);
  return content
    .map((part: unknown) => {
      const { type, text, image_url: image } = isFields(part) ? part : {};
      if (type === 'text' && typeof text === 'string') return text;
      const url = isFields(image) ? image['url'] : image;
      if (type === 'image_url' && typeof url === 'string' && url.startsWith('data:')) return '';
      throw new HttpError(400, type === 'image_url' ? 'invalid image input' : 'invalid message format');
    })
    .join('');
};

const EFFORTS: Readonly<Record<string, boolean | string>> = {
  none: false,
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  max: 'max',
  xhigh: 'max',
  ultra: 'max',
};

/** Translates the request to the native API. */
const toNative = (body: Body): Body => {
  const effort = textIn(body, 'reasoning_effort') || textIn(fieldsIn(body, 'reasoning'), 'effort');
  const think = EFFORTS[effort];
  if (effort !== '' && think === undefined)
    throw new HttpError(400, `invalid reasoning value: '${effort}' (must be "high", "medium", "low", "max", or "none")`);
  const form = fieldsIn(body, 'response_format');
  const stop = body['stop'];
  const options = {
    num_predict: body['max_tokens'],
    seed: body['seed'],
    temperature: body['temperature'] ?? 1,
    top_p: body['top_p'] ?? 1,
    frequency_penalty: body['frequency_penalty'],
    presence_penalty: body['presence_penalty'],
    stop: typeof stop === 'string' ? [stop] : stop,
  };
  return {
    tools: body['tools'],
    logprobs: body['logprobs'],
    top_logprobs: body['top_logprobs'],
    think,
    format: form['type'] === 'json_object' ? 'json' : form['type'] === 'json_schema' ? fieldsIn(form, 'json_schema')['schema'] : undefined,
    options: Object.fromEntries(Object.entries(options).filter(([, value]) => value != null)),
  };
};

const head = ({ server }: Exchange, ask: ModelRequest, object: string): ((choices: readonly unknown[]) => Record<string, unknown>) => {
  const seconds = Number(server.engine.clock.wall() / 1_000_000_000n);
  const id = `chatcmpl-${Number(server.engine.clock.wall() % 999n)}`;
  return (choices) => ({ id, object, created: seconds, model: ask.label, system_fingerprint: 'fp_ollama', choices });
};

const usageOf = ({ promptTokens, tokens }: Finish): object => ({
  prompt_tokens: promptTokens,
  completion_tokens: tokens,
  total_tokens: promptTokens + tokens,
});
const reasonOf = ({ toolCalls, reason }: Finish): string => (toolCalls.length > 0 ? 'tool_calls' : reason);
const toolCallsOf = (calls: readonly ToolCall[]): readonly object[] =>
  calls.map(({ id, function: called }) => ({
    id,
    index: called.index,
    type: 'function',
    function: { name: called.name, arguments: JSON.stringify(called.arguments) },
  }));

const logprobsIn = (pieces: readonly Piece[], { logprobs }: ModelRequest): object =>
  logprobs === undefined || pieces.length === 0 ? {} : { logprobs: { content: logprobsOf(pieces, logprobs) } };

const answer = async (exchange: Exchange, ask: ModelRequest): Promise<void> => {
  for await (const event of complete(ask, exchange)) {
    if (event.kind !== 'finish') continue;
    const extras = omitEmpty({ reasoning: textOf(event, 'thinking'), tool_calls: toolCallsOf(event.toolCalls) });
    const message = { role: 'assistant', content: textOf(event, 'content'), ...extras };
    const whole = head(exchange, ask, 'chat.completion');
    const choose = (reason: string | null): Record<string, unknown> =>
      whole([{ index: 0, message, finish_reason: reason, ...logprobsIn(event.pieces, ask) }]);
    await sendWhole(exchange, { ...choose(reasonOf(event)), usage: usageOf(event) }, choose(null), event.done);
  }
};

const stream = async (exchange: Exchange, ask: ModelRequest, usage: boolean): Promise<void> => {
  const chunk = head(exchange, ask, 'chat.completion.chunk');
  const delta = (given: object, reason: string | null = null, more: object = {}): Record<string, unknown> =>
    chunk([{ index: 0, delta: given, finish_reason: reason, ...more }]);
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
      await lines.write(delta({ ...role, ...said }, null, logprobsIn([event], ask)));
      role = {};
      continue;
    }
    if (event.toolCalls.length > 0) await lines.write(delta({ ...role, content: '', tool_calls: toolCallsOf(event.toolCalls) }));
    const isWhole = await lines.last(delta({}, reasonOf(event)), event.done);
    if (isWhole && usage) await write(exchange, framing.frame(goJson({ ...chunk([]), usage: usageOf(event) })));
    if (isWhole) await write(exchange, 'data: [DONE]\n\n');
  }
  exchange.response.end();
};
