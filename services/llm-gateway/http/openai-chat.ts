import type { Data } from '@maw/contracts/contracts.ts';
import { omitUndefined } from '@maw/contracts/omit-undefined.ts';
import { z } from 'zod';
import { resolveReferences } from '../admission/answer-schema.ts';
import type { Completion } from '../request.ts';
import type { Caller } from './api-keys.ts';
import { HttpProblem } from './http-problem.ts';
import { MAX_TEXT, rejectUnsupported, validateBody } from './validate-body.ts';

/** Tokens of an answer: at most, and by default. */
export const MAX_TOKENS = 32_768;
export const DEFAULT_TOKENS = 2_048;
/** For clients that cannot omit the model. */
const DEFAULT_MODEL_NAMES = new Set(['', 'default']);

const ONLY_TEXT = 'a text, or parts of type text: images, audio and files are not supported';
const parts = z.array(z.object({ type: z.literal('text'), text: z.string() })).transform((all) => all.map(({ text }) => text).join(''));
const content = z.union([z.string(), parts], { error: ONLY_TEXT }).pipe(z.string().max(MAX_TEXT));
const call = z.object({ id: z.string().max(200), function: z.object({ name: z.string().max(200), arguments: z.string().max(MAX_TEXT) }) });
const message = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool'], { error: 'one of system, developer, user, assistant, tool' }),
  content: content.nullish().transform((text) => text ?? ''),
  tool_calls: z.array(call).max(100).nullish(),
  tool_call_id: z.string().max(200).nullish(),
});
/** The same in Ollama's protocol. */
export const toolOf = z.object({
  function: z.object({
    name: z.string().min(1).max(200),
    description: z.string().max(MAX_TEXT).nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
  }),
});
const toolChoice = z.union([z.enum(['auto', 'none', 'required']), z.object({ function: z.object({ name: z.string() }) })]);

const format = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({ type: z.literal('json_schema'), json_schema: z.object({ schema: z.record(z.string(), z.unknown()) }) }),
]);

const tokens = z
  .int()
  .min(1)
  .transform((max) => Math.min(max, MAX_TOKENS));
const texts = z.union([z.string().transform((one) => [one]), z.array(z.string())]).pipe(z.array(z.string().min(1).max(200)).max(4));

/** The fields that are read. Others are ignored when the client would not notice, and refused by `UNSUPPORTED` when it would. */
const chatRequest = z.object({
  model: z.string().max(200).nullish(),
  messages: z.array(message).min(1).max(500),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  response_format: format.nullish(),
  temperature: z.number().min(0).max(5).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  stop: texts.nullish(),
  seed: z.int().nullish(),
  max_tokens: tokens.nullish(),
  max_completion_tokens: tokens.nullish(),
  reasoning_effort: z.string().nullish(),
  tools: z.array(toolOf).max(128).nullish(),
  tool_choice: toolChoice.nullish(),
});
type ChatRequest = z.output<typeof chatRequest>;

/** Ignoring these would give another answer than the one asked for. */
const UNSUPPORTED = {
  functions: 'functions are not supported: offer them as tools',
  logprobs: 'probabilities are not supported',
  audio: 'audio is not supported',
  n: (value: unknown) => (value === 1 ? undefined : 'only one answer is supported'),
} as const;

/** @throws HttpProblem unreadable with every mistake */
export function readChat(body: unknown): ChatRequest {
  rejectUnsupported(UNSUPPORTED, body);
  return validateBody(chatRequest, body);
}

/** Undefined: the gateway's default model. */
export const namedModel = (model: string | null | undefined): string | undefined =>
  model == null || DEFAULT_MODEL_NAMES.has(model) ? undefined : model;

