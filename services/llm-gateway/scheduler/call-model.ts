import { traceHeaders } from '@maw/telemetry/trace-context.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { span } from '@maw/telemetry/span-names.ts';
import { inSpan } from '@maw/telemetry/spans.ts';
import { type GatewayOptions, SERVICE } from '../defaults.ts';
import { InvalidAnswer, type TokenCounts } from '../providers/errors.ts';
import { adapting } from '../providers/families/families.ts';
import type { EmbedResult } from '../providers/provider.ts';
import type { Attempt, Completion, LlmRequest, ModelAnswer } from '../request.ts';
import type { Model } from '../servers/server-models.ts';
import type { Server } from '../servers/server.ts';
import type { EmbeddingCache } from './embedding-cache.ts';
import { attemptAttributes } from './telemetry/request-span.ts';

/** What the gateway adds to an answer. */
type AnswerMetadata = Pick<Completion, 'server' | 'times' | 'attempts' | 'repaired'>;

interface CallResult {
  readonly model: string;
  readonly finishReason: string | undefined;
  readonly tokens: TokenCounts;
  /** Milliseconds. */
  readonly times: { readonly load: number; readonly prefill: number; readonly decode: number };
  answer(metadata: AnswerMetadata): ModelAnswer;
}

type CallSettings = Pick<GatewayOptions, 'numCtx' | 'keepAlive'> & {
  readonly maxTokens: number;
  readonly embeddings: EmbeddingCache<EmbedResult>;
  /** Called with each piece of an answer. */
  onText(piece: string): void;
  now(): number;
};

/**
 * Calls the server for an attempt, in a span, and counts the tokens. Prompt and answer are in neither.
 * @throws what the provider throws, and what `request.abort` was aborted with
 */
export function callModel(
  request: LlmRequest,
  attempt: Attempt,
  server: Server,
  model: Model,
  settings: CallSettings,
): Promise<CallResult> {
  const isEmbedding = request.message.type === 'llm.embed';
  const operation = isEmbedding ? 'embeddings' : 'chat';
  /** A rejected answer is paid for too. */
  const count = ({ prompt, completion }: TokenCounts): void => {
    attempt.usedTokens += prompt + completion;
    attempt.generatedTokens += completion;
    metrics.tokenUsage.observe({ model: model.name, operation, token_type: 'input' }, prompt);
    if (!isEmbedding) metrics.tokenUsage.observe({ model: model.name, operation, token_type: 'output' }, completion);
  };
  const countRejected = (error: unknown): void => {
    if (error instanceof InvalidAnswer && error.tokens) count(error.tokens);
  };
  return inSpan(SERVICE, span.attempt, { kind: 'client' }, async (current) => {
    const setAttributes = (result: CallResult | undefined, error?: unknown): void => {
      if (current.isRecording()) current.setAttributes(attemptAttributes(request, attempt, model, { result, error, at: settings.now() }));
    };
    try {
      const call = isEmbedding ? embed : chat;
      const result = await adapting(model, () => call(request, attempt, server, model, settings), countRejected);
      count(result.tokens);
      setAttributes(result);
      return result;
    } catch (error) {
      countRejected(error);
      setAttributes(undefined, error);
      throw error;
    }
  });
}

async function chat(
  request: LlmRequest,
  attempt: Attempt,
  { provider }: Server,
  model: Model,
  { numCtx, keepAlive, maxTokens, onText, now }: CallSettings,
): Promise<CallResult> {
  const { data } = request.message;
  if (!('messages' in data)) throw new Error('llm.complete without messages');
  const onPiece = (piece: string): void => {
    attempt.firstPieceAt ??= now();
    onText(piece);
    if (!request.onPiece || piece === '' || request.abort.signal.aborted) return;
    attempt.isHeard = true;
    try {
      request.onPiece(piece, model.name);
    } catch {
      // The listener's failure is not the server's: the answer can still be completed.
    }
  };
  const { contextLength } = model.takes;
  // The server would clamp it, too.
  const longest = Math.min(numCtx, contextLength ?? numCtx);
  const context = provider.kind === 'ollama' ? longest : contextLength;
  const options = {
    model: model.name,
    takes: model.takes,
    numCtx: longest,
    keepAlive,
    maxTokens,
    check: request.takesUnfit ? undefined : request.check,
    repairHint: request.retry.repairHint,
    onPiece,
  };
  const { times, ...result } = await provider.chat(data, options, { signal: request.abort.signal, headers: traceHeaders() });
  const unfit = request.takesUnfit ? request.check?.(result.content) : undefined;
  const answer = { ...result, ...(unfit === undefined ? {} : { unfit }), ...(context === undefined ? {} : { context }) };
  return { ...result, finishReason: result.reason, times, answer: (metadata) => ({ ...answer, ...metadata }) };
}

async function embed(
  request: LlmRequest,
  _attempt: Attempt,
  { provider }: Server,
  { name, digest }: Model,
  { numCtx, keepAlive, embeddings: cache }: CallSettings,
): Promise<CallResult> {
  const { data } = request.message;
  if (!('input' in data)) throw new Error('llm.embed without texts');
  const call = { signal: request.abort.signal, headers: traceHeaders() };
  // Tokens and time would tell one tenant what another has embedded.
  const { embeddings, made } = await cache.embed(
    `${data.tenant}/${name}@${digest}`,
    data.input,
    (texts) => provider.embed(texts, { model: name, numCtx, keepAlive }, call),
    call.signal,
  );
  const { model, promptTokens, times } = made ?? { model: name, promptTokens: 0, times: { load: 0, work: 0 } };
  return {
    model,
    finishReason: undefined,
    tokens: { prompt: promptTokens, completion: 0 },
    times: { load: times.load, prefill: times.work, decode: 0 },
    answer: ({ server, times: { queued, total } }) => ({
      embeddings: embeddings.map((vector) => [...vector]),
      model,
      server,
      tokens: { prompt: promptTokens },
      times: { queued, total },
    }),
  };
}
