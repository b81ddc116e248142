import { describe, expect, it } from '@jest/globals';
import { best, bm25, cosine } from './retrieve.ts';

describe('BM25', () => {
  it('is the published formula, with k1 = 1.2 and b = 0.75', () => {
    // 2 texts, mean length 2.5; "wolf" in one of them, twice in 3 words: idf = ln(1 + 1.5 / 1.5)
    const [first, second] = bm25('wolf', ['Bob wolf wolf', 'Cid votes']);
    expect(first).toBeCloseTo((Math.log(2) * 2 * 2.2) / (2 + 1.2 * (0.25 + (0.75 * 3) / 2.5)), 10);
    expect(second).toBe(0);
  });

  it('prefers rare words to common ones', () => {
    const [common, rare] = bm25('the seer', ['the the day', 'a seer spoke', 'the night', 'the end']);
    expect(rare).toBeGreaterThan(common!);
  });
});

describe('the best', () => {
  it('are the highest above the limit, equal ones in order', () => {
    expect(best([0.2, 0.9, 0.5, 0.9, 0], 3, 0.2)).toEqual([1, 3, 2]);
  });
});

it('the cosine is that of the angle, whatever the lengths', () => {
  expect(cosine([3, 4], [6, 8])).toBeCloseTo(1);
  expect(cosine([1, 0], [0, 5])).toBe(0);
  expect(cosine([1, 1], [-2, -2])).toBeCloseTo(-1);
  expect(cosine([0, 0], [1, 1])).toBe(0);
});