/** The request as a message of the platform. HTTP clients of this protocol cannot set an urgency. */
export function completionOf(request: ChatRequest, { agent, tenant }: Caller): Data<'llm.complete'> {
  const { response_format: shape, reasoning_effort: effort } = request;
  const schema =
    shape?.type === 'json_schema'
      ? resolveReferences(shape.json_schema.schema)
      : shape?.type === 'json_object'
        ? ('json' as const)
        : undefined;
  return {
    agent,
    tenant,
    urgency: 'talk',
    kind: kindOf(agent),
    messages: request.messages.map(messageOf),
    ...offeredTools(request),
    maxTokens: request.max_completion_tokens ?? request.max_tokens ?? DEFAULT_TOKENS,
    think: effort != null && effort !== 'none' && effort !== 'minimal',
    ...omitUndefined({
      model: namedModel(request.model),
      format: schema,
      temperature: request.temperature ?? undefined,
      seed: request.seed ?? undefined,
      topP: request.top_p ?? undefined,
      stop: request.stop ?? undefined,
    }),
  };
}

const messageOf = ({ role, content: text, tool_calls: calls, tool_call_id: id }: z.output<typeof message>) => ({
  role: role === 'developer' ? ('system' as const) : role,
  content: text,
  ...omitUndefined({
    toolCalls: calls?.length ? calls.map(({ id: own, function: called }) => ({ id: own, ...called })) : undefined,
    toolCallId: id ?? undefined,
  }),
});

/** A tool that is chosen beforehand is the only one that is offered. @throws HttpProblem unreadable when it is none of them */
function offeredTools({ tools, tool_choice: choice }: Pick<ChatRequest, 'tools' | 'tool_choice'>) {
  if (!tools?.length || choice === 'none') return {};
  const chosen = typeof choice === 'object' ? choice?.function.name : undefined;
  const offered = chosen === undefined ? tools : tools.filter((one) => one.function.name === chosen);
  if (offered.length === 0) throw new HttpProblem('unreadable', `tool_choice: there is no tool ${chosen?.slice(0, 100)}`);
  return { ...toolsAsked(offered), ...(chosen !== undefined || choice === 'required' ? { mustCall: true as const } : {}) };
}

/** Tools as the platform knows them, their schemas without references. @throws Refusal unreadable */
export const toolsAsked = (tools: readonly z.output<typeof toolOf>[]) => ({
  tools: tools.map(({ function: { name, description, parameters } }) => ({
    name,
    ...omitUndefined({ description: description ?? undefined, parameters: parameters ? resolveReferences(parameters) : undefined }),
  })),
});

/**
 * The kind of a caller's requests. Estimates of one kind decide which requests are dropped, so each caller has its own kinds: none may distort
 * those of others or of the platform.
 */
export const kindOf = (agent: string, kind = ''): string => `http ${agent} ${kind}`.trimEnd().slice(0, 40);

interface Head {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A complete answer. */
export const chatAnswer = ({ content: text, thinking, toolCalls, model, tokens: used, reason }: Completion, { id, at }: Head) => ({
  id: `chatcmpl-${id}`,
  object: 'chat.completion',
  created: Math.floor(at / 1000),
  model,
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: toolCalls && text === '' ? null : text,
        refusal: null,
        ...omitUndefined({ reasoning_content: thinking, tool_calls: toolCalls && callsOf(toolCalls) }),
      },
      logprobs: null,
      finish_reason: finishReason({ toolCalls, reason }),
    },
  ],
  usage: usageOf(used),
});

export const finishReason = ({ toolCalls, reason }: Pick<Completion, 'toolCalls' | 'reason'>): string =>
  toolCalls ? 'tool_calls' : reason;

const callsOf = (calls: NonNullable<Completion['toolCalls']>) =>
  calls.map(({ id, ...called }) => ({ id, type: 'function' as const, function: called }));

/** The calls as the delta of one chunk. */
export const callsDelta = (calls: NonNullable<Completion['toolCalls']>) => ({
  tool_calls: callsOf(calls).map((one, index) => ({ index, ...one })),
});

export const usageOf = ({ prompt, completion }: Completion['tokens']) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});

/** A chunk of a streamed answer. @param finish the finish reason, in the last one */
export const chatChunk = (
  delta: { readonly role?: 'assistant'; readonly content?: string } | ReturnType<typeof callsDelta>,
  model: string,
  { id, at }: Head,
  finish: string | null = null,
) => ({
  id: `chatcmpl-${id}`,
  object: 'chat.completion.chunk',
  created: Math.floor(at / 1000),
  model,
  choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
});
