import type { Client } from './client.ts';
import type { Clock } from './clock.ts';
import type { Condition } from './condition.ts';
import type { Runner } from './runner.ts';

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
  /** Notified when a model is loaded, released or gone. */
  readonly changed: Condition;
  unloads: number;
}

// An abort with a reason does not create an exception with a stack.
const ENDED = 'ended';

/** Holds a runner for a client; a keep-alive replaces the one the runner has. */
export const useRunner = (models: LoadedModels, runner: Runner, client: Client, keepAliveMs: number | undefined): Lease => {
  runner.uses++;
  runner.timer?.abort(ENDED);
  runner.clients.add(client);
  if (keepAliveMs !== undefined) runner.keepAliveMs = keepAliveMs;
  let isHeld = true;
  const release = (): void => {
    if (!isHeld) return;
    isHeld = false;
    runner.clients.delete(client);
    endUse(models, runner);
  };
  return { runner, release };
};

/** Keeps the runner in use for `ms` more, then calls `after`: for work that goes on when its client has left. */
export const lingerOn = (models: LoadedModels, runner: Runner, ms: number, after: () => void): void => {
  const end = new AbortController();
  runner.lingering.add(end);
  runner.uses++;
  if (runner.state === 'gone') end.abort(ENDED);
  void models.clock.wait(ms, end.signal).then(() => {
    runner.lingering.delete(end);
    after();
    return endUse(models, runner);
  });
};

/** Unloads the runner as soon as nobody uses it. */
export const expireRunner = (models: LoadedModels, runner: Runner): void => {
  runner.keepAliveMs = 0;
  startKeepAlive(models, runner);
};

/** Drops the runner at once, whoever uses it. */
export const forgetRunner = ({ runners, changed }: LoadedModels, runner: Runner): void => {
  runner.state = 'gone';
  runner.timer?.abort(ENDED);
  for (const end of runner.lingering) end.abort(ENDED);
  if (runners.get(runner.model.name) === runner) runners.delete(runner.model.name);
  changed.notify();
};

const endUse = (models: LoadedModels, runner: Runner): void => {
  runner.uses--;
  startKeepAlive(models, runner);
  models.changed.notify();
};

/** Starts the keep-alive of a runner that nobody uses. */
const startKeepAlive = (models: LoadedModels, runner: Runner): void => {
  if (runner.uses > 0 || runner.state !== 'loaded') return;
  if (runner.keepAliveMs <= 0) return unload(models, runner);
  runner.expiresAt = models.clock.now() + runner.keepAliveMs;
  if (runner.keepAliveMs !== Infinity) setTimer(models, runner, runner.keepAliveMs, () => unload(models, runner));
};

const unload = (models: LoadedModels, runner: Runner): void => {
  const leave = (): void => {
    models.unloads++;
    forgetRunner(models, runner);
  };
  runner.state = 'unloading';
  models.changed.notify();
  if (models.unloadMs > 0) setTimer(models, runner, models.unloadMs, leave);
  else leave();
};

const setTimer = ({ clock }: LoadedModels, runner: Runner, ms: number, then: () => void): void => {
  const timer = new AbortController();
  runner.timer?.abort(ENDED);
  runner.timer = timer;
  void clock.wait(ms, timer.signal).then(() => (timer.signal.aborted ? undefined : then()));
};
