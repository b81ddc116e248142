import { type Chunks, CHUNK_TOKENS, sharedChunks } from './prompt-chunks.ts';

/** llama-server's prompt cache in host memory: an LRU cache of the states that slots gave up. */
export interface PromptCache {
  /** Saves the state of a prompt that a slot is about to lose. */
  save(prompt: Chunks): void;
  /** The longest common prefix with a cached state, in chunks; marks that state as used. */
  find(prompt: Chunks): number;
}

/** A state of an 8B model takes about 128 KiB per token (4k tokens are half a GiB). */
const BYTES_PER_TOKEN = 128 * 1024;
const sizeOf = (prompt: Chunks): number => prompt.length * CHUNK_TOKENS * BYTES_PER_TOKEN;

export const promptCache = (bytes: number): PromptCache => {
  let kept: Chunks[] = [];
  const refresh = (prompt: Chunks): void => {
    kept = [...kept.filter((other) => other !== prompt), prompt];
  };
  return {
    save: (prompt) => {
      if (prompt.length === 0) return;
      // A state is useless once a longer one starts with it.
      kept = [...kept.filter((other) => sharedChunks(other, prompt) < other.length), prompt];
      let total = kept.reduce((sum, other) => sum + sizeOf(other), 0);
      while (total > bytes && kept.length > 0) total -= sizeOf(kept.shift() ?? []);
    },
    find: (prompt) => {
      let best: Chunks = [];
      for (const other of kept) if (sharedChunks(other, prompt) > sharedChunks(best, prompt)) best = other;
      if (best.length > 0) refresh(best);
      return sharedChunks(best, prompt);
    },
  };
};
