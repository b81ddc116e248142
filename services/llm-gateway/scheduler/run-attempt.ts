import type { LRUCache } from 'lru-cache';
import { unlessAborted } from '@maw/async/abort.ts';
import { keyOf } from '@maw/contracts/model-name.ts';
import type { GatewayOptions } from '../defaults.ts';
import type { Attempt, LlmRequest } from '../request.ts';
import type { ModelLoads } from '../servers/model-loads.ts';
import type { ServerRegistry } from '../servers/registry.ts';
import type { Model } from '../servers/server-models.ts';
import type { Server } from '../servers/server.ts';
import { callModel } from './call-model.ts';
import type { EmbedResult } from '../providers/provider.ts';
import type { EmbeddingCache } from './embedding-cache.ts';
import type { Estimates } from './estimation/estimates.ts';
import type { FailurePolicy } from './failure-policy.ts';
import type { Feasibility } from './estimation/feasibility.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { PartialAnswers } from './partial-answers.ts';
import type { SlotAllocator } from './server-selection.ts';
import type { SlotGrace } from './slot-grace.ts';
import type { AttemptMetrics } from './telemetry/attempt-metrics.ts';

/** What an attempt needs of the scheduler. */
export interface AttemptContext {
  readonly registry: ServerRegistry;
  readonly lifecycle: Lifecycle;
  readonly slots: SlotAllocator;
  readonly estimates: Estimates;
  readonly feasibility: Feasibility;
  readonly failures: FailurePolicy;
  readonly loads: ModelLoads;
  readonly grace: SlotGrace;
  /** The server that ran the last request of each game. */
  readonly affinity: LRUCache<string, string>;
  readonly metrics: AttemptMetrics;
  readonly embeddings: EmbeddingCache<EmbedResult>;
  readonly partials: PartialAnswers;
  readonly options: GatewayOptions;
  now(): number;
}

/** An attempt in progress. */
interface Run {
  readonly request: LlmRequest;
  readonly attempt: Attempt;
  readonly server: Server;
  readonly model: Model;
  /** The model's key. */
  readonly key: string;
  readonly expectedMs: number;
  /** How long the server stays busy after the call was aborted. */
  graceMs: number;
  /** Whether the game is charged for the slot time: not when the server wasted it. */
  isCharged: boolean;
  isRetried: boolean;
  failure: unknown;
}

/** Runs one attempt, from taking a slot to releasing it: the request has then ended, or is queued for a retry. Never rejects. */
export async function runAttempt(
  context: AttemptContext,
  request: LlmRequest,
  server: Server,
  model: Model,
  lane: () => string,
): Promise<void> {
  const { registry, lifecycle, slots, estimates, affinity, metrics, grace, now } = context;
  const key = keyOf(model.name);
  const releaseSlot = slots.acquire(server, key);
  const release = () => {
    releaseSlot();
    registry.setBusy(server.name, slots.busy(server.name)); // after a grace time too: a removed server goes once it is idle
  };
  const expectedMs = estimates.estimate(key, request.size, server.name).slotMs;
  const settle = lifecycle.queue.charge(request.game, expectedMs);
  const lastServer = affinity.peek(request.message.subject);
  const attempt = lifecycle.start(request, server, lastServer === server.name);
  const run: Run = { request, attempt, server, model, key, expectedMs, graceMs: 0, isCharged: true, isRetried: false, failure: undefined };
  server.startAttempt(key, attempt);
  registry.setBusy(server.name, slots.busy(server.name));
  metrics.started(request, attempt, model, lastServer);
  try {
    if (await isPrepared(context, run)) await call(context, run);
    else onUnloaded(run);
  } catch (error) {
    if (request.abort.signal.aborted) onAborted(context, run);
    else onFailed(context, run, error);
  } finally {
    settle(run.isCharged ? sinceSent(run, now()) : 0);
    if (run.isRetried) lifecycle.enqueue(request, RETRY_RANK, lane());
    // Before the slot is released: that may remove the server and its metrics.
    const waste = metrics.ended(request, attempt, model, run.failure);
    if (run.graceMs > 0) grace.hold(server.name, metrics.countGrace(waste, release), run.graceMs);
    else release();
  }
}

