import type { Data } from '@maw/contracts/contracts.ts';
import { z } from 'zod';
import type { Completion } from '../request.ts';
import type { Caller } from './api-keys.ts';
import { MOST_TEXT, notTaken, readAs } from './validate-body.ts';

/** The most tokens an answer may have, and how many it may have when nobody says. */
const MOST_TOKENS = 32_768;
const USUAL_TOKENS = 2_048;
/** For clients that cannot leave the model out. */
const ANY_MODEL = new Set(['', 'default']);

const ONLY_TEXT = 'a text, or parts of type text: this gateway takes no images, sound or files';
const parts = z.array(z.object({ type: z.literal('text'), text: z.string() })).transform((all) => all.map(({ text }) => text).join(''));
const content = z.union([z.string(), parts], { error: ONLY_TEXT }).pipe(z.string().max(MOST_TEXT));
const message = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant'], {
    error: 'one of system, developer, user, assistant: no tools are called here',
  }),
  content: content.nullish().transform((text) => text ?? ''),
});

const format = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({ type: z.literal('json_schema'), json_schema: z.object({ schema: z.record(z.string(), z.unknown()) }) }),
]);

const tokens = z
  .int()
  .min(1)
  .transform((most) => Math.min(most, MOST_TOKENS));
const texts = z.union([z.string().transform((one) => [one]), z.array(z.string())]).pipe(z.array(z.string().min(1).max(200)).max(4));

/** What is read of a request; what a client sends besides changes nothing that it would miss, or is refused by `NOT_TAKEN`. */
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
});
export type ChatRequest = z.output<typeof chatRequest>;

/** Without these the answer would be another than the one that was asked for: better none. */
const NOT_TAKEN = {
  tools: 'no tools are called here',
  functions: 'no functions are called here',
  logprobs: 'no probabilities are told',
  audio: 'models write, and do not speak',
  n: (value: unknown) => (value === 1 ? undefined : 'one answer is given; ask again for another'),
} as const;

/** Reads a body. @throws HttpProblem unreadable with every mistake */
export function readChat(body: unknown): ChatRequest {
  notTaken(NOT_TAKEN, body);
  return readAs(chatRequest, body);
}

/** The model that is named; undefined when it is left to the gateway. */
export const namedModel = (model: string | null | undefined): string | undefined =>
  model == null || ANY_MODEL.has(model) ? undefined : model;

/** A request as one of the platform. Whoever asks over HTTP does not say how urgent it is. */
export function completionOf(asked: ChatRequest, { agent, tenant }: Caller): Data<'llm.complete'> {
  const { response_format: shape, reasoning_effort: effort } = asked;
  const schema = shape?.type === 'json_schema' ? shape.json_schema.schema : shape?.type === 'json_object' ? ('json' as const) : undefined;
  const model = namedModel(asked.model);
  return {
    agent,
    tenant,
    urgency: 'talk',
    kind: kindOf(agent),
    messages: asked.messages.map(({ role, content: text }) => ({ role: role === 'developer' ? 'system' : role, content: text })),
    maxTokens: asked.max_completion_tokens ?? asked.max_tokens ?? USUAL_TOKENS,
    think: effort != null && effort !== 'none' && effort !== 'minimal',
    ...(model === undefined ? {} : { model }),
    ...(schema === undefined ? {} : { format: schema }),
    ...(asked.temperature == null ? {} : { temperature: asked.temperature }),
    ...(asked.seed == null ? {} : { seed: asked.seed }),
    ...(asked.top_p == null ? {} : { topP: asked.top_p }),
    ...(asked.stop == null ? {} : { stop: asked.stop }),
  };
}

/**
 * What one caller asks for is about as long each time. The kinds of callers are apart from each other and from those of the platform: from how
 * long answers of a kind were follows who is given up in time, and nobody may teach that for others.
 */
export const kindOf = (agent: string, kind = ''): string => `http ${agent} ${kind}`.trimEnd().slice(0, 40);

interface About {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A whole answer. */
export const chatAnswer = ({ content: text, thinking, model, tokens: used, reason }: Completion, { id, at }: About) => ({
  id: `chatcmpl-${id}`,
  object: 'chat.completion',
  created: Math.floor(at / 1000),
  model,
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: text, refusal: null, ...(thinking === undefined ? {} : { reasoning_content: thinking }) },
      logprobs: null,
      finish_reason: reason,
    },
  ],
  usage: usageOf(used),
});

export const usageOf = ({ prompt, completion }: Completion['tokens']) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});

/** One piece of a streamed answer; `finish` says why it ends with this one. */
export const chatPiece = (
  delta: { readonly role?: 'assistant'; readonly content?: string },
  model: string,
  { id, at }: About,
  finish: string | null = null,
) => ({
  id: `chatcmpl-${id}`,
  object: 'chat.completion.chunk',
  created: Math.floor(at / 1000),
  model,
  choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
});
