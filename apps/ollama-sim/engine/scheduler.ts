import { ollamaErrors } from '../errors.ts';
import { newWaitList, type WaitList } from '../wait-list.ts';
import type { Clock } from './clock.ts';
import type { ModelOptions } from './model-options.ts';
import type { Model } from './model-spec.ts';

/** The stage of a request; disconnects are counted by it. */
export type Stage = 'reading' | 'queued' | 'loading' | 'waiting' | 'prefill' | 'streaming';

/** The client of a request. Aborted with `RequestCanceled` when it leaves, with an `HttpError` when the runner dies. */
export interface Client {
  readonly signal: AbortSignal;
  abort(reason: Error): void;
  stage: Stage;
}

export interface Limits {
  /** Per model, OLLAMA_NUM_PARALLEL. */
  readonly slots: number;
  readonly loadMs: number;
  /** Infinity: for ever. */
  readonly keepAliveMs: number;
  /** Tokens per slot unless a request sets `num_ctx`. */
  readonly contextLength: number;
}

/** A model that is loading or loaded. */
export interface Runner {
  readonly model: Model;
  /** The context of each slot, in tokens. */
  readonly numCtx: number;
  readonly slots: Slots;
  /** Clients that run or wait for a slot. */
  readonly clients: Set<Client>;
  state: 'loading' | 'loaded';
  /** How long it stays after its last use; Infinity: for ever. */
  keepAliveMs: number;
  /** On the clock; valid while idle. */
  expiresAt: number;
}

/** A loaded model, held for one request. */
export interface Lease {
  readonly runner: Runner;
  /** Idempotent. */
  release(): void;
}

interface LoadRequest {
  readonly model: Model;
  readonly options: ModelOptions;
  /** Undefined: unchanged. */
  readonly keepAliveMs: number | undefined;
  readonly client: Client;
  /** Makes the load fail. */
  readonly failLoad?: boolean;
}

interface SchedulerState {
  readonly limits: Limits;
  readonly clock: Clock;
  /** By model name. */
  readonly models: Map<string, Runner>;
  /** Ends when a model is loaded, released or gone. */
  readonly changes: WaitList;
  readonly queue: WaitList;
  readonly counts: { loads: number; loadsAborted: number; loadsFailed: number; unloads: number; crashes: number };
  /** A request is being served: it loads. */
  isServing: boolean;
}

export type Scheduler = ReturnType<typeof newScheduler>;

/** Ollama's scheduler: loads models one at a time. Any number of them stay in memory. */
export const newScheduler = (limits: Limits, clock: Clock) => {
  const counts = { loads: 0, loadsAborted: 0, loadsFailed: 0, unloads: 0, crashes: 0 };
  const state: SchedulerState = {
    limits,
    clock,
    models: new Map(),
    changes: newWaitList(),
    queue: newWaitList(),
    counts,
    isServing: false,
  };
  const runners = (): readonly Runner[] => residents(state);
  return {
    /** Hands out the model, loading it if need be. @throws the client's abort reason */
    take: (request: LoadRequest): Promise<Lease> => take(state, request),
    /** Kills the runner and aborts its clients; the next request loads it again. */
    crash: (runner: Runner, why: Error): void => {
      counts.crashes++;
      forget(state, runner);
      for (const client of runner.clients) client.abort(why);
    },
    /** Unloads as soon as idle: one model, or all. */
    expire: (name?: string): void => {
      for (const runner of runners()) if (name === undefined || runner.model.name === name) expire(state, runner);
    },
    /** Drops all models at once. */
    clear: (): void => runners().forEach((runner) => forget(state, runner)),
    /** Resolves when nothing is loading. @throws the client's abort reason */
    settled: async (client: Client): Promise<void> => {
      while (runners().some((runner) => runner.state !== 'loaded')) await state.changes.wait(client.signal);
    },
    runners,
    queued: (): number => state.queue.size(),
    counts: () => ({ ...counts }),
  };
};

/** The models in memory. Those whose keep-alive is over leave now: until somebody looks, nobody can tell. */
const residents = (state: SchedulerState): readonly Runner[] => {
  for (const runner of state.models.values())
    if (runner.state === 'loaded' && runner.clients.size === 0 && runner.expiresAt <= state.clock.now()) unload(state, runner);
  return [...state.models.values()];
};

