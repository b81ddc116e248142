import type { ServerResponse } from 'node:http';
import type { Data } from '@maw/contracts/contracts.ts';
import { keyOf } from '@maw/contracts/model-name.ts';
import { omitUndefined } from '@maw/contracts/omit-undefined.ts';
import { parseJson } from '@maw/http/json-body.ts';
import { sendJson } from '@maw/http/response.ts';
import { z } from 'zod';
import { resolveReferences } from '../admission/answer-schema.ts';
import { ollamaCalls } from '../providers/families/tools.ts';
import type { Completion } from '../request.ts';
import type { HttpCall, Route } from './call.ts';
import { HttpProblem } from './http-problem.ts';
import { type AskContext, askChat, askEmbedding, modelsOf, sendPart } from './model-routes.ts';
import { DEFAULT_TOKENS, kindOf, MAX_TOKENS, namedModel, toolOf, toolsAsked } from './openai-chat.ts';
import { MAX_TEXT, rejectUnsupported, validateBody } from './validate-body.ts';

/*
 * Ollama's own protocol, so that its clients can use the gateway as if it were one server. What loads a model (`num_ctx`, `keep_alive` and the like) is
 * the gateway's and ignored: another value would load the model again for everybody.
 */

const message = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z
    .string()
    .max(MAX_TEXT)
    .nullish()
    .transform((text) => text ?? ''),
  images: z.array(z.unknown()).max(0, 'images are not supported').nullish(),
  tool_calls: z
    .array(z.object({ function: z.object({ name: z.string().max(200), arguments: z.record(z.string(), z.unknown()) }) }))
    .max(100)
    .nullish(),
  tool_name: z.string().max(200).nullish(),
});
const options = z.object({
  temperature: z.number().min(0).max(5).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  seed: z.int().nullish(),
  stop: z.union([z.string().transform((one) => [one]), z.array(z.string())]).nullish(),
  /** Below 1: without an end, or to the end of the context. */
  num_predict: z.int().nullish(),
});
const chatRequest = z.object({
  model: z.string().min(1).max(200),
  messages: z.array(message).max(500).nullish(),
  stream: z.boolean().nullish(),
  format: z.union([z.literal(''), z.literal('json'), z.record(z.string(), z.unknown())]).nullish(),
  options: options.nullish(),
  tools: z.array(toolOf).max(128).nullish(),
  think: z.union([z.boolean(), z.enum(['low', 'medium', 'high'])]).nullish(),
});
type ChatRequest = z.output<typeof chatRequest>;

const embedRequest = z.object({
  model: z.string().min(1).max(200),
  input: z.union([z.string().transform((one) => [one]), z.array(z.string())]).pipe(z.array(z.string().max(MAX_TEXT)).min(1).max(256)),
});
const showRequest = z.object({ model: z.string().max(200).optional(), name: z.string().max(200).optional() });

const UNSUPPORTED = { logprobs: 'probabilities are not supported', top_logprobs: 'probabilities are not supported' } as const;

export function ollamaRoutes(context: AskContext): readonly Route[] {
  const { models, now } = context;
  return [
    { method: 'POST', path: '/api/chat', waitsForModel: true, handle: (call) => chat(context, call) },
    { method: 'POST', path: '/api/embed', waitsForModel: true, handle: (call) => embed(context, call) },
    {
      method: 'GET',
      path: '/api/tags',
      handle: ({ res, caller }) =>
        sendJson(res, 200, { models: modelsOf(models, caller).map((model) => ({ ...entryOf(model, now()), size: 0 })) }),
    },
    {
      method: 'POST',
      path: '/api/show',
      handle({ res, body, caller }) {
        const { model = '', name = model } = validateBody(showRequest, parseJson(body!));
        const found = modelsOf(models, caller).find((one) => keyOf(one.name) === keyOf(name));
        if (!found) throw new HttpProblem('unknown-model', `model '${name.slice(0, 100)}' not found`);
        const { family, capabilities = [], takes } = found;
        const info = { 'general.architecture': family, ...omitUndefined({ [`${family}.context_length`]: takes.contextLength }) };
        sendJson(res, 200, { ...entryOf(found, now()), template: '', parameters: '', model_info: info, capabilities });
      },
    },
  ];
}

/** A model as the list has it. What the gateway does not know is empty: its clients read these fields unasked. */
const entryOf = ({ name, digest, family }: ReturnType<AskContext['models']['all']>[number], at: number) => ({
  name,
  model: name,
  digest,
  modified_at: new Date(at).toISOString(),
  details: { parent_model: '', format: '', family, families: [family], parameter_size: '', quantization_level: '' },
});

