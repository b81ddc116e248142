import type { Data } from '@maw/contracts/contracts.ts';
import type { ChatRequest } from 'ollama/browser';
import { answerCollector, asText, checkedAnswer, messagesFor, samplingOptions } from './chat-answer.ts';
import { InvalidAnswer } from './errors.ts';
import type { AnswerLine, AnswerLines } from './ndjson.ts';
import type { ChatOptions, ChatResult } from './provider.ts';

/**
 * Chats by the protocol of Ollama. A status of 200 is not trusted: the answer is checked.
 * @param send sends the body of a chat
 */
export async function ollamaChat(
  send: (body: ChatRequest) => Promise<AnswerLines>,
  request: Data<'llm.complete'>,
  options: ChatOptions,
): Promise<ChatResult> {
  const text = answerCollector(request, options.onPiece);
  const lines = await send(chatRequest(request, options));
  for (let part = await lines.read(); part; part = await lines.read()) {
    text.add(asText(part.message?.content), asText(part.message?.thinking));
    if (part.done !== true) continue;
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
    think: canThink && request.think,
    keep_alive: keepAlive,
    options: { num_ctx: numCtx, num_predict: Math.min(maxTokens, numCtx), ...samplingOptions(request, repairHint) },
    ...(request.format === undefined ? {} : { format: request.format }),
  }) satisfies ChatRequest & { truncate: boolean };

const count = (n: unknown): number => (Number.isSafeInteger(n) && (n as number) >= 0 ? (n as number) : 0);
const milliseconds = (nanoseconds: unknown): number =>
  Number.isFinite(nanoseconds) && (nanoseconds as number) >= 0 ? Math.round((nanoseconds as number) / 1000) / 1000 : 0;

/** Reads the last line. Ollama omits counters that are zero; what is malformed counts as absent. A schema with fallbacks took longer than the rest. */
function parseEnd(last: AnswerLine) {
  const tokens = { prompt: count(last['prompt_eval_count']), completion: count(last['eval_count']) };
  const { model, done_reason: reason } = last;
  return {
    end: { reason: typeof reason === 'string' ? reason : 'stop', model: typeof model === 'string' ? model : 'unknown', tokens },
    times: {
      load: milliseconds(last['load_duration']),
      prefill: milliseconds(last['prompt_eval_duration']),
      decode: milliseconds(last['eval_duration']),
    },
  };
}
