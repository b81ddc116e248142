import { z } from 'zod';
import { asText } from './chat-answer.ts';
import { errorText } from './connections.ts';
import { ProtocolError, ServerError } from './errors.ts';

export const usageOf = z.object({ prompt_tokens: z.int().nonnegative(), completion_tokens: z.int().nonnegative().catch(0) });
export type Usage = z.output<typeof usageOf>;

/** One chunk of a chat answer; texts are empty where it has none. */
export interface Chunk {
  readonly content: string;
  readonly thinking: string;
  /** Pieces of tool calls. */
  readonly toolCalls: unknown;
  readonly model: string;
  readonly finishReason: string;
  readonly usage: Usage | undefined;
}

/** Servers differ in the name of the thinking. */
const message = z
  .object({ content: z.unknown(), reasoning_content: z.unknown(), reasoning: z.unknown(), tool_calls: z.unknown() })
  .partial()
  .catch({});
const chunk = z.object({
  model: z.unknown().optional(),
  choices: z.array(z.object({ delta: message.optional(), message: message.optional(), finish_reason: z.unknown().optional() })).catch([]),
  usage: usageOf.optional().catch(undefined),
  error: z.unknown().optional(),
});

/** @throws ServerError for an error; ProtocolError */
export function parseChunk(value: unknown, redact: (text: string) => string): Chunk {
  const { data } = chunk.safeParse(value);
  if (!data) throw new ProtocolError('a line of the stream is not an object');
  if (data.error !== undefined && data.error !== null)
    throw new ServerError(statusIn(data.error), redact(errorText({ error: data.error })));
  const [choice] = data.choices;
  const text = choice?.delta ?? choice?.message;
  return {
    content: asText(text?.content),
    thinking: asText(text?.reasoning_content) || asText(text?.reasoning),
    toolCalls: text?.tool_calls,
    model: asText(data.model),
    finishReason: asText(choice?.finish_reason),
    usage: data.usage,
  };
}

/** An error in the middle of a stream may carry the status it would otherwise have had. */
function statusIn(error: unknown): number {
  const { data } = z.object({ code: z.coerce.number().int().min(400).max(599) }).safeParse(error);
  return data?.code ?? 200;
}
