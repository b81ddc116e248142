import { seededRandom } from './seeded-random.ts';
import type { Engine } from './engine/infer.ts';
import type { Model } from './engine/model-spec.ts';
import { type Client, newScheduler, type Scheduler, type Stage } from './engine/scheduler.ts';
import { HttpError } from './errors.ts';
import { type ArmedFault, type FaultInjector, newFaultInjector } from './faults.ts';
import type { Settings } from './options.ts';

export interface RequestStats {
  requests: number;
  byPath: Record<string, number>;
  byStatus: Record<string, number>;
  /** Clients that left before their response was complete, by stage. */
  closes: Record<Stage, number>;
}

/** The state of one simulated server. */
export interface SimulatedServer {
  readonly settings: Settings;
  /** Models on disk, by lower-case name. */
  models: Map<string, Model>;
  readonly engine: Engine;
  readonly faults: FaultInjector;
  /** Clients whose requests are not yet answered. */
  readonly clients: Set<Client>;
  stats: RequestStats;
  /** Closes the listener and all connections; set by the listener. */
  close: () => Promise<void>;
  /** Closes the listener for `ms`; set by the listener. */
  refuseConnections: (ms: number) => Promise<void>;
}

const newStats = (): RequestStats => ({
  requests: 0,
  byPath: {},
  byStatus: {},
  closes: { reading: 0, queued: 0, loading: 0, waiting: 0, prefill: 0, streaming: 0 },
});

const modelsByName = ({ models }: Settings): Map<string, Model> => new Map(models.map((model) => [model.name.toLowerCase(), model]));

export const newServer = (settings: Settings): SimulatedServer => ({
  settings,
  models: modelsByName(settings),
  engine: { scheduler: newScheduler(settings, settings.clock), clock: settings.clock, speed: settings },
  faults: newFaultInjector(settings.faults, seededRandom(`faults ${settings.seed}`)),
  clients: new Set(),
  stats: newStats(),
  close: async () => {},
  refuseConnections: async () => {},
});

/** Restores the initial state: no model loaded, initial faults, zero counters. Requests in flight fail. */
export const reset = (server: SimulatedServer): void => {
  server.faults.disarm();
  const why = new HttpError(500, 'the simulator was reset');
  for (const client of server.clients) if (client.stage !== 'reading') client.abort(why);
  server.engine.scheduler.clear();
  server.models = modelsByName(server.settings);
  server.stats = newStats();
};

export interface ModelState {
  readonly name: string;
  readonly state: 'loading' | 'loaded';
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
    uses: runner.clients.size,
    keepAliveMs: runner.keepAliveMs === Infinity ? null : runner.keepAliveMs,
  })),
  scheduler: server.engine.scheduler.counts(),
  faults: { armed: server.faults.armed(), tripped: server.faults.tripped() },
});
