import { type Clock, systemClock } from './engine/clock.ts';
import type { Speed } from './engine/infer.ts';
import { type Model, type ModelSpec, newModel } from './engine/model-spec.ts';
import type { Limits } from './engine/scheduler.ts';
import type { ArmedFault } from './faults.ts';

/** Options of a simulated server. By default nothing takes time. */
export interface SimulatorOptions extends Partial<Limits>, Partial<Omit<Speed, 'decodeMsPerToken'>> {
  readonly host?: string;
  /** 0: any free port. */
  readonly port?: number;
  readonly version?: string;
  /** Models on disk at the start. */
  readonly models?: readonly ModelSpec[];
  /** Models that /api/pull can add. */
  readonly pullable?: readonly ModelSpec[];
  readonly pullMs?: number;
  /** One value, or one each for 1, 2, ... busy slots. */
  readonly decodeMsPerToken?: number | readonly number[];
  readonly seed?: number;
  readonly faults?: readonly ArmedFault[];
  readonly clock?: Clock;
}

export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly version: string;
  readonly models: readonly Model[];
  readonly pullable: readonly Model[];
  readonly pullMs: number;
  readonly seed: number;
  readonly faults: readonly ArmedFault[];
  readonly clock: Clock;
  readonly limits: Limits;
  readonly speed: Speed;
}

export const DEFAULT_MODELS: readonly ModelSpec[] = [
  { name: 'simulated:latest', capabilities: ['completion', 'tools'] },
  { name: 'simulated-thinking:latest', capabilities: ['completion', 'tools', 'thinking'] },
  { name: 'simulated-embed:latest', capabilities: ['embedding'], parameterSize: '137M', sizeBytes: 274_000_000, contextLength: 8192 },
];

const GIB = 2 ** 30;

export const withDefaults = (options: SimulatorOptions): Settings => ({
  host: options.host ?? '127.0.0.1',
  port: options.port ?? 0,
  version: options.version ?? '0.33.0',
  models: (options.models ?? DEFAULT_MODELS).map(newModel),
  pullable: (options.pullable ?? []).map(newModel),
  pullMs: options.pullMs ?? 0,
  seed: options.seed ?? 1,
  faults: options.faults ?? [],
  clock: options.clock ?? systemClock(),
  limits: {
    slots: options.slots ?? 1,
    maxLoaded: options.maxLoaded ?? 3,
    maxQueue: options.maxQueue ?? 512,
    loadMs: options.loadMs ?? 0,
    unloadMs: options.unloadMs ?? 0,
    keepAliveMs: options.keepAliveMs ?? 300_000,
    contextLength: options.contextLength ?? 4096,
    promptCacheBytes: options.promptCacheBytes ?? 8 * GIB,
  },
  speed: {
    prefillMsPerToken: options.prefillMsPerToken ?? 0,
    decodeMsPerToken: [options.decodeMsPerToken ?? 0].flat(),
    prefillGraceMs: options.prefillGraceMs ?? Infinity,
  },
});
