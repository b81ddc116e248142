/** A prompt was mostly cached when its time per token is below this share of an uncached one's. */
const HIT_SHARE = 0.5;
/** The weight of a new measurement, as in the estimates. */
const SMOOTHING = 0.2;
/** The time of a shorter prompt is mostly overhead. */
const MIN_TOKENS = 32;
const MAX_MODELS = 2_000;

export type PrefixCacheDetector = ReturnType<typeof prefixCacheDetector>;

/**
 * Infers from the prefill time whether most of a prompt was cached, which Ollama does not report. It learns the time per uncached token of each
 * model and server, from misses only. The estimates cannot be used: they average over hits.
 */
export function prefixCacheDetector() {
  const coldMsPerToken = new Map<string, Map<string, number>>();
  return {
    /** A prompt was read in `prefillMs`. Undefined: not known yet. */
    observe(
      model: string,
      server: string,
      { promptTokens, prefillMs }: { readonly promptTokens: number; readonly prefillMs: number },
    ): 'hit' | 'miss' | undefined {
      if (promptTokens < MIN_TOKENS || prefillMs <= 0) return undefined;
      const msPerToken = prefillMs / promptTokens;
      const known = coldMsPerToken.get(server) ?? coldMsPerToken.set(server, new Map()).get(server)!;
      const cold = known.get(model);
      if (cold !== undefined && msPerToken < HIT_SHARE * cold) return 'hit';
      // A prompt that takes more than twice as long as a cold one shows that the cold one was a hit.
      const isFirstCold = cold === undefined || msPerToken * HIT_SHARE > cold;
      if (cold === undefined && known.size >= MAX_MODELS) known.clear();
      known.set(model, isFirstCold ? msPerToken : cold + SMOOTHING * (msPerToken - cold));
      return cold === undefined ? undefined : 'miss';
    },
    /** The server was removed, or has come up again, perhaps on another machine. */
    forgetServer: (server: string): void => void coldMsPerToken.delete(server),
  };
}
