import { describe, expect, it } from '@jest/globals';
import { histogramFrom, quantileOf, sumOfHistograms } from './histogram.ts';

const PAGE = `# TYPE wait_seconds histogram
wait_seconds_bucket{le="0.1",service="player",type="a"} 2
wait_seconds_bucket{le="1",service="player",type="a"} 6
wait_seconds_bucket{le="+Inf",service="player",type="a"} 10
wait_seconds_sum{service="player",type="a"} 50
wait_seconds_count{service="player",type="a"} 10
wait_seconds_bucket{le="0.1",service="player",type="ab"} 100
wait_seconds_bucket{le="0.1",service="web",type="a"} 1000
long_wait_seconds_bucket{le="0.1",service="player",type="a"} 10000
`;

describe('a histogram', () => {
  it('is read with its labels, and not with those of others', () => {
    const buckets = histogramFrom(PAGE, 'wait_seconds', { service: 'player', type: 'a' });
    expect([...buckets]).toEqual([
      [0.1, 2],
      [1, 6],
      [Infinity, 10],
    ]);
    expect(histogramFrom(PAGE, 'wait_seconds', { service: 'none' }).size).toBe(0);
    expect(histogramFrom(PAGE, 'wait_seconds', { type: 'a' }).get(0.1)).toBe(1002);
  });

  it('is added to others, and taken away from them', () => {
    const before = new Map([[1, 2]]);
    const after = new Map([
      [1, 5],
      [Infinity, 7],
    ]);
    expect([
      ...sumOfHistograms([
        [after, 1],
        [before, -1],
        [after, 1],
      ]),
    ]).toEqual([
      [1, 8],
      [Infinity, 14],
    ]);
  });

  it('interpolates quantiles within a bucket, up to its last bound', () => {
    const buckets = histogramFrom(PAGE, 'wait_seconds', { service: 'player', type: 'a' });
    expect(quantileOf(buckets, 0.1)).toBeCloseTo(0.05);
    expect(quantileOf(buckets, 0.2)).toBeCloseTo(0.1);
    expect(quantileOf(buckets, 0.5)).toBeCloseTo(0.1 + 0.9 * 0.75);
    expect(quantileOf(buckets, 0.6)).toBeCloseTo(1);
    expect(quantileOf(buckets, 0.61)).toBe(1);
    expect(quantileOf(new Map(), 0.5)).toBeNaN();
    expect(quantileOf(new Map([[1, 0]]), 0.5)).toBeNaN();
  });
});
