import type { Attributes } from '@opentelemetry/api';
import { Refusal } from '@maw/contracts/refusal.ts';
import { attribute, span } from '@maw/telemetry/span-names.ts';
import { inSpan } from '@maw/telemetry/spans.ts';
import { SERVICE } from '../../defaults.ts';
import { describeNetworkError, InvalidAnswer, ServerError, type TokenCounts } from '../../providers/errors.ts';
import {
  type Attempt,
  type LlmRequest,
  type ModelAnswer,
  operationOf,
  type RequestMessage,
  type ServerIdentity,
  slotMs,
} from '../../request.ts';
import { logText } from '@maw/text/sanitize-text.ts';
import type { Model } from '../../servers/server-models.ts';

interface SpanContext {
  readonly signal: AbortSignal;
  now(): number;
  /** The name of the request's model as a server lists it. */
  modelOf(request: LlmRequest): string | undefined;
}

/**
 * Runs `body` in the span of a request, from its arrival to its end, waiting and retries included. Prompt and answer are not in it.
 * @param body gets a function to say which request the span describes; it does not when another span has the details
 */
export function inRequestSpan(
  message: RequestMessage,
  { signal, now, modelOf }: SpanContext,
  body: (describe: (request: LlmRequest) => LlmRequest) => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  const operation = operationOf(message);
  return inSpan(SERVICE, operation, { kind: 'client' }, async (current) => {
    let request: LlmRequest | undefined;
    const setAttributes = (answer: ModelAnswer | undefined, error?: unknown): void => {
      if (!current.isRecording()) return;
      const model = request && modelOf(request);
      if (model !== undefined) current.updateName(span.model(operation, model));
      const isAborted = signal.aborted || (request?.abort.signal.aborted ?? false);
      current.setAttributes({
        [attribute.table]: message.source === 'player' ? message.subject : undefined, // others are charged to an account
        [attribute.messageId]: message.id,
        [attribute.operation]: operation,
        [attribute.game]: message.subject,
        [attribute.agent]: logText(message.data.agent, 100),
        [attribute.model]: model,
        [attribute.error]: error === undefined ? undefined : errorType(error, isAborted),
        ...samplingAttributes(message),
        ...(request ? { ...workAttributes(request, now()), ...answerAttributes(answer, message) } : {}),
      });
    };
    try {
      const answer = await body((described) => (request = described));
      setAttributes(answer);
      return answer;
    } catch (error) {
      setAttributes(undefined, error);
      throw error;
    }
  });
}

function samplingAttributes({ data }: RequestMessage): Attributes {
  if ('input' in data) return {};
  return {
    [attribute.output]: data.format === undefined ? 'text' : 'json',
    [attribute.maxTokens]: data.maxTokens,
    [attribute.temperature]: data.temperature,
    [attribute.topP]: data.topP,
    [attribute.seed]: data.seed,
    [attribute.stop]: data.stop,
  };
}

function workAttributes(request: LlmRequest, now: number): Attributes {
  const { message, state, arrivedAt, deadline, isReplay } = request;
  const at = state.phase === 'ended' ? state.at : now;
  const last = request.attempts.at(-1);
  const workedMs = slotMs(request, at);
  return {
    [attribute.stream]: request.onPiece ? true : undefined,
    [attribute.slackMs]: deadline - at,
    [attribute.waitMs]: isReplay ? undefined : Math.max(0, at - arrivedAt - workedMs),
    ...(last
      ? {
          ...serverAttributes(last.server),
          ...timeAttributes(message, { slotMs: workedMs, chunkMs: last.firstPieceAt && last.firstPieceAt - arrivedAt }),
          [attribute.isWarm]: last.isWarm,
          [attribute.callAttempt]: last.number,
        }
      : {}),
  };
}

function answerAttributes(answer: ModelAnswer | undefined, message: RequestMessage): Attributes {
  if (answer === undefined) return {};
  const finish = 'reason' in answer ? [answer.reason] : undefined;
  return { [attribute.modelUsed]: answer.model, ...tokenAttributes(message, answer.tokens), [attribute.finish]: finish };
}

/** None for a seat at a table: the length of its prompt tells how much it was told by night. */
function tokenAttributes(message: RequestMessage, tokens: Partial<TokenCounts> | undefined): Attributes {
  if (message.source === 'player' || tokens === undefined) return {};
  return {
    [attribute.inputTokens]: tokens.prompt,
    [attribute.outputTokens]: operationOf(message) === 'chat' ? tokens.completion : undefined,
  };
}

/** None for a seat at a table, likewise: a longer prompt takes longer. */
function timeAttributes(
  message: RequestMessage,
  { slotMs: workedMs, chunkMs }: { readonly slotMs: number; readonly chunkMs: number | undefined },
): Attributes {
  if (message.source === 'player') return {};
  return { [attribute.slotMs]: workedMs, [attribute.firstChunk]: chunkMs === undefined ? undefined : Math.max(0, chunkMs) / 1000 };
}

/** What is known of a call when its span ends. */
interface CallEnd {
  readonly result: { readonly model: string; readonly finishReason: string | undefined; readonly tokens: TokenCounts } | undefined;
  readonly error: unknown;
  readonly at: number;
}

export function attemptAttributes(request: LlmRequest, attempt: Attempt, model: Model, { result, error, at }: CallEnd): Attributes {
  const { signal } = request.abort;
  const { server, number, isWarm, startedAt, sentAt = startedAt, firstPieceAt } = attempt;
  const tokens = result?.tokens ?? (error instanceof InvalidAnswer ? error.tokens : undefined);
  const isAborted = signal.aborted;
  return {
    ...serverAttributes(server),
    [attribute.model]: model.name,
    [attribute.modelUsed]: result?.model,
    ...tokenAttributes(request.message, tokens),
    [attribute.finish]: result?.finishReason === undefined ? undefined : [result.finishReason],
    [attribute.callAttempt]: number,
    [attribute.isWarm]: isWarm,
    ...timeAttributes(request.message, { slotMs: Math.max(0, at - startedAt), chunkMs: firstPieceAt && firstPieceAt - sentAt }),
    [attribute.error]: error === undefined ? undefined : isAborted ? errorType(signal.reason, true) : errorType(error, false),
  };
}

const addresses = new WeakMap<ServerIdentity, Attributes>();

function serverAttributes(server: ServerIdentity): Attributes {
  let address = addresses.get(server);
  if (!address) {
    const { hostname, port, protocol } = new URL(server.url);
    address = {
      [attribute.provider]: server.kind,
      [attribute.server]: hostname.replace(/^\[(.*)\]$/, '$1'),
      [attribute.port]: Number(port) || (protocol === 'https:' ? 443 : 80),
    };
    addresses.set(server, address);
  }
  return address;
}

/** The `error.type` attribute: few values, `_OTHER` for the rest as the convention has it. */
function errorType(error: unknown, isAborted: boolean): string {
  if (error instanceof Refusal) return error.reason;
  if (error instanceof InvalidAnswer) return 'invalid-answer';
  if (error instanceof ServerError) return error.status === 200 ? error.name : String(error.status);
  return isAborted ? 'cancelled' : (describeNetworkError(error).code ?? '_OTHER');
}
