import { LRUCache } from 'lru-cache';
import { unlessAborted } from '@maw/async/abort.ts';
import type { Message } from '@maw/contracts/contracts.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import type { BudgetUsage } from '@maw/store/ports/budget-usage.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { type Admission, admission as newAdmission } from '../admission/admission.ts';
import { type BudgetSync, budgetSync as newBudgetSync } from '../admission/budget-sync.ts';
import type { UsageCounter } from '../admission/usage-counter.ts';
import type { GatewayOptions } from '../defaults.ts';
import type { Recorder, Replay } from '../recording/recording.ts';
import {
  ClientDisconnected,
  type Completion,
  earlierFailure,
  type Embedding,
  type LlmRequest,
  type ModelAnswer,
  newRequest,
  type Outcome,
  outcomeSize,
  type QueuedRequest,
  type RequestMessage,
  type RunOptions,
  usedTokens,
} from '../request.ts';
import { logText } from '@maw/text/sanitize-text.ts';
import type { ModelLoads } from '../servers/model-loads.ts';
import type { ServerRegistry } from '../servers/registry.ts';
import { type Dispatcher, dispatcher as newDispatcher } from './dispatcher.ts';
import { fairQueue, type FairQueue } from './fair-queue.ts';
import { type Lifecycle, requestLifecycle, type RequestEnded } from './lifecycle.ts';
import { ANSWER_KEPT, type PartialAnswers, partialAnswers } from './partial-answers.ts';
import { knownModelName, restingServers } from './model-choice.ts';
import { showBudgetDebts } from './telemetry/queue-metrics.ts';
import { countEnd } from './telemetry/request-metrics.ts';
import { inRequestSpan } from './telemetry/request-span.ts';
import { type UnfitReplies, unfitReplies } from './unfit-replies.ts';

export type Completions = ReturnType<typeof completions>;

interface Parts {
  readonly registry: ServerRegistry;
  readonly loads: ModelLoads;
  now(): number;
  readonly log: Log;
  readonly options: GatewayOptions;
  /** Records the outcomes of requests. */
  readonly recorder?: Recorder | undefined;
  /** Answers instead of the servers: no request waits, and no limit applies. */
  readonly replay?: Replay | undefined;
  /** Keeps the use of budgets beyond the life of the process. */
  readonly budgetUsage?: BudgetUsage | undefined;
  /** Counts who uses what. */
  readonly usage?: UsageCounter | undefined;
  /** Default: the fair queue. */
  readonly queue?: FairQueue<QueuedRequest> | undefined;
}

const CACHE = { max: 5_000, maxSize: 50_000_000 };

/** Runs requests, from their arrival to their end. */
export function completions(parts: Parts) {
  const state = newState(parts);
  const { lifecycle, admission, budgetSync, dispatcher, outcomes, unfit } = state;
  const hideDebts = showBudgetDebts(admission.budgets, parts.now);
  return {
    /**
     * Answers a request, which waits for a slot until its deadline. A request with the id of a live one joins it; with the id of an ended one it
     * gets the same outcome again.
     * @throws Refusal late, limited, no-server, unreadable, too-long, invalid-answer, failed
     * @throws what `signal` was aborted with; the call is aborted when nobody else waits for it
     */
    complete: (message: Message<'llm.complete'>, signal: AbortSignal, how?: RunOptions) =>
      answer(state, message, signal, how) as Promise<Completion>,
    embed: (message: Message<'llm.embed'>, signal: AbortSignal, how?: RunOptions) =>
      answer(state, message, signal, how) as Promise<Embedding>,
    /** Cancels a request, also one that has not arrived yet: messages may be reordered. */
    cancel(id: string, why: string): void {
      const outcome = { refusal: new Refusal('failed', `cancelled: ${logText(why, 200)}`) };
      const request = lifecycle.get(id);
      if (request) lifecycle.end(request, outcome, 'cancelled');
      else if (!outcomes.has(id)) cache(state, id, outcome);
    },
    /** Evicts the cached outcome, so that the same id runs again. */
    evict: (id: string): void => void outcomes.delete(id),
    queue: lifecycle.queue,
    dispatcher,
    admission,
    unfit,
    /** Undefined without a database. It is closed after everything else. */
    budgetSync,
    /** What it holds; all zero while no request is in flight and no server rests. For tests. */
    debugCounters: () => ({ requests: lifecycle.size, ...dispatcher.debugCounters(), ...admission.debugCounters() }),
    /** Starts nothing more and ends all requests as lost. */
    close(): void {
      state.isClosing = true;
      dispatcher.close();
      hideDebts();
      for (const request of lifecycle.all()) lifecycle.end(request, { lost: new Error('the gateway has closed') });
    },
  };
}

