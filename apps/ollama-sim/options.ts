import { type Clock, systemClock } from './engine/clock.ts';
import type { Speed } from './engine/infer.ts';
import { type Model, type ModelSpec, newModel } from './engine/model-spec.ts';
import type { Limits } from './engine/scheduler.ts';

interface CommonSettings extends Limits, Omit<Speed, 'decodeMsPerToken'> {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly seed: number;
  readonly clock: Clock;
}

/** Options of a simulated server. By default nothing takes time. */
export interface SimulatorOptions extends Partial<CommonSettings> {
  /** Models on disk at the start. */
  readonly models?: readonly ModelSpec[];
  /** One value, or one each for 1, 2, ... busy slots. */
  readonly decodeMsPerToken?: number | readonly number[];
}

export interface Settings extends CommonSettings, Speed {
  readonly models: readonly Model[];
}

export const DEFAULT_MODELS: readonly ModelSpec[] = [
  { name: 'simulated:latest', capabilities: ['completion', 'tools'] },
  { name: 'simulated-thinking:latest', capabilities: ['completion', 'tools', 'thinking'] },
  { name: 'simulated-embed:latest', capabilities: ['embedding'], contextLength: 8192 },
];

/** Defaults in tests, where nothing takes time. */
const TEST_DEFAULTS: Omit<CommonSettings, 'clock'> & { readonly decodeMsPerToken: readonly number[] } = {
  host: '127.0.0.1',
  port: 0,
  seed: 1,
  slots: 1,
  loadMs: 0,
  keepAliveMs: 300_000,
  contextLength: 4096,
  prefillMsPerToken: 0,
  decodeMsPerToken: [0],
};

/** Defaults of a simulator that runs as a process: it takes about as long as a small model. */
export const PROCESS_DEFAULTS: typeof TEST_DEFAULTS = {
  ...TEST_DEFAULTS,
  port: 11_434,
  slots: 4,
  loadMs: 1_500,
  prefillMsPerToken: 0.3,
  decodeMsPerToken: [10, 12, 15, 18],
};

export const withDefaults = (options: SimulatorOptions): Settings => ({
  ...TEST_DEFAULTS,
  ...options,
  clock: options.clock ?? systemClock,
  models: (options.models ?? DEFAULT_MODELS).map(newModel),
  decodeMsPerToken: [options.decodeMsPerToken ?? TEST_DEFAULTS.decodeMsPerToken].flat(),
});