const sinceSent = ({ attempt: { sentAt } }: Run, at: number): number => (sentAt === undefined ? 0 : at - sentAt);

/** Loads the model where it is not in memory. @returns false when it was unloaded unseen, while an idle server has it */
async function isPrepared({ registry, loads, slots }: AttemptContext, { request, server, model, key }: Run): Promise<boolean> {
  const { retry, abort } = request;
  const isIdleElsewhere = (): boolean => {
    const others = registry.all.filter((one) => one !== server && one.isResident(key) && !retry.failedOn.has(one.name));
    return slots.select(others, { model: key, lastServer: undefined, avoid: new Set(), msPerToken: () => undefined }) !== undefined;
  };
  if (server.isResident(key)) {
    if (server.models.isSeen(key) || !isIdleElsewhere()) return true;
    if (await unlessAborted(server.models.isStillResident(key), abort.signal)) return true;
    if (isIdleElsewhere()) return false;
  }
  await loads.ensureLoaded(server, model, abort.signal);
  return true;
}

/** The request goes to a server that has the model in memory. */
function onUnloaded(run: Run): void {
  run.server.breakers.inconclusive(run.key, run.attempt);
  run.isCharged = false;
  run.isRetried = true;
}

async function call(context: AttemptContext, run: Run): Promise<void> {
  const { lifecycle, estimates, feasibility, affinity, metrics, grace, options, now } = context;
  const { request, attempt, server, model, key } = run;
  const maxTokens = feasibility.tokensThatFit(request, key, server.name);
  const sentAt = (attempt.sentAt = now());
  const onText = (piece: string): void => context.partials.hear(request, attempt, model.name, piece);
  const settings = { ...options, maxTokens, embeddings: context.embeddings, onText, now };
  const result = await callModel(request, attempt, server, model, settings);
  const { tokens, times } = result;
  server.breakers.succeeded(key, attempt);
  server.models.markUsed(key);
  const measured = { promptTokens: tokens.prompt, prefillMs: times.prefill, outputTokens: tokens.completion, decodeMs: times.decode };
  estimates.learn(key, server.name, request.size.kind, measured, now());
  metrics.answered(request, attempt, model, { tokens, times, expectedMs: run.expectedMs });
  grace.releaseAll(server.name);
  affinity.set(request.message.subject, server.name);
  const answer = result.answer({
    server: server.name,
    attempts: attempt.number,
    repaired: request.retry.repairs > 0,
    times: {
      queued: Math.max(0, attempt.startedAt - request.arrivedAt),
      load: sentAt - attempt.startedAt + times.load,
      prefill: times.prefill,
      decode: times.decode,
      total: now() - request.arrivedAt,
    },
  });
  lifecycle.end(request, { answer }, 'done', model.name);
}

/** The request has ended before its call did. */
function onAborted({ feasibility, failures }: AttemptContext, run: Run): void {
  const { request, attempt, server, model, key } = run;
  if (attempt.sentAt !== undefined) run.graceMs = feasibility.graceMs(request, key, attempt);
  if (attempt.sentAt !== undefined && feasibility.isStuck(request, key, attempt)) failures.onStuck(attempt, server, model);
  else server.breakers.inconclusive(key, attempt);
}

function onFailed({ lifecycle, failures, grace, affinity }: AttemptContext, run: Run, error: unknown): void {
  const { request, attempt, server, model } = run;
  run.failure = error;
  if (attempt.sentAt !== undefined) grace.releaseAll(server.name);
  const decision = failures.onFailure(request, attempt, error, server, model);
  if (decision.action === 'refuse') return lifecycle.end(request, { refusal: decision.refusal }, decision.reason, model.name);
  lifecycle.prepareRetry(request, decision.retry);
  if (decision.mode === 'repaired')
    affinity.set(request.message.subject, server.name); // its prompt is in the cache there
  else run.isCharged = false; // the game pays for the next attempt, not for what the server wasted
  run.isRetried = true;
}

/** Before all deadlines. */
const RETRY_RANK = -1;
