import { answerTo, type AnswerRequest, applyFault, type ChatMessage } from '../answer/answer.ts';
import { Unmeetable } from '../answer/generate.ts';
import { CHARS_PER_TOKEN, type InferenceEnd, infer, type Piece, tokenCount } from '../engine/infer.ts';
import { HttpError, llamaServerError, ollamaErrors } from '../errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { nanoseconds, omitEmpty } from '../http/reply.ts';
import type { ModelRequest } from './model-request.ts';

type CompletionEvent = Piece | Finish;

/** The end of an answer. */
export interface Finish {
  readonly kind: 'finish';
  readonly reason: 'stop' | 'length' | 'load';
  /** False when it ended without `done`. */
  readonly done: boolean;
  /** What was generated, token by token. */
  readonly pieces: readonly Piece[];
  readonly promptTokens: number;
  readonly tokens: number;
  /** The API's counters in nanoseconds, without zeros. */
  readonly counters: Readonly<Record<string, unknown>>;
}

/** Loads the model, waits for a slot and yields the answer in pieces. Releases both. @throws HttpError, or the client's abort reason */
export async function* complete(ask: ModelRequest, exchange: Exchange): AsyncGenerator<CompletionEvent> {
  const { server, client, fault } = exchange;
  const { engine, settings } = server;
  const { model, options } = ask;
  if (fault?.name === 'bad-input') throw ollamaErrors.badInput();
  const request = { model, options, keepAliveMs: ask.keepAliveMs, client, failLoad: fault?.name === 'load-failed' };
  const lease = await engine.scheduler.take(request);
  try {
    const loadMs = engine.clock.now() - exchange.startedAt;
    if (ask.messages.length === 0) {
      yield { kind: 'finish', reason: 'load', done: true, pieces: [], promptTokens: 0, tokens: 0, counters: {} };
      return;
    }
    const { numCtx } = lease.runner;
    const format = readFormat(ask.format);
    const { messages, prompt } = truncatePrompt(ask.messages, numCtx, ask.truncate);
    if (fault?.name === 'nested-400')
      throw llamaServerError(400, 'the request was refused by a fault of the simulator', 'invalid_request_error');
    const asked: AnswerRequest = { messages, format, think: ask.think };
    const seed = `${options.seed < 0 ? `server ${settings.seed}` : options.seed} ${model.name} ${options.temperature}`;
    const answer = stopped(applyFault(answerOrRefusal(asked, seed), fault?.name, format), options.stop);
    const most = options.numPredict < 0 ? 10 * numCtx : Math.min(options.numPredict, 10 * numCtx);
    const output = (['thinking', 'content'] as const).map((kind): Piece => ({ kind, text: answer[kind] }));
    const pieces: Piece[] = [];
    for await (const event of infer({ lease, client, prompt, output, limit: most, fault }, engine)) {
      if (event.kind !== 'end') {
        pieces.push(event);
        yield event;
      } else yield finish(event, pieces, engine.clock.now() - exchange.startedAt, loadMs);
    }
  } finally {
    lease.release();
  }
}

/** The text that was generated of one kind. */
export const textOf = ({ pieces }: Finish, kind: Piece['kind']): string =>
  pieces
    .filter((piece) => piece.kind === kind)
    .map((piece) => piece.text)
    .join('');

const finish = (end: InferenceEnd, pieces: readonly Piece[], totalMs: number, loadMs: number): Finish => ({
  kind: 'finish',
  pieces,
  reason: end.reason === 'length' ? 'length' : 'stop',
  done: end.reason !== 'unfinished',
  promptTokens: end.promptTokens,
  tokens: end.tokens,
  counters: omitEmpty({
    total_duration: nanoseconds(totalMs),
    load_duration: nanoseconds(loadMs),
    prompt_eval_count: end.promptTokens,
    prompt_eval_duration: nanoseconds(end.promptMs),
    eval_count: end.tokens,
    eval_duration: nanoseconds(end.evalMs),
  }),
});

const readFormat = (format: unknown): AnswerRequest['format'] => {
  if (format === undefined || format === null || format === '') return undefined;
  if (format === 'json') return format;
  if (typeof format === 'object' && !Array.isArray(format)) return format as Readonly<Record<string, unknown>>;
  throw new HttpError(500, `invalid format: ${JSON.stringify(JSON.stringify(format))}; expected "json" or a valid JSON Schema object`);
};

const answerOrRefusal = (asked: AnswerRequest, seed: string): ReturnType<typeof answerTo> => {
  try {
    return answerTo(asked, seed);
  } catch (error) {
    // A schema that is nested too deep overflows the stack.
    if (error instanceof Unmeetable || error instanceof RangeError)
      throw llamaServerError(400, `failed to parse grammar: ${error.message}`, 'invalid_request_error');
    throw error;
  }
};

/** Cuts the answer at the first stop text. */
const stopped = <T extends { readonly content: string }>(answer: T, stops: readonly string[]): T => {
  const ends = stops.map((text) => answer.content.indexOf(text)).filter((at) => at >= 0);
  return ends.length === 0 ? answer : { ...answer, content: answer.content.slice(0, Math.min(...ends)) };
};

const render = (messages: readonly ChatMessage[]): string => messages.map((message) => `${message.role}: ${message.content}\n`).join('');

/**
 * Fits the messages into the context as Ollama does: silently drops the oldest but system messages and the last one, then cuts
 * the beginning. Returns them, and as one text. @throws HttpError 400 where `truncate` forbids it
 */
const truncatePrompt = (
  messages: readonly ChatMessage[],
  numCtx: number,
  truncate: boolean,
): { readonly messages: readonly ChatMessage[]; readonly prompt: string } => {
  let kept = messages;
  let prompt = render(kept);
  const tokens = tokenCount(prompt);
  if (tokens > numCtx && !truncate) {
    const message = `request (${tokens} tokens) exceeds the available context size (${numCtx} tokens), try increasing it`;
    throw llamaServerError(400, message, 'exceed_context_size_error', { n_prompt_tokens: tokens, n_ctx: numCtx });
  }
  while (tokenCount(prompt) > numCtx) {
    const oldest = kept.findIndex((message, at) => message.role !== 'system' && at < kept.length - 1);
    if (oldest < 0) break;
    kept = kept.toSpliced(oldest, 1);
    prompt = render(kept);
  }
  if (tokenCount(prompt) <= numCtx) return { messages: kept, prompt };
  return { messages: kept, prompt: prompt.slice(-numCtx * CHARS_PER_TOKEN) };
};
