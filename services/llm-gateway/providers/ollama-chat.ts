import type { Data } from '@maw/contracts/contracts.ts';
import type { ChatRequest, ChatResponse, Ollama } from 'ollama/browser';
import { z } from 'zod';
import { answerCollector, asText, checkedAnswer, messagesFor, samplingOptions } from './chat-answer.ts';
import { InvalidAnswer } from './errors.ts';
import type { ChatOptions, ChatResult } from './provider.ts';

/** Chats by the protocol of Ollama. A status of 200 is not trusted: the answer is checked. */
export async function ollamaChat(client: Ollama, request: Data<'llm.complete'>, options: ChatOptions): Promise<ChatResult> {
  const text = answerCollector(request, options.onPiece);
  for await (const part of await client.chat(chatRequest(request, options))) {
    text.add(asText(part.message?.content), asText(part.message?.thinking));
    if (!part.done) continue;
    text.end();
    const { end, times } = parseEnd(part);
    return { ...checkedAnswer(text, end, options.check), times };
  }
  throw new InvalidAnswer('the stream ended without done');
}

/**
 * Built field by field: a caller's images, tools and options are dropped (the package would read an image from our disk). Load-time options are
 * the gateway's. A model that can think does so unless `think` is false. `truncate: false` refuses a prompt that is too long instead of cutting
 * it; the package's type does not know the field.
 */
const chatRequest = (request: Data<'llm.complete'>, { model, canThink, numCtx, keepAlive, maxTokens, repairHint }: ChatOptions) =>
  ({
    model,
    messages: messagesFor(request, repairHint),
    stream: true,
    truncate: false,
    think: request.think && canThink,
    keep_alive: keepAlive,
    options: { num_ctx: numCtx, num_predict: Math.min(maxTokens, numCtx), ...samplingOptions(request, repairHint) },
    ...(request.format === undefined ? {} : { format: request.format }),
  }) satisfies ChatRequest & { truncate: boolean };

const count = z.int().nonnegative().catch(0);
const milliseconds = z
  .number()
  .nonnegative()
  .catch(0)
  .transform((nanoseconds) => Math.round(nanoseconds / 1000) / 1000);
/** The last line. Ollama omits counters that are zero. */
const lastLine = z.object({
  model: z.string().catch('unknown'),
  done_reason: z.string().catch('stop'),
  prompt_eval_count: count,
  eval_count: count,
  load_duration: milliseconds,
  prompt_eval_duration: milliseconds,
  eval_duration: milliseconds,
});

function parseEnd(last: ChatResponse) {
  const seen = lastLine.parse(last);
  const tokens = { prompt: seen.prompt_eval_count, completion: seen.eval_count };
  return {
    end: { reason: seen.done_reason, model: seen.model, tokens },
    times: { load: seen.load_duration, prefill: seen.prompt_eval_duration, decode: seen.eval_duration },
  };
}
