import { context } from '@opentelemetry/api';
import { LRUCache } from 'lru-cache';
import type { Data } from '@maw/contracts/contracts.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { keyOf } from '@maw/contracts/model-name.ts';
import type { GatewayOptions } from '../defaults.ts';
import { earlierFailure, type LlmRequest, type QueuedRequest } from '../request.ts';
import type { ModelLoads } from '../servers/model-loads.ts';
import type { ServerRegistry } from '../servers/registry.ts';
import type { Server } from '../servers/server.ts';
import { type Demand, demand as demandMeter } from './estimation/demand.ts';
import { estimates as speedEstimates } from './estimation/estimates.ts';
import { embeddingCache } from './embedding-cache.ts';
import { failurePolicy } from './failure-policy.ts';
import { feasibility as feasibilityOf } from './estimation/feasibility.ts';
import type { Lifecycle } from './lifecycle.ts';
import { modelKeyFor } from './model-choice.ts';
import type { PartialAnswers } from './partial-answers.ts';
import { type AttemptContext, runAttempt } from './run-attempt.ts';
import { slotAllocator } from './server-selection.ts';
import { slotGrace } from './slot-grace.ts';
import { attemptMetrics } from './telemetry/attempt-metrics.ts';

export type Dispatcher = ReturnType<typeof dispatcher>;

interface Parts {
  readonly partials: PartialAnswers;
  readonly registry: ServerRegistry;
  readonly lifecycle: Lifecycle;
  readonly loads: ModelLoads;
  readonly log: Log;
  readonly options: GatewayOptions;
  now(): number;
}

interface State extends AttemptContext {
  readonly demand: Demand;
  isClosed: boolean;
  sweptAt: number;
}

/** A request is dropped when its expected duration times this no longer fits before its deadline; earlier when the pool is crowded. */
const SAFETY = { calm: 1, crowded: 1.5 };
const CROWDED_UTILISATION = 0.9;
/** Infeasible requests are found when their turn comes; the whole queue is searched at most this often, in milliseconds. */
const SWEEP_EVERY_MS = 100;
/** Games whose last server is remembered. */
const MAX_GAMES = 10_000;

/** Gives free slots to queued requests. Work conserving: no slot is free while a request waits that could use it. */
export function dispatcher(parts: Parts) {
  const state = newState(parts);
  const { registry, lifecycle, slots, estimates, demand, failures, loads, grace, metrics, now } = state;
  // Deferred, so that listeners that read which models are loaded run first.
  registry.events.on('up', () => queueMicrotask(() => fillSlots(state)));
  registry.events.on('removed', estimates.forgetServer);
  for (const event of ['changed', 'checked'] as const) registry.events.on(event, () => fillSlots(state));

  return {
    /** Queues an admitted request; it starts at once when it can. */
    enqueue(request: LlmRequest): void {
      const key = modelKeyFor(registry, request);
      failures.onRequest();
      demand.record(now(), request.game, key === undefined ? 0 : estimates.estimate(key, request.size).slotMs);
      lifecycle.enqueue(request, request.deadline, laneOf(request));
      fillSlots(state);
    },
    /** Whether a healthy server has the request's model. */
    isServed(request: LlmRequest): boolean {
      const key = modelKeyFor(registry, request);
      return key !== undefined && state.feasibility.isServed(key);
    },
    /** How many tokens the request is expected to use. */
    expectedTokens(request: LlmRequest): number {
      const key = modelKeyFor(registry, request);
      const { promptTokens, maxTokens } = request.size;
      return promptTokens + Math.ceil(key === undefined ? maxTokens : estimates.estimate(key, request.size).outputTokens);
    },
    busySlots: slots.busy,
    msPerToken: estimates.msPerToken,
    capacity(): Data<'llm.capacity'> {
      const at = now();
      const all = totalSlots(registry);
      return { utilisation: demand.utilisation(at, all), active: demand.activeGames(at), more: demand.roomForGames(at, all) };
    },
    /** Slots in use, those of aborted calls, models being loaded, and timers for the end of servers' rests. */
    debugCounters: () => ({
      slots: registry.all.reduce((sum, { name }) => sum + slots.busy(name), 0),
      held: grace.size,
      loads: loads.size,
      wakes: failures.timers,
    }),
    /** Starts nothing any more. */
    close(): void {
      state.isClosed = true;
      metrics.close();
      loads.close();
      failures.close();
      grace.close();
    },
  };
}

