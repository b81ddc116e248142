/** What a completion is expected to take. Milliseconds and tokens. */
export interface Expected {
  readonly prefillMs: number;
  readonly decodeMs: number;
  /** All of it: how long it will hold a slot. */
  readonly slotMs: number;
  readonly outputTokens: number;
}

/** A completion as far as its cost can be told beforehand. */
export interface Size {
  /** Of what kind it is: completions of one kind are about as long. */
  readonly kind: string;
  readonly promptTokens: number;
  /** The most it may generate. */
  readonly maxTokens: number;
}

/** What a completion took in truth. */
export interface Took {
  readonly promptTokens: number;
  readonly prefillMs: number;
  readonly outputTokens: number;
  readonly decodeMs: number;
}

export interface Estimates {
  /** For a model on a server; without a server, on those that are known to have worked with it. */
  expect(model: string, size: Size, server?: string): Expected;
  learn(model: string, server: string, kind: string, took: Took, at: number): void;
  /** How many tokens a model generates there in so many milliseconds, after the prompt. */
  tokensIn(model: string, server: string, promptTokens: number, ms: number): number;
  /**
   * Whether something was learnt lately of a model on a server, and of the length of a kind of completions when one is named. Otherwise
   * expectations are no more than a guess, and no reason to refuse anything.
   */
  isKnown(model: string, server: string, at: number, kind?: string): boolean;
  /** Milliseconds of an output token of a model on a server, as learnt so far; undefined before the first. */
  pace(model: string, server: string): number | undefined;
  /** The server has gone: what was learnt there says nothing of the others. */
  forget(server: string): void;
  /** How many pairs of model and server something is known of. */
  readonly size: number;
}

/** How much of a new observation is taken over: about the last ten count. */
const SHARE = 0.2;
/** Before anything is known: a small model on a processor. */
const FIRST = { prefill: 2, decode: 30, output: 120 };
/** A prompt that was in the cache says nothing of what a prompt costs. */
const FEWEST_PROMPT_TOKENS = 32;
/**
 * What was learnt longer ago is doubted: the next observation counts whole. Otherwise a server that was slow for a moment would be given up
 * for good, for whoever is refused because of an estimate can never correct it.
 */
const BELIEVED_MS = 60_000;
/** How many pairs of model and server, and kinds, are remembered; the ones used longest ago are forgotten first. */
const MOST = 2_000;

interface Speed {
  readonly prefill: number;
  readonly decode: number;
  readonly at: number;
}

interface Length {
  readonly tokens: number;
  readonly at: number;
}

/** Exponentially weighted means (document gateway, section 3) of the speed per model and server, and of the length per model and kind. */
export function estimates(): Estimates {
  const speeds = new Map<string, Map<string, Speed>>();
  const lengths = new Map<string, Length>();

  const isFresh = (learnt: { readonly at: number } | undefined, at: number): boolean =>
    learnt !== undefined && Math.abs(at - learnt.at) <= BELIEVED_MS; // also when the clock was set back
  const fresh = <L extends { readonly at: number }>(learnt: L | undefined, at: number): L | undefined =>
    isFresh(learnt, at) ? learnt : undefined;

  function speedOf(model: string, server?: string): Omit<Speed, 'at'> {
    const known = speeds.get(model);
    if (!known?.size) return FIRST;
    if (server !== undefined && known.has(server)) return known.get(server)!;
    const all = [...known.values()];
    const mean = (of: (speed: Speed) => number): number => all.reduce((sum, speed) => sum + of(speed), 0) / all.length;
    return { prefill: mean((s) => s.prefill), decode: mean((s) => s.decode) };
  }

  return {
    expect(model, { kind, promptTokens, maxTokens }, server) {
      const speed = speedOf(model, server);
      const outputTokens = Math.min(maxTokens, lengths.get(`${model} ${kind}`)?.tokens ?? FIRST.output);
      const prefillMs = promptTokens * speed.prefill;
      const decodeMs = outputTokens * speed.decode;
      return { prefillMs, decodeMs, slotMs: prefillMs + decodeMs, outputTokens };
    },

    learn(model, server, kind, took, at) {
      const seen = (ms: number, tokens: number, least: number): number | undefined => (tokens >= least && ms > 0 ? ms / tokens : undefined);
      const prefill = seen(took.prefillMs, took.promptTokens, FEWEST_PROMPT_TOKENS);
      const decode = seen(took.decodeMs, took.outputTokens, 1);
      if (took.outputTokens > 0) {
        const length = `${model} ${kind}`;
        keep(lengths, length, { tokens: mixed(fresh(lengths.get(length), at)?.tokens, took.outputTokens), at });
      }
      // A server that counts tokens and no time tells nothing.
      if (took.outputTokens > 0 ? decode === undefined : prefill === undefined) return;
      const known = speeds.get(model) ?? new Map<string, Speed>();
      keep(speeds, model, known);
      const last = known.get(server);
      const before = fresh(last, at);
      keep(known, server, {
        prefill: prefill === undefined ? (last?.prefill ?? FIRST.prefill) : mixed(before?.prefill, prefill),
        decode: decode === undefined ? (last?.decode ?? FIRST.decode) : mixed(before?.decode, decode),
        at,
      });
    },

    tokensIn(model, server, promptTokens, ms) {
      const speed = speedOf(model, server);
      return Math.max(0, Math.floor((ms - promptTokens * speed.prefill) / speed.decode));
    },

    isKnown: (model, server, at, kind) =>
      isFresh(speeds.get(model)?.get(server), at) && (kind === undefined || isFresh(lengths.get(`${model} ${kind}`), at)),
    pace: (model, server) => speeds.get(model)?.get(server)?.decode,
    forget(server) {
      for (const [model, known] of speeds) if (known.delete(server) && known.size === 0) speeds.delete(model);
    },
    get size() {
      return [...speeds.values()].reduce((sum, known) => sum + known.size, 0);
    },
  };
}

/** The first observation counts whole. */
const mixed = (before: number | undefined, seen: number): number => (before === undefined ? seen : before + SHARE * (seen - before));

function keep<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > MOST) map.delete(map.keys().next().value!);
}
