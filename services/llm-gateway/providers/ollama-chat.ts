import type { Data } from '@maw/contracts/contracts.ts';
import type { ChatRequest } from 'ollama/browser';
import { estimateTokens } from '../request.ts';
import { answerCollector, asText, checkedAnswer, messagesFor, samplingOptions, tokensFor } from './chat-answer.ts';
import { InvalidAnswer, ServerError } from './errors.ts';
import type { Takes } from './families/families.ts';
import type { AnswerLine, AnswerLines } from './ndjson.ts';
import type { ChatOptions, ChatResult } from './provider.ts';
import { ollamaToolFields, toolsField } from './families/tools.ts';

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
    text.addCalls(part.message?.tool_calls);
    if (part.done !== true) continue;
    text.end();
    const { end, times } = parseEnd(part);
    if (isCutPrompt(request, end.tokens.prompt, options.numCtx)) throw new ServerError(400, `${CUT_PROMPT} of ${options.numCtx} tokens`);
    return { ...checkedAnswer(text, end, { ...request, check: options.check }), times };
  }
  throw new InvalidAnswer('the stream ended without done');
}

/**
 * Built field by field: a caller's images and options are dropped (the package would read an image from our disk). Load-time options are
 * the gateway's. A model that can think does so unless `think` is false. `truncate: false` refuses a prompt that is too long instead of cutting
 * it; the package's type does not know the field.
 */
function chatRequest(request: Data<'llm.complete'>, { model, takes, numCtx, keepAlive, maxTokens, repairHint }: ChatOptions) {
  const think = thinkFor(takes, request.think);
  const longest = Math.min(tokensFor(maxTokens, think !== false), numCtx);
  return {
    model,
    messages: [...messagesFor(request, repairHint, takes, ollamaToolFields)],
    ...toolsField(request),
    stream: true,
    truncate: false,
    think,
    keep_alive: keepAlive,
    options: { num_ctx: numCtx, num_predict: longest, ...samplingOptions(request, repairHint) },
    ...(request.format === undefined || takes.format === 'none' ? {} : { format: request.format }),
  } satisfies ChatRequest & { truncate: boolean };
}

function thinkFor({ thinking }: Takes, wanted: Data<'llm.complete'>['think']): Data<'llm.complete'>['think'] {
  if (thinking === 'levels') return typeof wanted === 'string' ? wanted : wanted ? 'medium' : 'low';
  return thinking === 'always' || (thinking === 'choice' && wanted !== false);
}

/** Read as a refusal of a prompt that is too long. */
const CUT_PROMPT = 'the server has cut the prompt to its context length';

/** Whether a server that ignores `truncate: false` has cut the prompt: what it counted cannot be all of so long a text. */
const isCutPrompt = ({ messages }: Data<'llm.complete'>, counted: number, numCtx: number): boolean =>
  counted > 0 && counted <= numCtx && estimateTokens(messages.map(({ content }) => content)) > 2 * Math.max(numCtx, counted);

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
