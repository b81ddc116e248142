import type { Client } from './client.ts';
import type { Clock } from './clock.ts';
import type { Model } from './model-spec.ts';
import type { Slots } from './slots.ts';
import type { WaitList } from '../wait-list.ts';

/** A model that is loading, loaded or unloading. */
export interface Runner {
  readonly model: Model;
  /** Requests with the same key can share the runner. */
  readonly key: string;
  /** The context of each slot, in tokens. */
  readonly numCtx: number;
  readonly slots: Slots;
  /** Clients that run or wait for a slot. */
  readonly clients: Set<Client>;
  state: 'loading' | 'loaded' | 'unloading' | 'gone';
  /** The number of uses that have not ended. */
  uses: number;
  /** How long it stays after its last use; Infinity: for ever. */
  keepAliveMs: number;
  /** On the clock; valid while idle. */
  expiresAt: number;
  /** Runs while it is idle or unloading. */
  timer: AbortController | undefined;
  /** Aborted when it is gone; ends the work that goes on after a client left. */
  readonly gone: AbortController;
}

/** A loaded model, held for one request. */
export interface Lease {
  readonly runner: Runner;
  /** Idempotent. */
  release(): void;
}

/** The models in memory. */
export interface LoadedModels {
  /** By model name. */
  readonly runners: Map<string, Runner>;
  readonly clock: Clock;
  readonly unloadMs: number;
  /** Ends when a model is loaded, released or gone. */
  readonly changes: WaitList<void>;
  unloads: number;
}

/** Holds a runner for a client; a keep-alive replaces the one the runner has. */
export const useRunner = (models: LoadedModels, runner: Runner, client: Client, keepAliveMs: number | undefined): Lease => {
  runner.uses++;
  runner.timer?.abort();
  runner.clients.add(client);
  if (keepAliveMs !== undefined) runner.keepAliveMs = keepAliveMs;
  const release = (): void => {
    if (runner.clients.delete(client)) endUse(models, runner);
  };
  return { runner, release };
};

/** Keeps the runner in use for `ms` more, then calls `after`: for work that goes on when its client has left. */
export const lingerOn = (models: LoadedModels, runner: Runner, ms: number, after: () => void): void => {
  runner.uses++;
  void models.clock.wait(ms, runner.gone.signal).then(() => {
    after();
    return endUse(models, runner);
  });
};

/** The runner to evict: idle before busy, then the shortest keep-alive. */
export const chooseEviction = (runners: Iterable<Runner>): Runner | undefined => {
  const byStay = [...runners].toSorted((a, b) => (a.keepAliveMs === b.keepAliveMs ? 0 : a.keepAliveMs - b.keepAliveMs));
  return byStay.find((runner) => runner.uses === 0) ?? byStay[0];
};

/** Unloads the runner as soon as nobody uses it. */
export const expireRunner = (models: LoadedModels, runner: Runner): void => {
  runner.keepAliveMs = 0;
  startKeepAlive(models, runner);
};

/** Drops the runner at once, even while requests use it. */
export const forgetRunner = ({ runners, changes }: LoadedModels, runner: Runner): void => {
  runner.state = 'gone';
  runner.timer?.abort();
  runner.gone.abort();
  if (runners.get(runner.model.name) === runner) runners.delete(runner.model.name);
  changes.all();
};

const endUse = (models: LoadedModels, runner: Runner): void => {
  runner.uses--;
  startKeepAlive(models, runner);
  models.changes.all();
};

/** Starts the keep-alive of a runner that nobody uses. */
const startKeepAlive = (models: LoadedModels, runner: Runner): void => {
  if (runner.uses > 0 || runner.state !== 'loaded') return;
  if (runner.keepAliveMs <= 0) return unload(models, runner);
  runner.expiresAt = models.clock.now() + runner.keepAliveMs;
  if (runner.keepAliveMs !== Infinity) startTimer(models, runner, runner.keepAliveMs, () => unload(models, runner));
};

const unload = (models: LoadedModels, runner: Runner): void => {
  const leave = (): void => {
    models.unloads++;
    forgetRunner(models, runner);
  };
  runner.state = 'unloading';
  models.changes.all();
  if (models.unloadMs > 0) startTimer(models, runner, models.unloadMs, leave);
  else leave();
};

const startTimer = ({ clock }: LoadedModels, runner: Runner, ms: number, then: () => void): void => {
  const timer = new AbortController();
  runner.timer?.abort();
  runner.timer = timer;
  void clock.wait(ms, timer.signal).then(() => (timer.signal.aborted ? undefined : then()));
};