/** Serves one request that needs a load at a time: while the first loads, all others wait. */
const take = async (state: SchedulerState, request: LoadRequest): Promise<Lease> => {
  const { queue } = state;
  const { client } = request;
  client.signal.throwIfAborted();
  const lease = leaseOfLoaded(state, request);
  if (lease !== undefined) return lease;
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

/** Loads the model; again where it is loaded with another context, once nobody uses that. */
const serve = async (state: SchedulerState, request: LoadRequest): Promise<Lease> => {
  const { models } = state;
  const { model, client } = request;
  for (;;) {
    client.signal.throwIfAborted();
    const lease = leaseOfLoaded(state, request);
    if (lease !== undefined) return lease;
    const leaving = models.get(model.name);
    if (leaving === undefined) return lend(state, await load(state, request), request);
    expire(state, leaving);
    if (models.get(leaving.model.name) === leaving) await state.changes.wait(client.signal);
  }
};

/** The model, if it is loaded with the options of the request. */
const leaseOfLoaded = (state: SchedulerState, request: LoadRequest): Lease | undefined => {
  const runner = residents(state).find(({ model }) => model.name === request.model.name);
  if (runner?.state !== 'loaded' || request.failLoad === true || runner.numCtx !== contextFor(request, state.limits)) return undefined;
  return lend(state, runner, request);
};

/** Holds a runner for a client; a keep-alive replaces the one the runner has. */
const lend = (state: SchedulerState, runner: Runner, { client, keepAliveMs }: LoadRequest): Lease => {
  runner.clients.add(client);
  if (keepAliveMs !== undefined) runner.keepAliveMs = keepAliveMs;
  const release = (): void => {
    if (!runner.clients.delete(client)) return;
    runner.expiresAt = state.clock.now() + runner.keepAliveMs;
    if (runner.keepAliveMs <= 0) expire(state, runner);
    state.changes.all();
  };
  return { runner, release };
};

/** Unloads the runner as soon as nobody uses it. */
const expire = (state: SchedulerState, runner: Runner): void => {
  runner.keepAliveMs = 0;
  if (runner.state === 'loaded' && runner.clients.size === 0) unload(state, runner);
};

const unload = (state: SchedulerState, runner: Runner): void => {
  if (forget(state, runner)) state.counts.unloads++;
};

/** Drops the runner at once, even while requests use it. Returns whether it was still there. */
const forget = ({ models, changes }: SchedulerState, runner: Runner): boolean => {
  const wasThere = models.get(runner.model.name) === runner && models.delete(runner.model.name);
  changes.all();
  return wasThere;
};

/** Loads the model for one client; the load is aborted when that client leaves. */
const load = async (state: SchedulerState, request: LoadRequest): Promise<Runner> => {
  const { limits, models, counts } = state;
  const { model, client } = request;
  const runner: Runner = {
    model,
    numCtx: contextFor(request, limits),
    slots: newSlots(limits.slots),
    clients: new Set([client]),
    state: 'loading',
    keepAliveMs: request.keepAliveMs ?? limits.keepAliveMs,
    expiresAt: Infinity,
  };
  models.set(model.name, runner);
  client.stage = 'loading';
  await state.clock.wait(model.loadMs ?? limits.loadMs, client.signal);
  runner.clients.delete(client);
  if (client.signal.aborted || request.failLoad === true) {
    counts[client.signal.aborted ? 'loadsAborted' : 'loadsFailed']++;
    forget(state, runner);
    client.signal.throwIfAborted();
    throw ollamaErrors.loadFailed();
  }
  counts.loads++;
  runner.state = 'loaded';
  state.changes.all();
  return runner;
};

/** The context of a request: its own or the server's, capped at the model's. */
const contextFor = ({ model, options }: LoadRequest, { contextLength }: Limits): number =>
  Math.min(options.numCtx ?? contextLength, model.contextLength);

/** The parallel slots of a loaded model: a semaphore with an unbounded FIFO queue. */
type Slots = ReturnType<typeof newSlots>;

const newSlots = (total: number) => {
  const waiters = newWaitList();
  let [busy, wedged] = [0, 0];
  /** One slot, held for a request. Only the first `release` or `wedge` counts; a wedged slot stays busy for ever. */
  const lease = () => {
    let isOpen = true;
    const once = (end: () => void) => (): void => {
      if (isOpen) end();
      isOpen = false;
    };
    const passOn = (): void => (waiters.size() > 0 ? waiters.next() : void busy--);
    return { release: once(passOn), wedge: once(() => void wedged++) };
  };
  /** @throws the reason of the abort */
  const takeSlot = async (signal: AbortSignal) => {
    signal.throwIfAborted();
    if (busy < total) busy++;
    else await waiters.wait(signal);
    return lease();
  };
  return { take: takeSlot, total, busy: () => busy, wedged: () => wedged, waiting: waiters.size };
};
