/** Common constants of BM25: saturation of a word's count, and how much long texts are discounted. */
const K1 = 1.2;
const B = 0.75;

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** How well each text fits the query by BM25; 0 when they have no word in common. */
export function bm25(query: string, texts: readonly string[]): readonly number[] {
  const all = texts.map(wordsOf);
  const mean = all.reduce((sum, words) => sum + words.length, 0) / Math.max(1, all.length);
  const asked = [...new Set(wordsOf(query))];
  const found = asked.map((word) => all.filter((words) => words.includes(word)).length);
  return all.map((words) =>
    asked.reduce((sum, word, i) => {
      const count = words.filter((each) => each === word).length;
      const rarity = Math.log(1 + (all.length - found[i]! + 0.5) / (found[i]! + 0.5));
      return sum + (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + (B * words.length) / mean));
    }, 0),
  );
}

/** The cosine of the angle between two vectors of one length; 0 for a zero vector. */
export function cosine(a: readonly number[], b: readonly number[]): number {
  let [product, ofA, ofB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    product += a[i]! * b[i]!;
    ofA += a[i]! ** 2;
    ofB += b[i]! ** 2;
  }
  return ofA && ofB ? product / Math.sqrt(ofA * ofB) : 0;
}

/** The positions of the `most` highest values above `above`, best first; equals in order of position. */
export const best = (values: readonly number[], most: number, above: number): readonly number[] =>
  values
    .map((value, at) => ({ value, at }))
    .filter(({ value }) => value > above)
    .toSorted((a, b) => b.value - a.value || a.at - b.at)
    .slice(0, most)
    .map(({ at }) => at);
