import { wholeSentences } from '@maw/contracts/whole-sentences.ts';
import { type Attempt, type Completion, estimateTokens, type LlmRequest } from '../request.ts';

/** Why a call is cut of which the caller gets what has come. */
export const ANSWER_KEPT = new Error('the time is over, and what has come is kept');

export type PartialAnswers = ReturnType<typeof partialAnswers>;

/** Keeps what has come of free texts, for those whose time is over before they end. JSON that breaks off is of no use, and a stream has been heard. */
export function partialAnswers({ now }: { now(): number }) {
  const heard = new WeakMap<LlmRequest, { readonly attempt: Attempt; readonly model: string; readonly text: string }>();
  const isFree = ({ message: { data }, onPiece }: LlmRequest): boolean =>
    'messages' in data && data.format === undefined && data.tools === undefined && !onPiece;
  return {
    /** Whether a part of the answer may be kept. */
    isFree,
    hear(request: LlmRequest, attempt: Attempt, model: string, piece: string): void {
      if (!isFree(request)) return;
      const before = heard.get(request);
      heard.set(request, { attempt, model, text: before?.attempt === attempt ? before.text + piece : piece });
    },
    /** The whole sentences that have come in the attempt that runs; undefined: none. */
    answerOf(request: LlmRequest): Completion | undefined {
      const part = heard.get(request);
      const { state } = request;
      if (!part || state.phase !== 'running' || state.attempt !== part.attempt) return undefined;
      const content = wholeSentences(part.text.toWellFormed());
      if (content === '') return undefined;
      const { startedAt, sentAt = startedAt, firstPieceAt = sentAt, number, server } = part.attempt;
      const [at, from] = [now(), request.arrivedAt];
      const times = {
        queued: startedAt - from,
        load: sentAt - startedAt,
        prefill: firstPieceAt - sentAt,
        decode: at - firstPieceAt,
        total: at - from,
      };
      return {
        content,
        model: part.model,
        server: server.name,
        tokens: { prompt: request.size.promptTokens, completion: estimateTokens([part.text]) },
        reason: 'length',
        attempts: number,
        repaired: request.retry.repairs > 0,
        times,
      };
    },
  };
}