interface State extends Parts {
  readonly lifecycle: Lifecycle;
  readonly dispatcher: Dispatcher;
  readonly partials: PartialAnswers;
  readonly admission: Admission;
  readonly unfit: UnfitReplies;
  readonly budgetSync: BudgetSync | undefined;
  /** Outcomes of ended requests by their ids. */
  readonly outcomes: LRUCache<string, Outcome>;
  /** Outcomes that are being recorded. */
  readonly recording: WeakMap<Outcome, Promise<void>>;
  readonly deadlines: ReturnType<typeof deadlineTimers>;
  isClosing: boolean;
}

function newState(parts: Parts): State {
  const { registry, now, log, options, replay, budgetUsage } = parts;
  const lifecycle = requestLifecycle({ queue: parts.queue ?? fairQueue(), now });
  const partials = partialAnswers({ now });
  const keepMs = (request: LlmRequest): number => (partials.isFree(request) ? options.replyMs : 0);
  const budgetSync =
    budgetUsage && !replay ? newBudgetSync({ ledger: budgetUsage, budgets: () => admission.budgets, log, now }) : undefined;
  const admission: Admission = newAdmission(registry, options, budgetSync?.usage);
  const state: State = {
    ...parts,
    lifecycle,
    admission,
    unfit: unfitReplies(),
    budgetSync,
    partials,
    dispatcher: newDispatcher({ ...parts, lifecycle, partials }),
    outcomes: new LRUCache({ ...CACHE, ttl: options.keepMs, perf: { now }, ttlResolution: 0 }),
    recording: new WeakMap(),
    deadlines: deadlineTimers(now, keepMs, (request) => onDeadline(state, request)),
    isClosing: false,
  };
  lifecycle.events.on('ended', (ended) => onEnded(state, ended));
  for (const event of ['changed', 'checked'] as const) registry.events.on(event, () => refuseUnserved(state));
  return state;
}

function onEnded(state: State, { request, outcome, reason, model, at }: RequestEnded): void {
  const { deadlines, recorder, recording, registry, unfit, usage } = state;
  deadlines.clear(request);
  request.grant?.settle(usedTokens(request), at);
  const name = model ?? knownModelName(registry, request) ?? 'unknown';
  if (reason) countEnd(request, reason, name, at);
  usage?.count(request, reason, name, at);
  unfit.ended(request, reason, model, outcome);
  // A cancellation is not an answer to be replayed: the caller no longer listened.
  if (recorder && reason && reason !== 'cancelled') recording.set(outcome, recorder(request.message, request.arrivedAt, outcome));
  if (!('lost' in outcome) && !request.isUnique) cache(state, request.id, outcome);
}

function cache({ outcomes, options }: State, id: string, outcome: Outcome): void {
  if (options.keepMs > 0) outcomes.set(id, outcome, { size: outcomeSize(outcome) });
}

function answer(state: State, message: RequestMessage, signal: AbortSignal, how: RunOptions = {}): Promise<ModelAnswer> {
  const { registry, now, budgetSync, outcomes, lifecycle, recording } = state;
  const span = { signal, now, modelOf: (request: LlmRequest) => knownModelName(registry, request) };
  return inRequestSpan(message, span, async (describe) => {
    signal.throwIfAborted();
    if (how.key) state.admission.learnKey(how.key);
    const refreshing = budgetSync?.ensureFresh();
    if (refreshing) await unlessAborted(refreshing, signal);
    if (state.isClosing) throw new Error('the gateway has closed');
    const cached = how.isUnique ? undefined : outcomes.get(message.id);
    const outcome = cached ?? (await wait(state, lifecycle.get(message.id) ?? describe(submit(state, message, how)), signal));
    await recording.get(outcome); // no caller gets an answer that is not in the recording
    if ('answer' in outcome) return outcome.answer;
    throw 'refusal' in outcome ? outcome.refusal : outcome.lost;
  });
}

async function wait({ lifecycle }: State, request: LlmRequest, signal: AbortSignal): Promise<Outcome> {
  request.waiters++;
  try {
    return await unlessAborted(request.outcome.promise, signal);
  } finally {
    request.waiters--;
    if (request.waiters === 0 && lifecycle.isLive(request)) {
      const hasLeft = signal.reason instanceof ClientDisconnected; // otherwise another gateway may go on with it
      lifecycle.end(request, { lost: new Error('no caller waits for the request') }, hasLeft ? 'cancelled' : undefined);
    }
  }
}

