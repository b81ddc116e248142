import { describe, expect, it } from '@jest/globals';
import { wilsonInterval } from './wilson-interval.ts';

describe('the interval of a share', () => {
  it.each([
    // computed apart from this code, from the formula
    [0, 10, 0, 0.2775328],
    [10, 10, 0.7224672, 1],
    [1, 10, 0.01787621, 0.40415],
    [5, 10, 0.2365931, 0.7634069],
    [50, 100, 0.4038315, 0.5961685],
    // Newcombe (1998), Statistics in Medicine 17, 857–872, table I, method 3
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of %i in %i lies from %f to %f', (times, of, low, high) => {
    const found = wilsonInterval(times, of);
    expect(found.share).toBe(times / of);
    expect(found.low).toBeCloseTo(low, 4);
    expect(found.high).toBeCloseTo(high, 4);
  });

  it('is wider for more certainty and narrower for more times', () => {
    expect(wilsonInterval(50, 100, 2.576).low).toBeLessThan(wilsonInterval(50, 100).low);
    expect(wilsonInterval(500, 1000).low).toBeGreaterThan(wilsonInterval(50, 100).low);
  });

  it('of nothing is anything', () => {
    expect(wilsonInterval(0, 0)).toEqual({ share: Number.NaN, low: 0, high: 1 });
  });
});
