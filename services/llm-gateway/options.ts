import type { ServerAddress } from './address.ts';
import { defaultLimits, type LimitOptions } from './limits.ts';

/** The kinds of model servers; `providers/providers.ts` has the client of each. */
export const SERVER_KINDS = ['ollama', 'openai'] as const;
export type ServerKind = (typeof SERVER_KINDS)[number];
export const DEFAULT_KIND: ServerKind = 'ollama';

export interface ServerOptions extends ServerAddress {
  /** How many completions it is sent at once: its OLLAMA_NUM_PARALLEL, which cannot be asked for. */
  readonly slots: number;
  /** Undefined: `DEFAULT_KIND`. */
  readonly kind?: ServerKind;
  /** The file that holds its key, for servers of kind openai. It is read again and again, so that a key may be exchanged. */
  readonly keyFile?: string;
  /** The key itself, where no file holds it. */
  readonly key?: string;
}

/** How the gateway is called on the bus and in what is measured. */
export const SERVICE = 'llm-gateway';

export interface GatewayOptions extends LimitOptions {
  readonly servers: readonly ServerOptions[];
  /** The model of those who name none; without it the first of the first server that is up and can chat. */
  readonly model: string | undefined;
  /** Tokens of context. A load-time option: a request that differs would reload the model for everybody. */
  readonly numCtx: number;
  /** How long a model stays in memory: seconds, or a duration of Go; negative means for ever. */
  readonly keepAlive: string | number;
  /** How long the load of a model may take. */
  readonly loadMs: number;
  /** A stream in which nothing comes for so long has stalled. */
  readonly stallMs: number;
  readonly healthEveryMs: number;
  /** How long a server may take to say how it is. */
  readonly probeMs: number;
  /** How long a completion waits for a server that is down before it is refused. */
  readonly patienceMs: number;
  /** The deadline of completions that have none, and of those that would wait for longer. */
  readonly maxRequestMs: number;
  /** How many messages are in hand at once, most of them waiting for a slot. Cancellations wait only when there are more. */
  readonly maxInFlight: number;
  /** How long at most a slot is taken for busy after its call was given up before the first token. */
  readonly graceMs: number;
  /** What an answer needs to get back to its asker: so much before its deadline it must be there. */
  readonly replyMs: number;
  /** How often the gateway that schedules says how much more fits. */
  readonly capacityEveryMs: number;
  /** How long an answer is kept for those who ask again with the same id. */
  readonly keepMs: number;
  /** The slots of a server that is added without saying how many. */
  readonly defaultSlots: number;
  /** Whether the default model is loaded when a server comes up, before it gets work that would need a load. */
  readonly warmUp: boolean;
  /** Whether it is tried out how many slots an Ollama server really has. */
  readonly checkSlots: boolean;
  /** Whether what comes of requests is recorded, or was, and is played again without a server. */
  readonly record: 'off' | 'record' | 'replay';
  /** The name of the recording. */
  readonly recording: string;
  /** The folder of the key files that may be named by messages and over HTTP; without it none may. */
  readonly keyFolder: string | undefined;
  /** The file that says which servers there are; it is watched. Without it there are those of `servers`, until the bus says otherwise. */
  readonly file: ConfigFileOptions | undefined;
}

/** The watched file, and what holds where it says nothing. */
export interface ConfigFileOptions {
  readonly path: string;
  /** What it held when the options were read. */
  readonly text: string;
  readonly slots: number;
  readonly limits: LimitOptions;
  /** The key of servers of kind openai that name no file with one. */
  readonly key: string | undefined;
}

export const defaultOptions: Omit<GatewayOptions, 'servers'> = {
  model: undefined,
  numCtx: 8_192,
  keepAlive: '30m',
  loadMs: 300_000,
  stallMs: 120_000,
  ...defaultLimits,
  healthEveryMs: 5_000,
  probeMs: 5_000,
  patienceMs: 15_000,
  maxRequestMs: 300_000,
  maxInFlight: 2_000,
  graceMs: 5_000,
  replyMs: 200,
  capacityEveryMs: 5_000,
  keepMs: 300_000,
  defaultSlots: 1,
  warmUp: true,
  checkSlots: true,
  record: 'off',
  recording: 'default',
  keyFolder: undefined,
  file: undefined,
};
