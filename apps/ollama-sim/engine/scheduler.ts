import { failures } from '../errors.ts';
import { newBell } from './bell.ts';
import { type Caller, reasonOf, stillThere } from './caller.ts';
import type { Clock } from './clock.ts';
import { type Model, slotsFor } from './model.ts';
import type { ModelOptions } from './model-options.ts';
import { promptCache } from './prompt-cache.ts';
import { type Lease, newResidents } from './residents.ts';
import { contextFor, loadKey, type Runner, toEvict } from './runner.ts';
import { newSlots } from './slots.ts';

export interface Limits {
  /** Per model, OLLAMA_NUM_PARALLEL. */
  readonly slots: number;
  readonly maxLoaded: number;
  /** How many may wait for a load. */
  readonly maxQueue: number;
  readonly loadMs: number;
  readonly unloadMs: number;
  /** Infinity is for ever. */
  readonly keepAliveMs: number;
  /** Tokens per slot for requests that name none. */
  readonly contextLength: number;
  readonly promptCacheBytes: number;
}

export interface Wish {
  readonly model: Model;
  readonly options: ModelOptions;
  readonly shift: boolean;
  /** Undefined leaves what the model has. */
  readonly keepAliveMs: number | undefined;
  readonly caller: Caller;
  /** Makes the load fail. */
  readonly failLoad?: boolean;
}

/** Ollama's scheduler: what is loaded, who waits for a load, who must go. */
export interface Scheduler {
  /** Hands out the model, loading it if need be. Throws `Failure` 503 when too many wait, and why the caller was stopped. */
  take(wish: Wish): Promise<Lease>;
  /** Keeps the model in use for `ms` more, then calls `after`: for work that goes on when its client has left. */
  linger(runner: Runner, ms: number, after: () => void): void;
  /** The runner dies under all who use it; the next request loads it again. */
  crash(runner: Runner, why: Error): void;
  /** Unloads as soon as idle: one model, or all. */
  expire(name?: string): void;
  /** Resolves when nothing is loading or unloading. */
  settled(caller: Caller): Promise<void>;
  runners(): readonly Runner[];
  queued(): number;
  counts(): Counts;
  /** Drops all models and whoever uses or awaits them. */
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
  readonly wish: Wish;
  readonly resolve: (lease: Lease) => void;
  readonly reject: (error: Error) => void;
}

export const newScheduler = (limits: Limits, clock: Clock): Scheduler => {
  const bell = newBell();
  const residents = newResidents(clock, limits.unloadMs, bell);
  const pending: Pending[] = [];
  const counts = { loads: 0, loadsAborted: 0, loadsFailed: 0, crashes: 0, refused: 0 };
  let serving = false;

  const matches = (runner: Runner, wish: Wish): boolean =>
    runner.state === 'loaded' &&
    wish.failLoad !== true &&
    runner.key === loadKey(wish.model, wish.options, wish.shift, limits.contextLength);

  /** The load belongs to the one who asked for it: when that one leaves it is aborted. */
  const load = async (wish: Wish): Promise<Runner> => {
    const { model, caller } = wish;
    const runner = newRunner(wish, limits);
    residents.add(runner);
    caller.stage = 'loading';
    await clock.wait(model.loadMs ?? limits.loadMs, caller.signal);
    runner.callers.delete(caller);
    if (caller.signal.aborted || wish.failLoad === true) {
      counts[caller.signal.aborted ? 'loadsAborted' : 'loadsFailed']++;
      residents.forget(runner);
      throw caller.signal.aborted ? reasonOf(caller) : failures.loadFailed();
    }
    counts.loads++;
    runner.state = 'loaded';
    bell.ring();
    return runner;
  };

  /** Makes room and loads, as often as it takes: while it waits, others come and go. */
  const serve = async (wish: Wish): Promise<Lease> => {
    const { model, caller, keepAliveMs } = wish;
    for (;;) {
      stillThere(caller);
      const runner = residents.get(model.name);
      if (runner !== undefined && matches(runner, wish)) return residents.use(runner, caller, keepAliveMs);
      const leaving = runner ?? (residents.all().length >= limits.maxLoaded ? toEvict(residents.all()) : undefined);
      if (leaving === undefined) return residents.use(await load(wish), caller, keepAliveMs);
      residents.expire(leaving);
      if (residents.get(leaving.model.name) === leaving) await bell.next(caller.signal);
    }
  };

  /** One at a time: while the first loads or waits for room, all others wait. */
  const pump = async (): Promise<void> => {
    if (serving) return;
    serving = true;
    for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
      try {
        next.resolve(await serve(next.wish));
      } catch (error) {
        next.reject(error instanceof Error ? error : new Error(String(error)));
      }
    }
    serving = false;
  };

  const take = (wish: Wish): Promise<Lease> => {
    const { caller } = wish;
    if (caller.signal.aborted) return Promise.reject(reasonOf(caller));
    const runner = residents.get(wish.model.name);
    if (runner !== undefined && matches(runner, wish)) return Promise.resolve(residents.use(runner, caller, wish.keepAliveMs));
    if (serving && pending.length >= limits.maxQueue) {
      counts.refused++;
      return Promise.reject(failures.busy());
    }
    caller.stage = 'queued';
    return new Promise((resolve, reject) => {
      const entry: Pending = { wish, resolve, reject };
      const leave = (): void => {
        const at = pending.indexOf(entry);
        if (at < 0) return; // being served; `serve` sees the signal itself
        pending.splice(at, 1);
        reject(reasonOf(caller));
      };
      pending.push(entry);
      caller.signal.addEventListener('abort', leave, { once: true });
      void pump();
    });
  };

  const drop = (runner: Runner, why: Error): void => {
    residents.forget(runner);
    for (const caller of runner.callers) caller.abort(why);
  };

  return {
    take,
    linger: residents.linger,
    crash: (runner, why) => {
      counts.crashes++;
      drop(runner, why);
    },
    expire: (name) => {
      for (const runner of residents.all()) if (name === undefined || runner.model.name === name) residents.expire(runner);
    },
    settled: async (caller) => {
      while (residents.all().some((runner) => runner.state !== 'loaded')) {
        await bell.next(caller.signal);
        stillThere(caller);
      }
    },
    runners: residents.all,
    queued: () => pending.length,
    counts: () => ({ ...counts, unloads: residents.unloads() }),
    clear: (why) => {
      for (const { wish } of pending.slice()) wish.caller.abort(why);
      for (const runner of residents.all()) drop(runner, why);
    },
  };
};

const newRunner = (wish: Wish, limits: Limits): Runner => ({
  model: wish.model,
  key: loadKey(wish.model, wish.options, wish.shift, limits.contextLength),
  numCtx: contextFor(wish.model, wish.options, limits.contextLength),
  slots: newSlots(slotsFor(wish.model, limits.slots), promptCache(limits.promptCacheBytes)),
  callers: new Set([wish.caller]),
  state: 'loading',
  uses: 0,
  keepAliveMs: wish.keepAliveMs ?? limits.keepAliveMs,
  expiresAt: 0,
  timer: undefined,
  lingering: new Set(),
});
