import { LRUCache } from 'lru-cache';
import type { RequestSize } from '../../request.ts';

/** What a request has taken, in milliseconds and tokens. */
export interface Measured {
  readonly promptTokens: number;
  readonly prefillMs: number;
  readonly outputTokens: number;
  readonly decodeMs: number;
}

export type Estimates = ReturnType<typeof estimates>;

/** The weight of a new measurement: about the last ten count. */
const SMOOTHING = 0.2;
/** Before anything is known: a small model on a CPU. Milliseconds per token, and tokens. */
const DEFAULTS = { prefill: 2, decode: 30, output: 120 };
/** The time of a shorter prompt is mostly overhead. */
const MIN_PROMPT_TOKENS = 32;
/**
 * Older measurements are replaced by the next one. Otherwise a server that was slow for a moment would be given up for good: requests refused
 * by an estimate can never correct it.
 */
const FRESH_MS = 60_000;
const MAX_REMEMBERED = 2_000;

interface Speed {
  readonly prefill: number;
  readonly decode: number;
  readonly at: number;
}

interface Length {
  readonly tokens: number;
  readonly at: number;
}

/** Exponentially weighted means (docs/gateway.md, section 3): speed per model and server, length per model and kind. */
export function estimates() {
  const speeds = new LRUCache<string, Map<string, Speed>>({ max: MAX_REMEMBERED });
  const lengths = new LRUCache<string, Length>({ max: MAX_REMEMBERED });
  const lengthKey = (model: string, kind: string): string => `${model} ${kind}`;
  const speedOf = (model: string, server: string): Speed | undefined => speeds.peek(model)?.get(server);

  function speedFor(model: string, server?: string): Omit<Speed, 'at'> {
    const known = speeds.peek(model);
    return (server === undefined ? undefined : known?.get(server)) ?? meanSpeed(known);
  }

  return {
    /** What a request takes with a model on a server, in milliseconds and tokens; without a server the mean of those that have run the model. */
    estimate(model: string, { kind, promptTokens, maxTokens }: RequestSize, server?: string) {
      const speed = speedFor(model, server);
      const outputTokens = Math.min(maxTokens, lengths.peek(lengthKey(model, kind))?.tokens ?? DEFAULTS.output);
      const prefillMs = promptTokens * speed.prefill;
      const decodeMs = outputTokens * speed.decode;
      return { prefillMs, decodeMs, slotMs: prefillMs + decodeMs, outputTokens };
    },
    learn(model: string, server: string, kind: string, measured: Measured, at: number): void {
      if (measured.outputTokens > 0) {
        const last = lengths.peek(lengthKey(model, kind));
        const tokens = smoothed(isFresh(last, at) ? last?.tokens : undefined, measured.outputTokens);
        lengths.set(lengthKey(model, kind), { tokens, at });
      }
      const speed = learnedSpeed(speedOf(model, server), measured, at);
      if (speed) speeds.set(model, (speeds.peek(model) ?? new Map<string, Speed>()).set(server, speed));
    },
    /** How many tokens a model generates on a server within `ms`, after the prompt. */
    tokensWithin(model: string, server: string, promptTokens: number, ms: number): number {
      const speed = speedFor(model, server);
      return Math.max(0, Math.floor((ms - promptTokens * speed.prefill) / speed.decode));
    },
    /**
     * Whether the speed of the model on the server, and the length of the kind where one is named, were learned lately. Otherwise estimates are
     * guesses and no reason to refuse a request.
     */
    isKnown: (model: string, server: string, at: number, kind?: string): boolean =>
      isFresh(speedOf(model, server), at) && (kind === undefined || isFresh(lengths.peek(lengthKey(model, kind)), at)),
    /** Milliseconds per output token; undefined: not measured yet. */
    msPerToken: (model: string, server: string): number | undefined => speedOf(model, server)?.decode,
    /** The server was removed: its speed says nothing of the others. */
    forgetServer(server: string): void {
      for (const byServer of speeds.values()) byServer.delete(server);
    },
  };
}

/** Undefined when the measurement says nothing: the server counts tokens but measures no time. */
function learnedSpeed(last: Speed | undefined, measured: Measured, at: number): Speed | undefined {
  const prefill = perToken(measured.prefillMs, measured.promptTokens, MIN_PROMPT_TOKENS);
  const decode = perToken(measured.decodeMs, measured.outputTokens, 1);
  if (measured.outputTokens > 0 ? decode === undefined : prefill === undefined) return undefined;
  const recent = isFresh(last, at) ? last : undefined;
  return {
    prefill: prefill === undefined ? (last?.prefill ?? DEFAULTS.prefill) : smoothed(recent?.prefill, prefill),
    decode: decode === undefined ? (last?.decode ?? DEFAULTS.decode) : smoothed(recent?.decode, decode),
    at,
  };
}

/** The defaults when nothing is known. */
function meanSpeed(known: ReadonlyMap<string, Speed> | undefined): Omit<Speed, 'at'> {
  if (!known?.size) return DEFAULTS;
  let [prefill, decode] = [0, 0];
  for (const speed of known.values()) {
    prefill += speed.prefill;
    decode += speed.decode;
  }
  return { prefill: prefill / known.size, decode: decode / known.size };
}

/** Milliseconds per token; undefined where too little was measured. */
const perToken = (ms: number, tokens: number, minTokens: number): number | undefined =>
  tokens >= minTokens && ms > 0 ? ms / tokens : undefined;

/** The distance counts both ways: a clock may be set back. */
const isFresh = (learned: { readonly at: number } | undefined, at: number): boolean =>
  learned !== undefined && Math.abs(at - learned.at) <= FRESH_MS;

const smoothed = (mean: number | undefined, measured: number): number =>
  mean === undefined ? measured : mean + SMOOTHING * (measured - mean);