function submit(state: State, message: RequestMessage, how: RunOptions): LlmRequest {
  const { now, options, replay, lifecycle, admission, dispatcher, deadlines } = state;
  const arrivedAt = now();
  const latest = arrivedAt + options.maxRequestMs;
  const deadline = message.replyby === undefined ? latest : Math.min(latest, Date.parse(message.replyby));
  const request = newRequest({ message, arrivedAt, deadline, ...how, isReplay: replay !== undefined });
  if (replay) return startReplay(state, request, replay);

  lifecycle.register(request);
  const admitted = admission.admit(message, arrivedAt, deadline, dispatcher.expectedTokens(request), how.key);
  if ('refusal' in admitted) {
    const { refusal } = admitted;
    lifecycle.end(request, { refusal }, refusal.reason === 'limited' || refusal.reason === 'late' ? refusal.reason : 'failed');
    return request;
  }
  try {
    request.check = admission.compileCheck(message); // after the limits: compiling a schema is the most expensive step
  } catch (error) {
    lifecycle.discard(request);
    admitted.settle(0, arrivedAt);
    throw error;
  }
  request.grant = admitted;
  if (!dispatcher.isServed(request)) lifecycle.markUnserved(request, arrivedAt);
  deadlines.set(request);
  if (lifecycle.isLive(request)) dispatcher.enqueue(request);
  return request;
}

function startReplay({ lifecycle, admission, deadlines }: State, request: LlmRequest, replay: Replay): LlmRequest {
  request.check = admission.compileCheck(request.message);
  lifecycle.register(request);
  lifecycle.startReplay(request);
  void replay(request.message).then((outcome) => lifecycle.end(request, outcome, 'answer' in outcome ? 'done' : 'failed'));
  deadlines.set(request);
  return request;
}

/** The deadline of a request has passed, or will pass before more of a free text can reach its caller. */
function onDeadline(state: State, request: LlmRequest): void {
  const { lifecycle, partials, now } = state;
  const kept = partials.answerOf(request);
  if (!kept) {
    if (now() >= request.deadline) refuseLate(state, request);
    return;
  }
  const attempt = request.attempts.at(-1)!;
  attempt.usedTokens += kept.tokens.prompt + kept.tokens.completion;
  attempt.generatedTokens += kept.tokens.completion;
  lifecycle.end(request, { answer: kept }, 'done', kept.model);
  request.abort.abort(ANSWER_KEPT);
}

function refuseLate({ lifecycle, registry, dispatcher, now }: State, request: LlmRequest): void {
  const { state, isReplay } = request;
  const where = isReplay
    ? 'while the recording was read'
    : state.phase === 'running'
      ? `while the model was ${state.attempt?.sentAt === undefined ? 'being loaded' : 'answering'}`
      : dispatcher.isServed(request)
        ? `in the queue, with ${lifecycle.queue.size} waiting${restingServers(registry, request, now())}`
        : `while no server with the model was up: ${registry.describe()}`;
  lifecycle.end(request, { refusal: new Refusal('late', `the deadline passed ${where}${earlierFailure(request)}`) }, 'late');
}

/** Refuses queued requests for which no healthy server has been available for too long. */
function refuseUnserved({ lifecycle, dispatcher, registry, options, now }: State): void {
  const at = now();
  for (const request of lifecycle.all()) {
    const { state } = request;
    if (state.phase !== 'queued') continue;
    if (dispatcher.isServed(request)) {
      if (state.unservedSince !== undefined) lifecycle.markUnserved(request, undefined);
      continue;
    }
    const since = state.unservedSince ?? at;
    if (state.unservedSince === undefined) lifecycle.markUnserved(request, at);
    if (at - since < options.patienceMs) continue;
    const why = `no server with the model became available in time: ${registry.describe()}${earlierFailure(request)}`;
    lifecycle.end(request, { refusal: new Refusal('no-server', why) }, 'failed');
  }
}

/** Calls `onPassed` at the deadlines of requests and `earlyMs` before them. A timer may fire early, so each checks the clock. */
function deadlineTimers(now: () => number, earlyMs: (request: LlmRequest) => number, onPassed: (request: LlmRequest) => void) {
  function set(request: LlmRequest): void {
    const left = request.deadline - now();
    const soon = left - earlyMs(request);
    if (soon <= 0) onPassed(request);
    if (left > 0 && !request.abort.signal.aborted) request.deadlineTimer = setTimeout(set, Math.ceil(soon > 0 ? soon : left), request);
  }

  return {
    set,
    clear(request: LlmRequest): void {
      clearTimeout(request.deadlineTimer);
      request.deadlineTimer = undefined;
    },
  };
}
