import { type LimitOptions, LIMITS, mapLimits } from './agent-limits.ts';
import type { ServerOptions } from './server-options.ts';

/** The gateway's name on the bus and in telemetry. */
export const SERVICE = 'llm-gateway';

/** The watched configuration file, and the values where it says nothing. */
export interface ConfigFileOptions {
  readonly path: string;
  /** Its content when the options were read. */
  readonly text: string;
  readonly slots: number;
  readonly limits: LimitOptions;
  /** The key of servers of kind openai that name no file with one. */
  readonly key: string | undefined;
}

export const defaultOptions = {
  ...mapLimits((name): number => LIMITS[name].default),
  /** The model of requests that name none; without it the first model that can chat on the first server that is up. */
  model: undefined as string | undefined,
  /** By keys of models, which model answers for one that no server can run. At most `MAX_FALLBACKS` in a row, without loops. */
  fallbacks: new Map<string, string>() as ReadonlyMap<string, string>,
  /** Tokens of context. A load-time option: a request that differs would reload the model for everybody. */
  numCtx: 8_192,
  /** How long a model stays in memory: seconds, or a duration of Go; negative means for ever. */
  keepAlive: '30m' as string | number,
  /** How long the load of a model may take. All times are in milliseconds. */
  loadMs: 300_000,
  /** After how long without data a stream has stalled. */
  stallMs: 120_000,
  healthEveryMs: 5_000,
  /** The timeout of a health check. */
  probeMs: 5_000,
  /** How long a request waits for a server that is down before it is refused. */
  patienceMs: 15_000,
  /** The default deadline of a request, and the latest. */
  maxRequestMs: 300_000,
  /** Messages in flight, most of them waiting for a slot. Cancellations wait only when there are more. */
  maxInFlight: 2_000,
  /** The longest time for which a slot counts as busy after its call was aborted before the first token. */
  graceMs: 5_000,
  /** How long before its deadline an answer has to be complete, to reach its caller in time. */
  replyMs: 200,
  /** How often the leader publishes the capacity. */
  capacityEveryMs: 5_000,
  /** How long an outcome is cached for callers with the same request id. */
  keepMs: 300_000,
  /** The slots of a server that is added without a number of slots. */
  defaultSlots: 1,
  /** Whether the default model is loaded when a server comes up, before it gets requests that would need a load. */
  warmUp: true,
  /** Whether to probe how many slots an Ollama server really has. */
  checkSlots: true,
  /** Whether outcomes are recorded, or replayed from a recording without a server. */
  record: 'off' as 'off' | 'record' | 'replay',
  /** The name of the recording. */
  recording: 'default',
  /** The folder of the key files that administrators may name; without it they may name none. */
  keyFolder: undefined as string | undefined,
  /** The file of the servers and limits, which is watched. Without it `servers` are used, until an administrator changes them. */
  file: undefined as ConfigFileOptions | undefined,
};

export type GatewayOptions = Readonly<typeof defaultOptions> & { readonly servers: readonly ServerOptions[] };
