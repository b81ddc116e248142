/** What the time of a prompt tells: `hit`, most of it was in the cache of the server; undefined: nothing yet. */
export type Prefix = 'hit' | 'miss' | undefined;

export interface Prefixes {
  /** The server has read a prompt in so many milliseconds, the part alone that was not in its cache. */
  saw(model: string, server: string, took: { readonly promptTokens: number; readonly prefillMs: number }): Prefix;
  /** The server has gone, or has come up again, perhaps on another machine. */
  forget(server: string): void;
}

/** A token that takes less than this share of a cold one: most of the prompt was in the cache. */
const WARM = 0.5;
/** How much of a new observation is taken over, as for `estimates`. */
const SHARE = 0.2;
/** Of shorter prompts the time is that of everything else. */
const FEWEST_TOKENS = 32;
const MOST = 2_000;

/**
 * Ollama does not say what of a prompt it had in its cache; that the prompt took far less time than one that was not is the only sign
 * (document ollama, section 3). So the time of a cold token is learnt here, for each model and server, from what was not a hit. The
 * estimates do not know it: theirs is what a prompt takes on average, hits among them.
 */
export function prefixes(): Prefixes {
  const cold = new Map<string, Map<string, number>>();
  return {
    saw(model, server, { promptTokens, prefillMs }) {
      if (promptTokens < FEWEST_TOKENS || prefillMs <= 0) return undefined;
      const msPerToken = prefillMs / promptTokens;
      const known = cold.get(server) ?? cold.set(server, new Map()).get(server)!;
      const before = known.get(model);
      if (before !== undefined && msPerToken < WARM * before) return 'hit';
      // What takes more than twice as long as a cold one shows that the cold one was none.
      const isNew = before === undefined || msPerToken * WARM > before;
      if (before === undefined && known.size >= MOST) known.clear();
      known.set(model, isNew ? msPerToken : before + SHARE * (msPerToken - before));
      return before === undefined ? undefined : 'miss';
    },
    forget: (server) => void cold.delete(server),
  };
}