function newState({ registry, lifecycle, loads, partials, log, options, now }: Parts): State {
  const estimates = speedEstimates();
  const feasibility = feasibilityOf({ registry, estimates, now, options });
  return {
    registry,
    lifecycle,
    loads,
    options,
    now,
    estimates,
    feasibility,
    slots: slotAllocator(),
    demand: demandMeter(),
    failures: failurePolicy({ registry, events: registry.events, feasibility, now, log }),
    grace: slotGrace(registry.events),
    affinity: new LRUCache({ max: MAX_GAMES }),
    embeddings: embeddingCache(),
    partials,
    metrics: attemptMetrics({ registry, queue: lifecycle.queue, now }),
    isClosed: false,
    sweptAt: -Infinity,
  };
}

const totalSlots = ({ all }: ServerRegistry): number =>
  all.reduce((sum, { health, isDraining, slots }) => sum + (health.isUp && !isDraining ? slots : 0), 0);

/**
 * The model, what may answer for it, and the servers that are avoided: requests of one lane can run on the same servers. The default model has a lane of its own: which
 * model it is may change meanwhile.
 */
const laneOf = ({ message, key, retry }: LlmRequest): string =>
  [message.data.model === undefined ? '' : keyOf(message.data.model), ...(key?.models ?? []), ...retry.failedOn].join(' ');

function selectServer({ registry, slots, affinity, estimates, loads }: State, request: LlmRequest, model: string): Server | undefined {
  return slots.select(registry.all, {
    model,
    lastServer: affinity.peek(request.message.subject),
    avoid: request.retry.failedOn,
    msPerToken: (server) => estimates.msPerToken(model, server),
    isLoading: (server) => loads.isLoading(server, model),
  });
}

/** Starts queued requests while there are free slots for them. */
function fillSlots(state: State): void {
  const { registry, slots, lifecycle } = state;
  const { queue } = lifecycle;
  if (state.isClosed || queue.size === 0) return;
  const fullLanes = new Set<string>();
  let isInfeasible: ((request: LlmRequest) => boolean) | undefined;
  const canRun = ({ request, lane }: QueuedRequest): boolean => {
    const key = modelKeyFor(registry, request);
    if (key === undefined || fullLanes.has(lane)) return false;
    if (selectServer(state, request, key)) return true;
    fullLanes.add(lane);
    return false;
  };

  while (queue.size > 0 && registry.all.some(({ health, name, slots: count }) => health.isUp && slots.busy(name) < count)) {
    if (!isInfeasible) sweep(state, (isInfeasible = feasibilityTest(state)));
    const request = queue.takeNext(canRun)?.request;
    if (!request) break;
    if (isInfeasible(request)) {
      drop(state, request);
      continue;
    }
    const key = modelKeyFor(registry, request);
    const server = key === undefined ? undefined : selectServer(state, request, key);
    if (!server) break;
    void context.with(request.context, start, undefined, state, request, server, key!);
  }
}

async function start(state: State, request: LlmRequest, server: Server, key: string): Promise<void> {
  await runAttempt(state, request, server, server.models.get(key)!, () => laneOf(request));
  fillSlots(state);
}

/** Whether a request can no longer end in time, as things are now. */
function feasibilityTest({ now, demand, registry, feasibility }: State): (request: LlmRequest) => boolean {
  const at = now();
  const safety = demand.utilisation(at, totalSlots(registry)) >= CROWDED_UTILISATION ? SAFETY.crowded : SAFETY.calm;
  return (request) => {
    const left = request.deadline - at;
    const key = modelKeyFor(registry, request);
    return left <= 0 || (key !== undefined && left < safety * feasibility.minMs(request, key));
  };
}

function sweep(state: State, isInfeasible: (request: LlmRequest) => boolean): void {
  const at = state.now();
  if (at >= state.sweptAt && at - state.sweptAt < SWEEP_EVERY_MS) return;
  state.sweptAt = at;
  for (const { request } of state.lifecycle.queue.dropWhere(({ request: queued }) => isInfeasible(queued))) drop(state, request);
}

function drop({ registry, feasibility, lifecycle, now }: State, request: LlmRequest): void {
  const key = modelKeyFor(registry, request);
  const needed = key === undefined ? 0 : Math.round(feasibility.minMs(request, key));
  const why = `about ${needed} ms are needed, ${Math.max(0, request.deadline - now())} ms are left, and no slot was free before`;
  lifecycle.end(request, { refusal: new Refusal('late', why + earlierFailure(request)) }, 'dropped');
}
