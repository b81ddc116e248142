import { unlessAborted } from '@maw/async/abort.ts';
import { LRUCache } from 'lru-cache';

type Vector = readonly number[];

/** What a server made of the texts that were not known. */
interface Made {
  readonly embeddings: readonly Vector[];
  readonly model: string;
  readonly promptTokens: number;
}

export type EmbeddingCache<T extends Made> = ReturnType<typeof embeddingCache<T>>;

const MAX_BYTES = 64_000_000;
const BYTES_PER_NUMBER = 8;

/**
 * Keeps the vectors of texts, so that a model embeds no text twice, also when two requests ask for it at once. Vectors are kept by tenant, and by the
 * names and digests of their models, whichever server made them.
 */
export function embeddingCache<T extends Made>() {
  const kept = new LRUCache<string, Vector>({
    maxSize: MAX_BYTES,
    sizeCalculation: (vector, key) => BYTES_PER_NUMBER * vector.length + 2 * key.length,
  });
  const being = new Map<string, Promise<unknown>>();
  return {
    /**
     * The vectors of some texts, in their order, with the rest of what `ask` said; undefined for the rest when nothing was asked.
     * @param ask makes the vectors of those that are not known @throws what it throws, and the reason of `signal`
     */
    async embed(model: string, texts: readonly string[], ask: (texts: readonly string[]) => Promise<T>, signal: AbortSignal) {
      const keys = texts.map((text) => `${model}\n${text}`);
      // Another request may be asking for some of them just now. Where it fails, they are asked for here.
      await unlessAborted(Promise.allSettled(keys.flatMap((key) => being.get(key) ?? [])), signal);
      const vectors = new Map(keys.map((key) => [key, kept.get(key)]));
      const missing = [...vectors].flatMap(([key, vector]) => (vector ? [] : [key]));
      if (!missing.length) return { embeddings: keys.map((key) => vectors.get(key)!), made: undefined };
      const asking = ask(missing.map((key) => key.slice(model.length + 1)));
      for (const key of missing) being.set(key, asking);
      try {
        const made = await asking;
        for (const [i, key] of missing.entries()) {
          kept.set(key, made.embeddings[i]!);
          vectors.set(key, made.embeddings[i]);
        }
        return { embeddings: keys.map((key) => vectors.get(key)!), made };
      } finally {
        for (const key of missing) if (being.get(key) === asking) being.delete(key);
      }
    },
  };
}
