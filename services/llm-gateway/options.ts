import type { Address } from './address.ts';

export interface ServerOptions extends Address {
  /** How many completions it is sent at once: its OLLAMA_NUM_PARALLEL, which cannot be asked for. */
  readonly slots: number;
}

export interface GatewayOptions {
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
  readonly agentRpm: number;
  readonly agentBurst: number;
  readonly healthEveryMs: number;
  /** How long a server may take to say how it is. */
  readonly probeMs: number;
  /** How long a completion waits for a server that is down before it is refused. */
  readonly patienceMs: number;
  /** The deadline of completions that have none. */
  readonly longestMs: number;
  /** How many messages are in hand at once, most of them waiting for a slot. Cancellations wait only when there are more. */
  readonly maxInHand: number;
  /** How long an answer is kept for those who ask again with the same id. */
  readonly keepMs: number;
}

export const usualOptions: Omit<GatewayOptions, 'servers'> = {
  model: undefined,
  numCtx: 8_192,
  keepAlive: '30m',
  loadMs: 300_000,
  stallMs: 120_000,
  agentRpm: 60,
  agentBurst: 20,
  healthEveryMs: 5_000,
  probeMs: 5_000,
  patienceMs: 15_000,
  longestMs: 300_000,
  maxInHand: 2_000,
  keepMs: 300_000,
};