async function chat(context: AskContext, call: HttpCall): Promise<void> {
  const body = parseJson(call.body!);
  rejectUnsupported(UNSUPPORTED, body);
  const request = validateBody(chatRequest, body);
  const { messages } = request;
  const head = (content: string, model = request.model) => ({
    model,
    created_at: new Date(context.now()).toISOString(),
    message: { role: 'assistant', content },
  });
  // Without messages Ollama only loads the model, which is the gateway's business.
  if (!messages?.length) return sendJson(call.res, 200, { ...head(''), done: true, done_reason: 'load' });
  const isStream = request.stream !== false;
  let hasBegun = false;
  const onPiece = (content: string, model: string): void => {
    hasBegun = true;
    sendLine(call.res, { ...head(content, model), done: false });
  };
  const answer = await askChat(context, call, completionOf(request, call.caller), { onPiece: isStream ? onPiece : undefined });
  const end = { ...endOf(answer), model: answer.model };
  if (!isStream) return sendJson(call.res, 200, { ...head(''), ...end });
  const content = hasBegun ? '' : answer.content; // it joined another request, which got the pieces
  sendLine(call.res, { ...head(''), ...end, message: { ...end.message, content } });
  call.res.end();
}

function completionOf({ options: given, tools, ...request }: ChatRequest, { agent, tenant }: HttpCall['caller']): Data<'llm.complete'> {
  const { temperature, top_p: topP, seed, stop, num_predict: longest } = given ?? {};
  return {
    agent,
    tenant,
    urgency: 'talk',
    kind: kindOf(agent),
    messages: messagesOf(request.messages ?? []),
    maxTokens: longest == null || longest < 1 ? DEFAULT_TOKENS : Math.min(longest, MAX_TOKENS),
    think: request.think ?? false,
    ...(tools?.length ? toolsAsked(tools) : {}),
    ...omitUndefined({
      model: namedModel(request.model),
      format: typeof request.format === 'object' && request.format ? resolveReferences(request.format) : request.format || undefined,
      temperature: temperature ?? undefined,
      seed: seed ?? undefined,
      topP: topP ?? undefined,
      stop: stop?.filter((text) => text !== '').slice(0, 4),
    }),
  };
}

/** Ollama has no ids of calls: a tool's message answers the first call of its name that is still open, or the first of all. */
function messagesOf(messages: NonNullable<ChatRequest['messages']>): Data<'llm.complete'>['messages'] {
  const open: { readonly id: string; readonly name: string }[] = [];
  let called = 0;
  return messages.map(({ role, content, tool_calls: calls, tool_name: tool }) => {
    const toolCalls = calls?.map((one) => ({
      id: `call_${called++}`,
      name: one.function.name,
      arguments: JSON.stringify(one.function.arguments),
    }));
    open.push(...(toolCalls ?? []));
    const named = open.findIndex(({ name }) => name === tool);
    const answered = role === 'tool' ? open.splice(Math.max(0, named), 1)[0] : undefined;
    return {
      role,
      content,
      ...omitUndefined({
        toolCalls: toolCalls?.length ? toolCalls : undefined,
        toolCallId: answered?.id,
        toolName: tool ?? answered?.name,
      }),
    };
  });
}

const sendLine = (res: ServerResponse, line: object): void => sendPart(res, 'application/x-ndjson', `${JSON.stringify(line)}\n`);

const nanoseconds = (ms: number): number => Math.round(ms * 1e6);

/** The last line of an answer. Times in nanoseconds; the total includes the time in the queue. */
const endOf = ({ content, thinking, toolCalls, reason, tokens, times }: Completion) => ({
  message: { role: 'assistant', content, ...omitUndefined({ thinking, tool_calls: toolCalls && ollamaCalls(toolCalls) }) },
  done: true,
  done_reason: reason,
  total_duration: nanoseconds(times.total),
  load_duration: nanoseconds(times.load),
  prompt_eval_count: tokens.prompt,
  prompt_eval_duration: nanoseconds(times.prefill),
  eval_count: tokens.completion,
  eval_duration: nanoseconds(times.decode),
});

async function embed(context: AskContext, call: HttpCall): Promise<void> {
  const body = parseJson(call.body!);
  rejectUnsupported({ dimensions: 'the model sets the dimensions' }, body);
  const { model, input } = validateBody(embedRequest, body);
  const { embeddings, tokens, times, model: used } = await askEmbedding(context, call, input, namedModel(model));
  sendJson(call.res, 200, {
    model: used,
    embeddings,
    total_duration: nanoseconds(times.total),
    load_duration: 0,
    prompt_eval_count: tokens.prompt,
  });
}
