import type { Encoder } from './encoder.ts';

export const MAX_DIMENSION = 65_536;

/**
 * Words and pairs of words of the log, those of its last line once more, the role, the turn and the belief, in numbers and in prose, each counted at a place that a
 * hash chooses (Weinberger et al. 2009: feature hashing). Counts are divided by their Euclidean norm.
 */
export function hashedNgrams(dimension: number, seed: number): Encoder {
  return {
    name: `hashed-ngrams-1:${dimension}:${seed}`,
    dimension,
    encode({ role, turn, log, belief = {}, thought = '' }) {
      const counts = new Map<number, number>();
      const add = (feature: string, count: number): void => {
        const at = hash(feature, seed) % dimension;
        counts.set(at, (counts.get(at) ?? 0) + count);
      };
      add(`role ${role}`, 1);
      add(`turn ${turn}`, 1);
      for (const [name, likelihood] of Object.entries(belief)) add(`belief ${name}`, likelihood);
      for (const line of log) for (const ngram of ngramsOf(line)) add(`log ${ngram}`, 1);
      for (const ngram of ngramsOf(thought)) add(`thought ${ngram}`, 1);
      for (const ngram of ngramsOf(log.at(-1) ?? '')) add(`last ${ngram}`, 1);
      const norm = Math.sqrt([...counts.values()].reduce((sum, count) => sum + count * count, 0));
      return new Map([...counts].map(([at, count]) => [at, count / norm]));
    },
  };
}

/** The words of a line, in lower case, and each pair of neighbours. */
function ngramsOf(line: string): readonly string[] {
  const words = line.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...words, ...words.slice(1).map((word, i) => `${words[i]} ${word}`)];
}

/** FNV-1a, finished as in MurmurHash3, since its low bits alone are poor. */
function hash(text: string, seed: number): number {
  let h = 0x811c9dc5 ^ seed;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
