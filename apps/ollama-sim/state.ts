import type { Scheduler } from './engine/scheduler.ts';
import type { ArmedFault } from './faults.ts';
import type { RequestStats, SimulatedServer } from './simulated-server.ts';

export interface ModelState {
  readonly name: string;
  readonly state: 'loading' | 'loaded' | 'unloading' | 'gone';
  readonly numCtx: number;
  readonly slots: number;
  /** Slots in use, wedged ones included. */
  readonly busy: number;
  readonly wedged: number;
  /** Requests that wait for a slot. */
  readonly waiting: number;
  /** Requests that hold the model, running or waiting. */
  readonly uses: number;
  /** In milliseconds; null: for ever. */
  readonly keepAliveMs: number | null;
}

/** The observable state of a simulated server, for tests. */
export interface SimulatorState extends RequestStats {
  /** Requests in flight, without this one. */
  readonly open: number;
  /** Requests that wait for a model to load. */
  readonly queued: number;
  readonly models: readonly ModelState[];
  readonly scheduler: ReturnType<Scheduler['counts']>;
  readonly faults: { readonly armed: readonly ArmedFault[]; readonly tripped: Readonly<Record<string, number>> };
}

export const stateOf = (server: SimulatedServer): SimulatorState => ({
  ...structuredClone(server.stats),
  open: server.clients.size,
  queued: server.engine.scheduler.queued(),
  models: server.engine.scheduler.runners().map((runner) => ({
    name: runner.model.name,
    state: runner.state,
    numCtx: runner.numCtx,
    slots: runner.slots.total,
    busy: runner.slots.busy(),
    wedged: runner.slots.wedged(),
    waiting: runner.slots.waiting(),
    uses: runner.uses,
    keepAliveMs: runner.keepAliveMs === Infinity ? null : runner.keepAliveMs,
  })),
  scheduler: server.engine.scheduler.counts(),
  faults: { armed: server.faults.armed(), tripped: server.faults.tripped() },
});
