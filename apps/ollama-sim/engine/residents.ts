import type { Bell } from './bell.ts';
import type { Caller } from './caller.ts';
import type { Clock } from './clock.ts';
import type { Runner } from './runner.ts';

/** A loaded model, held for one request. */
export interface Lease {
  readonly runner: Runner;
  /** Counts once. */
  release(): void;
}

/** The models in memory: who uses them, and when they leave. */
export interface Residents {
  get(name: string): Runner | undefined;
  readonly all: () => readonly Runner[];
  add(runner: Runner): void;
  use(runner: Runner, caller: Caller, keepAliveMs: number | undefined): Lease;
  /** Keeps the runner in use for `ms` more, then calls `after`. */
  readonly linger: (runner: Runner, ms: number, after: () => void) => void;
  /** Unloads it as soon as nobody uses it. */
  expire(runner: Runner): void;
  /** Drops it at once, whoever uses it. */
  forget(runner: Runner): void;
  readonly unloads: () => number;
}

// A reason of its own saves an exception with its stack each time a model is used.
const OVER = 'over';

export const newResidents = (clock: Clock, unloadMs: number, bell: Bell): Residents => {
  const runners = new Map<string, Runner>();
  let unloads = 0;

  const forget = (runner: Runner): void => {
    runner.state = 'gone';
    runner.timer?.abort(OVER);
    for (const end of runner.lingering) end.abort(OVER);
    if (runners.get(runner.model.name) === runner) runners.delete(runner.model.name);
    bell.ring();
  };
  const later = (runner: Runner, ms: number, then: () => void): void => {
    const timer = new AbortController();
    runner.timer?.abort(OVER);
    runner.timer = timer;
    void clock.wait(ms, timer.signal).then(() => (timer.signal.aborted ? undefined : then()));
  };
  const unload = (runner: Runner): void => {
    const leave = (): void => {
      unloads++;
      forget(runner);
    };
    runner.state = 'unloading';
    bell.ring();
    if (unloadMs > 0) later(runner, unloadMs, leave);
    else leave();
  };
  /** Starts the keep-alive of a runner that nobody uses. */
  const rest = (runner: Runner): void => {
    if (runner.uses > 0 || runner.state !== 'loaded') return;
    if (runner.keepAliveMs <= 0) return unload(runner);
    runner.expiresAt = clock.now() + runner.keepAliveMs;
    if (runner.keepAliveMs !== Infinity) later(runner, runner.keepAliveMs, () => unload(runner));
  };
  const unuse = (runner: Runner): void => {
    runner.uses--;
    rest(runner);
    bell.ring();
  };

  return {
    get: (name) => runners.get(name),
    all: () => [...runners.values()],
    add: (runner) => void runners.set(runner.model.name, runner),
    use: (runner, caller, keepAliveMs) => {
      runner.uses++;
      runner.timer?.abort(OVER);
      runner.callers.add(caller);
      if (keepAliveMs !== undefined) runner.keepAliveMs = keepAliveMs;
      let held = true;
      const release = (): void => {
        if (!held) return;
        held = false;
        runner.callers.delete(caller);
        unuse(runner);
      };
      return { runner, release };
    },
    linger: (runner, ms, after) => {
      const end = new AbortController();
      runner.lingering.add(end);
      runner.uses++;
      if (runner.state === 'gone') end.abort(OVER);
      void clock.wait(ms, end.signal).then(() => {
        runner.lingering.delete(end);
        after();
        return unuse(runner);
      });
    },
    expire: (runner) => {
      runner.keepAliveMs = 0;
      rest(runner);
    },
    forget,
    unloads: () => unloads,
  };
};
