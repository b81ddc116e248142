import { describe, expect, it } from '@jest/globals';
import { wordIndex } from './word-index.ts';

describe('BM25', () => {
  it('is the published formula, with k1 = 1.2 and b = 0.75', async () => {
    // 2 texts, mean length 2.5; "wolf" in one of them, twice in 3 words: idf = ln(1 + 1.5 / 1.5)
    const [first, second, ...others] = (await wordIndex(['Bob wolf wolf', 'Cid votes']))('Wolf, wolf!');
    expect(first).toBeCloseTo((Math.log(2) * 2 * 2.2) / (2 + 1.2 * (0.25 + (0.75 * 3) / 2.5)), 10);
    expect([second, others]).toEqual([0, []]);
  });

  it('prefers rare words to common ones', async () => {
    const [common, rare] = (await wordIndex(['the the day', 'a seer spoke', 'the night', 'the end']))('the seer');
    expect(rare).toBeGreaterThan(common!);
  });

  it('lets other work go on while many texts are split', async () => {
    let turns = 0;
    let other = setImmediate(function count() {
      turns++;
      other = setImmediate(count);
    });
    await wordIndex(Array.from({ length: 5_000 }, (_, i) => `text ${i} of many`));
    clearImmediate(other);
    expect(turns).toBeGreaterThan(20);
  });
});
