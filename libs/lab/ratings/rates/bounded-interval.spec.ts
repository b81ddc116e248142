import { describe, expect, it } from '@jest/globals';
import { studentAt95 } from '../distributions.ts';
import { amountInterval, shareInterval } from './bounded-interval.ts';
import { wilsonInterval } from './wilson-interval.ts';

describe('an interval that stays within what can be', () => {
  it('of a share of independent cases is that of Wilson, and wider where cases depend on each other', () => {
    const error = Math.sqrt((0.3 * 0.7) / 50);
    const { low, high } = wilsonInterval(15, 50);
    expect(shareInterval(0.3, { error, cases: 50, clusters: 10 })).toEqual({
      low: expect.closeTo(low, 12),
      high: expect.closeTo(high, 12),
    });
    const dependent = shareInterval(0.3, { error: 2 * error, cases: 50, clusters: 10 });
    expect(dependent.low).toBeCloseTo(wilsonInterval(3.75, 12.5).low, 12);
    // never narrower than that of independent cases
    expect(shareInterval(0.3, { error: 0, cases: 50, clusters: 10 })).toEqual(shareInterval(0.3, { error, cases: 50, clusters: 10 }));
  });

  it('of a share of 0 or 1 takes each cluster for a case', () => {
    expect(shareInterval(1, { error: 0, cases: 500, clusters: 8 })).toEqual({ low: wilsonInterval(8, 8).low, high: 1 });
    expect(shareInterval(0, { error: 0, cases: 3, clusters: 8 })).toEqual({ low: 0, high: wilsonInterval(0, 3).high });
  });

  it('goes by t, as tables have it', () => {
    for (const [freedom, t] of [
      [3, 3.182446],
      [4, 2.776445],
      [9, 2.262157],
      [39, 2.022691],
      [1e9, 1.959964],
    ] as const)
      // prettier-ignore
      expect(studentAt95(freedom) / t).toBeCloseTo(1, 2);
    expect(studentAt95(39)).toBeCloseTo(2.022691, 5);
  });

  it('of an amount is above its least value, and symmetric in the logarithm', () => {
    const { low, high } = amountInterval(2, 1.2, 9, 1)!;
    expect(low).toBeGreaterThan(1);
    expect((low - 1) * (high - 1)).toBeCloseTo(1, 12);
    expect(Math.log(high - 1)).toBeCloseTo(2.262157 * 1.2, 3); // t of 9, of a table
    expect(amountInterval(1, 0, 9, 1)).toBeUndefined();
  });
});
