import { ollamaErrors } from '../errors.ts';
import type { Client } from './client.ts';
import type { Clock } from './clock.ts';
import { type Model, slotsFor } from './model-spec.ts';
import type { ModelOptions } from './model-options.ts';
import { promptCache } from './prompt-cache.ts';
import { chooseEviction, expireRunner, forgetRunner, type Lease, lingerOn, type LoadedModels, type Runner, useRunner } from './runners.ts';
import { newSlots } from './slots.ts';
import { newWaitList, type WaitList } from '../wait-list.ts';

export interface Limits {
  /** Per model, OLLAMA_NUM_PARALLEL. */
  readonly slots: number;
  readonly maxLoaded: number;
  /** The longest queue for a load. */
  readonly maxQueue: number;
  readonly loadMs: number;
  readonly unloadMs: number;
  /** Infinity: for ever. */
  readonly keepAliveMs: number;
  /** Tokens per slot unless a request sets `num_ctx`. */
  readonly contextLength: number;
  readonly promptCacheBytes: number;
}

interface LoadRequest {
  readonly model: Model;
  readonly options: ModelOptions;
  readonly shift: boolean;
  /** Undefined: unchanged. */
  readonly keepAliveMs: number | undefined;
  readonly client: Client;
  /** Makes the load fail. */
  readonly failLoad?: boolean;
}

interface SchedulerState {
  readonly limits: Limits;
  readonly models: LoadedModels;
  readonly queue: WaitList<void>;
  readonly counts: { loads: number; loadsAborted: number; loadsFailed: number; crashes: number; refused: number };
  /** A request is being served: it loads, or waits for room. */
  isServing: boolean;
}

export type Scheduler = ReturnType<typeof newScheduler>;

/** Ollama's scheduler: loads, queues and evicts models. */
export const newScheduler = (limits: Limits, clock: Clock) => {
  const models: LoadedModels = { runners: new Map(), clock, unloadMs: limits.unloadMs, changes: newWaitList(), unloads: 0 };
  const counts = { loads: 0, loadsAborted: 0, loadsFailed: 0, crashes: 0, refused: 0 };
  const state: SchedulerState = { limits, models, queue: newWaitList(), counts, isServing: false };
  const runners = (): readonly Runner[] => [...models.runners.values()];
  return {
    /** Hands out the model, loading it if need be. @throws HttpError 503 when too many wait; the client's abort reason */
    take: (request: LoadRequest): Promise<Lease> => take(state, request),
    /** Keeps the model in use for `ms` more, then calls `after`: for work that goes on when its client has left. */
    linger: (runner: Runner, ms: number, after: () => void): void => lingerOn(models, runner, ms, after),
    /** Kills the runner and aborts its clients; the next request loads it again. */
    crash: (runner: Runner, why: Error): void => {
      counts.crashes++;
      forgetRunner(models, runner);
      for (const client of runner.clients) client.abort(why);
    },
    /** Unloads as soon as idle: one model, or all. */
    expire: (name?: string): void => {
      for (const runner of runners()) if (name === undefined || runner.model.name === name) expireRunner(models, runner);
    },
    /** Drops all models at once. */
    clear: (): void => runners().forEach((runner) => forgetRunner(models, runner)),
    /** Resolves when nothing is loading or unloading. @throws the client's abort reason */
    settled: async (client: Client): Promise<void> => {
      while (runners().some((runner) => runner.state !== 'loaded')) await models.changes.wait(client.signal);
    },
    runners,
    queued: (): number => state.queue.size(),
    counts: () => ({ ...counts, unloads: models.unloads }),
  };
};

/** Serves one request that needs a load at a time: while the first loads or waits for room, all others wait. */
const take = async (state: SchedulerState, request: LoadRequest): Promise<Lease> => {
  const { limits, queue, counts } = state;
  const { client } = request;
  client.signal.throwIfAborted();
  const lease = leaseOfLoaded(state, request);
  if (lease !== undefined) return lease;
  if (state.isServing && queue.size() >= limits.maxQueue) {
    counts.refused++;
    throw ollamaErrors.busy();
  }
  client.stage = 'queued';
  if (state.isServing) await queue.wait(client.signal);
  state.isServing = true;
  try {
    return await serve(state, request);
  } finally {
    if (queue.size() > 0) queue.next();
    else state.isServing = false;
  }
};

/** Makes room and loads, as often as necessary: others come and go while it waits. */
const serve = async (state: SchedulerState, request: LoadRequest): Promise<Lease> => {
  const { limits, models } = state;
  const { model, client, keepAliveMs } = request;
  for (;;) {
    client.signal.throwIfAborted();
    const lease = leaseOfLoaded(state, request);
    if (lease !== undefined) return lease;
    const leaving =
      models.runners.get(model.name) ?? (models.runners.size >= limits.maxLoaded ? chooseEviction(models.runners.values()) : undefined);
    if (leaving === undefined) return useRunner(models, await load(state, request), client, keepAliveMs);
    expireRunner(models, leaving);
    if (models.runners.get(leaving.model.name) === leaving) await models.changes.wait(client.signal);
  }
};

/** The model, if it is loaded with the options of the request. */
const leaseOfLoaded = ({ limits, models }: SchedulerState, request: LoadRequest): Lease | undefined => {
  const runner = models.runners.get(request.model.name);
  if (runner?.state !== 'loaded' || request.failLoad === true || runner.key !== loadKey(request, limits)) return undefined;
  return useRunner(models, runner, request.client, request.keepAliveMs);
};

/** Loads the model for one client; the load is aborted when that client leaves. */
const load = async ({ limits, models, counts }: SchedulerState, request: LoadRequest): Promise<Runner> => {
  const { model, client } = request;
  const runner: Runner = {
    model,
    key: loadKey(request, limits),
    numCtx: contextFor(request, limits),
    slots: newSlots(slotsFor(model, limits.slots), promptCache(limits.promptCacheBytes)),
    clients: new Set([client]),
    state: 'loading',
    uses: 0,
    keepAliveMs: request.keepAliveMs ?? limits.keepAliveMs,
    expiresAt: 0,
    timer: undefined,
    gone: new AbortController(),
  };
  models.runners.set(model.name, runner);
  client.stage = 'loading';
  await models.clock.wait(model.loadMs ?? limits.loadMs, client.signal);
  runner.clients.delete(client);
  if (client.signal.aborted || request.failLoad === true) {
    counts[client.signal.aborted ? 'loadsAborted' : 'loadsFailed']++;
    forgetRunner(models, runner);
    client.signal.throwIfAborted();
    throw ollamaErrors.loadFailed();
  }
  counts.loads++;
  runner.state = 'loaded';
  models.changes.all();
  return runner;
};

/** The context of a request: its own or the server's, capped at the model's. */
const contextFor = ({ model, options }: LoadRequest, { contextLength }: Limits): number =>
  Math.min(options.numCtx ?? contextLength, model.contextLength);

const loadKey = (request: LoadRequest, limits: Limits): string =>
  JSON.stringify({ numCtx: contextFor(request, limits), shift: request.shift, ...request.options.atLoad });
