import { seededRandom } from './seeded-random.ts';
import type { Engine } from './engine/infer.ts';
import type { Model } from './engine/model-spec.ts';
import { type Client, newScheduler, type Stage } from './engine/scheduler.ts';
import { type FaultInjector, newFaultInjector } from './faults.ts';
import type { Settings } from './options.ts';

/** The state of one simulated server. */
export interface SimulatedServer {
  readonly settings: Settings;
  /** Models on disk, by lower-case name. */
  readonly models: ReadonlyMap<string, Model>;
  readonly engine: Engine;
  readonly faults: FaultInjector;
  /** Clients whose requests are not yet answered. */
  readonly clients: Set<Client>;
  readonly stats: ReturnType<typeof newStats>;
  /** Closes the listener and all connections; set by the listener. */
  close: () => Promise<void>;
  /** Closes the listener for `ms`; set by the listener. */
  refuseConnections: (ms: number) => Promise<void>;
}

const newStats = () => ({
  requests: 0,
  byPath: {} as Record<string, number>,
  byStatus: {} as Record<string, number>,
  /** Clients that left before their response was complete, by stage. */
  closes: { reading: 0, queued: 0, loading: 0, waiting: 0, prefill: 0, streaming: 0 } satisfies Record<Stage, number>,
});

export const newServer = (settings: Settings): SimulatedServer => ({
  settings,
  models: new Map(settings.models.map((model) => [model.name.toLowerCase(), model])),
  engine: { scheduler: newScheduler(settings, settings.clock), clock: settings.clock, speed: settings },
  faults: newFaultInjector(seededRandom(`faults ${settings.seed}`)),
  clients: new Set(),
  stats: newStats(),
  close: async () => {},
  refuseConnections: async () => {},
});

/** The observable state of a simulated server, for tests. */
export type SimulatorState = ReturnType<typeof stateOf>;

export const stateOf = (server: SimulatedServer) => ({
  ...structuredClone(server.stats),
  /** Requests in flight, without this one. */
  open: server.clients.size,
  /** Requests that wait for a model to load. */
  queued: server.engine.scheduler.queued(),
  models: server.engine.scheduler.runners().map((runner) => ({
    name: runner.model.name,
    state: runner.state,
    numCtx: runner.numCtx,
    slots: runner.slots.total,
    /** Slots in use, wedged ones included. */
    busy: runner.slots.busy(),
    wedged: runner.slots.wedged(),
    /** Requests that wait for a slot. */
    waiting: runner.slots.waiting(),
    /** Requests that hold the model, running or waiting. */
    uses: runner.clients.size,
    /** In milliseconds; null: for ever. */
    keepAliveMs: runner.keepAliveMs === Infinity ? null : runner.keepAliveMs,
  })),
  scheduler: server.engine.scheduler.counts(),
  faults: { armed: server.faults.armed(), tripped: server.faults.tripped() },
});
