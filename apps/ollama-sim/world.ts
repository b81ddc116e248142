import { seededRandom } from './seeded-random.ts';
import type { Caller, Stage } from './engine/caller.ts';
import type { Machine } from './engine/infer.ts';
import type { Model } from './engine/model.ts';
import { newScheduler } from './engine/scheduler.ts';
import { Failure } from './errors.ts';
import { type FaultBox, newFaultBox } from './faults.ts';
import type { Settings } from './options.ts';

export interface Tally {
  requests: number;
  byPath: Record<string, number>;
  byStatus: Record<string, number>;
  /** Clients that left before their answer was complete, by how far it had come. */
  closes: Record<Stage, number>;
}

/** All that one simulated server is made of, but for its listener. */
export interface World {
  readonly settings: Settings;
  /** On disk, by lower-case name. */
  readonly models: Map<string, Model>;
  readonly machine: Machine;
  readonly faults: FaultBox;
  /** Requests that are not yet answered. */
  readonly callers: Set<Caller>;
  tally: Tally;
  /** Closes the listener and all connections; set by the listener. */
  shut: () => Promise<void>;
  /** Closes the listener for so long; set by the listener. */
  refuse: (ms: number) => Promise<void>;
}

export const newTally = (): Tally => ({
  requests: 0,
  byPath: {},
  byStatus: {},
  closes: { reading: 0, queued: 0, loading: 0, waiting: 0, prefill: 0, streaming: 0 },
});

export const newWorld = (settings: Settings): World => ({
  settings,
  models: new Map(settings.models.map((model) => [model.name.toLowerCase(), model])),
  machine: { scheduler: newScheduler(settings.limits, settings.clock), clock: settings.clock, speed: settings.speed },
  faults: newFaultBox(settings.faults, seededRandom(`faults ${settings.seed}`)),
  callers: new Set(),
  tally: newTally(),
  shut: async () => {},
  refuse: async () => {},
});

/** As new: no model loaded, no fault but those it was started with, nothing counted. Whoever uses a model gets an error. */
export const reset = (world: World): void => {
  world.faults.disarm();
  world.machine.scheduler.clear(new Failure(500, 'the simulator was reset'));
  world.models.clear();
  for (const model of world.settings.models) world.models.set(model.name.toLowerCase(), model);
  world.tally = newTally();
};
