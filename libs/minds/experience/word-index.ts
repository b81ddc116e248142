import { setImmediate as nextTurn } from 'node:timers/promises';

/** Common constants of BM25: saturation of a word's count, and how much long texts are discounted. */
const K1 = 1.2;
const B = 0.75;

/** Texts, or words, between two pauses of the work: a few milliseconds. */
const SLICE = 200;

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** How well each text fits the query by BM25, in their order; 0 when they have no word in common. */
export type WordIndex = (query: string) => Float64Array;

/** Splits texts into words once, for many queries. Lets other work of the process go on meanwhile: 100,000 texts take seconds. */
export async function wordIndex(texts: readonly string[]): Promise<WordIndex> {
  const lengths = new Uint32Array(texts.length);
  const counts = new Map<string, number[]>();
  for (const [at, text] of texts.entries()) {
    if (at % SLICE === SLICE - 1) await nextTurn();
    const words = wordsOf(text);
    lengths[at] = words.length;
    for (const word of words) {
      const found = counts.get(word);
      if (!found) counts.set(word, [at, 1]);
      else if (found[found.length - 2] === at) found[found.length - 1]!++;
      else found.push(at, 1);
    }
  }
  /** By word: a text and how often the word is in it, alternating. */
  const postings = new Map<string, Uint32Array>();
  for (const [word, found] of counts) {
    postings.set(word, Uint32Array.from(found));
    if (postings.size % SLICE === 0) await nextTurn();
  }
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, texts.length);
  return (query) => {
    const scores = new Float64Array(texts.length);
    for (const word of new Set(wordsOf(query))) {
      const found = postings.get(word);
      if (!found) continue;
      const rarity = Math.log(1 + (texts.length - found.length / 2 + 0.5) / (found.length / 2 + 0.5));
      for (let i = 0; i < found.length; i += 2) {
        const [at, count] = [found[i]!, found[i + 1]!];
        scores[at]! += (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + (B * lengths[at]!) / mean));
      }
    }
    return scores;
  };
}
