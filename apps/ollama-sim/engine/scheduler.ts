import { ollamaErrors } from '../errors.ts';
import { newCondition } from './condition.ts';
import { type Client, abortReason, throwIfAborted } from './client.ts';
import type { Clock } from './clock.ts';
import { type Model, slotsFor } from './model-spec.ts';
import type { ModelOptions } from './model-options.ts';
import { promptCache } from './prompt-cache.ts';
import { expireRunner, forgetRunner, type Lease, lingerOn, type LoadedModels, useRunner } from './loaded-models.ts';
import { contextFor, loadKey, type Runner, chooseEviction } from './runner.ts';
import { newSlots } from './slots.ts';

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

export interface LoadRequest {
  readonly model: Model;
  readonly options: ModelOptions;
  readonly shift: boolean;
  /** Undefined: unchanged. */
  readonly keepAliveMs: number | undefined;
  readonly client: Client;
  /** Makes the load fail. */
  readonly failLoad?: boolean;
}

/** Ollama's scheduler: loads, queues and evicts models. */
export interface Scheduler {
  /** Hands out the model, loading it if need be. @throws HttpError 503 when too many wait; the client's abort reason */
  take(request: LoadRequest): Promise<Lease>;
  /** Keeps the model in use for `ms` more, then calls `after`: for work that goes on when its client has left. */
  linger(runner: Runner, ms: number, after: () => void): void;
  /** Kills the runner and aborts its clients; the next request loads it again. */
  crash(runner: Runner, why: Error): void;
  /** Unloads as soon as idle: one model, or all. */
  expire(name?: string): void;
  /** Resolves when nothing is loading or unloading. */
  settled(client: Client): Promise<void>;
  runners(): readonly Runner[];
  queued(): number;
  counts(): Counts;
  /** Drops all models and aborts every client that uses or awaits one. */
  clear(why: Error): void;
}

export interface Counts {
  readonly loads: number;
  readonly loadsAborted: number;
  readonly loadsFailed: number;
  readonly unloads: number;
  readonly crashes: number;
  readonly refused: number;
}

interface Pending {
  readonly request: LoadRequest;
  readonly resolve: (lease: Lease) => void;
  readonly reject: (error: Error) => void;
}

interface SchedulerState {
  readonly limits: Limits;
  readonly models: LoadedModels;
  readonly pending: Pending[];
  readonly counts: { -readonly [name in Exclude<keyof Counts, 'unloads'>]: number };
  /** A request is being served: it loads, or waits for room. */
  isServing: boolean;
}

export const newScheduler = (limits: Limits, clock: Clock): Scheduler => {
  const models: LoadedModels = { runners: new Map(), clock, unloadMs: limits.unloadMs, changed: newCondition(), unloads: 0 };
  const counts = { loads: 0, loadsAborted: 0, loadsFailed: 0, crashes: 0, refused: 0 };
  const state: SchedulerState = { limits, models, pending: [], counts, isServing: false };
  const runners = (): readonly Runner[] => [...models.runners.values()];
  return {
    take: (request) => take(state, request),
    linger: (runner, ms, after) => lingerOn(models, runner, ms, after),
    crash: (runner, why) => {
      counts.crashes++;
      drop(models, runner, why);
    },
    expire: (name) => {
      for (const runner of runners()) if (name === undefined || runner.model.name === name) expireRunner(models, runner);
    },
    settled: async (client) => {
      while (runners().some((runner) => runner.state !== 'loaded')) {
        await models.changed.next(client.signal);
        throwIfAborted(client);
      }
    },
    runners,
    queued: () => state.pending.length,
    counts: () => ({ ...counts, unloads: models.unloads }),
    clear: (why) => {
      for (const { request } of state.pending.slice()) request.client.abort(why);
      for (const runner of runners()) drop(models, runner, why);
    },
  };
};

