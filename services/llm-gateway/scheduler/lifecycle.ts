import { EventEmitter } from 'node:events';
import { type EndReason, type LlmRequest, type Outcome, type QueuedRequest, type RetryState } from '../request.ts';
import type { ServerIdentity, Attempt } from '../request.ts';
import type { FairQueue } from './fair-queue.ts';

export interface RequestEnded {
  readonly request: LlmRequest;
  readonly outcome: Outcome;
  /** Undefined when another gateway may go on with it. */
  readonly reason: EndReason | undefined;
  /** The name of the model that answered, where it is known. */
  readonly model: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export type Lifecycle = ReturnType<typeof requestLifecycle>;

/** The requests that have not ended, and every change of their phase (see `request.ts`). */
export function requestLifecycle({ queue, now }: { readonly queue: FairQueue<QueuedRequest>; now(): number }) {
  const events = new EventEmitter<{ ended: [RequestEnded] }>();
  const live = new Map<string, LlmRequest>();
  const isLive = (request: LlmRequest): boolean => live.get(request.id) === request;

  return {
    events,
    queue,
    /** Requests that have not ended. */
    get size() {
      return live.size;
    },
    get: (id: string): LlmRequest | undefined => live.get(id),
    all: (): Iterable<LlmRequest> => live.values(),
    isLive,
    register: (request: LlmRequest): void => void live.set(request.id, request),
    /** Removes a request that was never admitted, as if it had not come. */
    discard: (request: LlmRequest): void => void live.delete(request.id),

    /** @param rank within its game, the least first @param lane requests of one lane can run on the same servers */
    enqueue(request: LlmRequest, rank: number, lane: string): void {
      const { id, game, urgency } = request;
      const entry: QueuedRequest = { id, game, urgency, rank, lane, request };
      const unservedSince = request.state.phase === 'queued' ? request.state.unservedSince : undefined;
      request.state = { phase: 'queued', entry, unservedSince };
      queue.add(entry);
    },

    /** The request has left the queue and has a slot. */
    start(request: LlmRequest, server: ServerIdentity, isWarm: boolean): Attempt {
      const times = { startedAt: now(), sentAt: undefined, firstPieceAt: undefined, endedAt: undefined };
      const tokens = { usedTokens: 0, generatedTokens: 0 };
      const attempt: Attempt = { number: request.attempts.length + 1, server, isWarm, ...times, ...tokens, isHeard: false };
      request.attempts.push(attempt);
      request.state = { phase: 'running', attempt };
      return attempt;
    },

    /** Its outcome is being read from a recording. */
    startReplay: (request: LlmRequest): void => void (request.state = { phase: 'running', attempt: undefined }),
    /** Prepares another attempt; `enqueue` follows. */
    prepareRetry: (request: LlmRequest, retry: RetryState): void => void (request.retry = retry),
    /** @param unservedSince undefined: a healthy server can run it */
    markUnserved(request: LlmRequest, unservedSince: number | undefined): void {
      if (request.state.phase === 'queued') request.state = { ...request.state, unservedSince };
    },

    /** Ends a request in any phase; only the first end counts. */
    end(request: LlmRequest, outcome: Outcome, reason?: EndReason, model?: string): void {
      if (!isLive(request)) return;
      live.delete(request.id);
      queue.remove(request.id);
      const at = now();
      request.state = { phase: 'ended', wasRunning: request.state.phase === 'running', at };
      events.emit('ended', { request, outcome, reason, model, at });
      request.outcome.resolve(outcome);
      if (!('answer' in outcome)) request.abort.abort('refusal' in outcome ? outcome.refusal : outcome.lost);
    },
  };
}
