import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Rate, rateLimiter } from './rate-limit.ts';

/** The model: a bucket of `burst` that fills by `perMinute` a minute, in exact integers. */
function integerBucket({ perMinute, burst }: Rate) {
  const full = BigInt(burst) * 60_000n;
  let level = full;
  let last: number | undefined;
  return (at: number): boolean => {
    level += BigInt(at - (last ?? at)) * BigInt(perMinute);
    if (level > full) level = full;
    last = at;
    if (level < 60_000n) return false;
    level -= 60_000n;
    return true;
  };
}

const rates = fc.record({ perMinute: fc.integer({ min: 1, max: 1_000 }), burst: fc.integer({ min: 1, max: 30 }) });
const pauses = fc.array(fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 5_000 })), { maxLength: 200 });
const start = 1_764_000_000_123;
const timesOf = (waits: readonly number[]): readonly number[] => waits.map((_, i) => waits.slice(0, i + 1).reduce((a, b) => a + b, start));

describe('rateLimiter', () => {
  it('admits exactly what an integer bucket admits, at any rate and times', () => {
    fc.assert(
      fc.property(rates, pauses, (rate, waits) => {
        const limiter = rateLimiter(rate);
        const admits = integerBucket(rate);
        const times = timesOf(waits);
        expect(times.map((at) => limiter.take('a', at) === 0)).toEqual(times.map(admits));
      }),
    );
  });

  it('returns the exact wait: one millisecond less is refused', () => {
    fc.assert(
      fc.property(rates, pauses, (rate, waits) => {
        const limiter = rateLimiter(rate);
        let at = start;
        const answers = waits.flatMap((wait) => {
          at += wait;
          const waitMs = limiter.take('a', at);
          if (waitMs === 0) return [];
          at += waitMs;
          return [[limiter.take('a', at - 1), limiter.take('a', at)]];
        });
        expect(answers).toEqual(answers.map(() => [1, 0]));
      }),
    );
  });

  it('admits the burst and then the rate to a key that never rests', () => {
    const limiter = rateLimiter({ perMinute: 60, burst: 5 });
    let admitted = 0;
    for (let at = 0; at < 60_000; at += 10) if (limiter.take('a', start + at) === 0) admitted++;
    expect(admitted).toBe(5 + 59);
    for (let at = 60_000; at < 600_000; at += 10) if (limiter.take('a', start + at) === 0) admitted++;
    expect(admitted).toBe(5 + 599);
  });

  it('counts each key for itself, and nothing at a rate of zero', () => {
    const limiter = rateLimiter({ perMinute: 1, burst: 1 });
    expect([limiter.take('a', start), limiter.take('b', start), limiter.take('a', start)]).toEqual([0, 0, 60_000]);
    const unlimited = rateLimiter({ perMinute: 0, burst: 1 });
    expect(Array.from({ length: 1_000 }, () => unlimited.take('a', start)).every((wait) => wait === 0)).toBe(true);
  });

  it('drops the least recently used keys above the limit', () => {
    const limiter = rateLimiter({ perMinute: 1, burst: 1 });
    for (let n = 0; n <= 50_000; n++) limiter.take(`key ${n}`, start);
    expect(limiter.size).toBe(50_000);
    expect([limiter.take('key 50000', start), limiter.take('key 0', start)]).toEqual([60_000, 0]);
  });

  it('counts a refusal as use, and drops nothing for a key it knows', () => {
    const limiter = rateLimiter({ perMinute: 1, burst: 1 });
    for (let n = 0; n < 50_000; n++) limiter.take(`key ${n}`, start);
    expect([limiter.take('key 0', start), limiter.size]).toEqual([60_000, 50_000]);
    limiter.take('a new key', start);
    expect([limiter.waitMs('key 0', start), limiter.waitMs('key 1', start)]).toEqual([60_000, 0]);
  });

  it('does not lock a key out when the clock is set back', () => {
    const limiter = rateLimiter({ perMinute: 60, burst: 2 });
    for (const _ of [1, 2, 3]) limiter.take('a', start);
    expect(limiter.take('a', start - 3_600_000)).toBeLessThanOrEqual(1_000);
  });
});

describe('rateLimiter with costs', () => {
  const limiterOfTokens = () => rateLimiter({ perMinute: 600, burst: 1000 });

  it('admits what the burst holds and returns when the rest may come', () => {
    const limiter = limiterOfTokens();
    expect(limiter.take('a', start, 700)).toBe(0);
    expect(limiter.take('a', start, 400)).toBe(10_000); // 100 tokens at 10 a second
    expect(limiter.take('a', start + 9_999, 400)).toBe(1);
    expect(limiter.take('a', start + 10_000, 400)).toBe(0);
  });

  it('settles an estimate in both directions', () => {
    const limiter = limiterOfTokens();
    limiter.take('a', start, 1000);
    limiter.settle('a', start, -600);
    expect(limiter.take('a', start, 600)).toBe(0);
    limiter.settle('a', start, 300);
    expect(limiter.take('a', start, 1)).toBe(30_100);
    expect(limiter.waitMs('a', start)).toBe(30_100);
  });

  it('admits a cost above the burst for a rested key, which then owes it', () => {
    const limiter = limiterOfTokens();
    expect(limiter.take('a', start, 1600)).toBe(0);
    expect(limiter.take('a', start, 1)).toBe(60_100);
    expect(limiter.take('b', start, 1)).toBe(0);
    expect(limiter.take('b', start, 1600)).toBe(100);
  });

  it('resets all keys when the rate changes, not when it stays', () => {
    const limiter = limiterOfTokens();
    limiter.take('a', start, 1000);
    limiter.setRate({ perMinute: 600, burst: 1000 });
    expect(limiter.waitMs('a', start)).toBeGreaterThan(0);
    limiter.setRate({ perMinute: 60, burst: 10 });
    expect([limiter.waitMs('a', start), limiter.size]).toEqual([0, 0]);
    expect(limiter.take('a', start, 11)).toBe(0);
    expect(limiter.take('a', start, 1)).toBe(2_000);
  });
});