const take = (state: SchedulerState, request: LoadRequest): Promise<Lease> => {
  const { limits, models, pending, counts } = state;
  const { client } = request;
  if (client.signal.aborted) return Promise.reject(abortReason(client));
  const runner = models.runners.get(request.model.name);
  if (runner !== undefined && matches(runner, request, limits))
    return Promise.resolve(useRunner(models, runner, client, request.keepAliveMs));
  if (state.isServing && pending.length >= limits.maxQueue) {
    counts.refused++;
    return Promise.reject(ollamaErrors.busy());
  }
  client.stage = 'queued';
  return new Promise((resolve, reject) => {
    const entry: Pending = { request, resolve, reject };
    const leave = (): void => {
      const at = pending.indexOf(entry);
      if (at < 0) return; // being served: `serve` watches the signal itself
      pending.splice(at, 1);
      reject(abortReason(client));
    };
    pending.push(entry);
    client.signal.addEventListener('abort', leave, { once: true });
    void serveAll(state);
  });
};

/** Serves one request at a time: while the first loads or waits for room, all others wait. */
const serveAll = async (state: SchedulerState): Promise<void> => {
  if (state.isServing) return;
  state.isServing = true;
  for (let next = state.pending.shift(); next !== undefined; next = state.pending.shift()) {
    try {
      next.resolve(await serve(state, next.request));
    } catch (error) {
      next.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }
  state.isServing = false;
};

/** Makes room and loads, as often as necessary: others come and go while it waits. */
const serve = async (state: SchedulerState, request: LoadRequest): Promise<Lease> => {
  const { limits, models } = state;
  const { model, client, keepAliveMs } = request;
  for (;;) {
    throwIfAborted(client);
    const runner = models.runners.get(model.name);
    if (runner !== undefined && matches(runner, request, limits)) return useRunner(models, runner, client, keepAliveMs);
    const leaving = runner ?? (models.runners.size >= limits.maxLoaded ? chooseEviction(models.runners.values()) : undefined);
    if (leaving === undefined) return useRunner(models, await load(state, request), client, keepAliveMs);
    expireRunner(models, leaving);
    if (models.runners.get(leaving.model.name) === leaving) await models.changed.next(client.signal);
  }
};

/** Loads the model for one client; the load is aborted when that client leaves. */
const load = async ({ limits, models, counts }: SchedulerState, request: LoadRequest): Promise<Runner> => {
  const { model, client } = request;
  const runner = newRunner(request, limits);
  models.runners.set(model.name, runner);
  client.stage = 'loading';
  await models.clock.wait(model.loadMs ?? limits.loadMs, client.signal);
  runner.clients.delete(client);
  if (client.signal.aborted || request.failLoad === true) {
    counts[client.signal.aborted ? 'loadsAborted' : 'loadsFailed']++;
    forgetRunner(models, runner);
    throw client.signal.aborted ? abortReason(client) : ollamaErrors.loadFailed();
  }
  counts.loads++;
  runner.state = 'loaded';
  models.changed.notify();
  return runner;
};

const drop = (models: LoadedModels, runner: Runner, why: Error): void => {
  forgetRunner(models, runner);
  for (const client of runner.clients) client.abort(why);
};

const matches = (runner: Runner, { model, options, shift, failLoad }: LoadRequest, { contextLength }: Limits): boolean =>
  runner.state === 'loaded' && failLoad !== true && runner.key === loadKey(model, options, shift, contextLength);

const newRunner = (request: LoadRequest, limits: Limits): Runner => ({
  model: request.model,
  key: loadKey(request.model, request.options, request.shift, limits.contextLength),
  numCtx: contextFor(request.model, request.options, limits.contextLength),
  slots: newSlots(slotsFor(request.model, limits.slots), promptCache(limits.promptCacheBytes)),
  clients: new Set([request.client]),
  state: 'loading',
  uses: 0,
  keepAliveMs: request.keepAliveMs ?? limits.keepAliveMs,
  expiresAt: 0,
  timer: undefined,
  lingering: new Set(),
});
