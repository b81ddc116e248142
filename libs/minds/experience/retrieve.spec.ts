import { describe, expect, it } from '@jest/globals';
import { best, cosine } from './retrieve.ts';

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
