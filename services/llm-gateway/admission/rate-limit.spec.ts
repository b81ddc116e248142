import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { limits, type Rate } from './rate-limit.ts';

/** The same law told another way: a bucket of `burst` that fills by `perMinute` a minute, in exact integers. */
function bucket({ perMinute, burst }: Rate) {
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

describe('the limit of an agent', () => {
  it('takes exactly what a bucket of integers takes, at any rate and any times', () => {
    fc.assert(
      fc.property(rates, pauses, (rate, waits) => {
        const limit = limits(rate);
        const takes = bucket(rate);
        let at = start;
        for (const wait of waits) {
          at += wait;
          expect(limit.admit('a', at) === 0).toBe(takes(at));
        }
      }),
    );
  });

  it('says to the millisecond when to come back: then it is taken, and one before it is not', () => {
    fc.assert(
      fc.property(rates, pauses, (rate, waits) => {
        const limit = limits(rate);
        let at = start;
        for (const wait of waits) {
          at += wait;
          const wantedMs = limit.admit('a', at);
          if (wantedMs === 0) continue;
          expect(limit.admit('a', at + wantedMs - 1)).toBe(1);
          at += wantedMs;
          expect(limit.admit('a', at)).toBe(0);
        }
      }),
    );
  });

  it('lets an agent that never rests have its burst and then its rate, over a simulated minute and over ten', () => {
    const limit = limits({ perMinute: 60, burst: 5 });
    let taken = 0;
    for (let at = 0; at < 60_000; at++) if (limit.admit('a', start + at) === 0) taken++;
    expect(taken).toBe(5 + 59);
    for (let at = 60_000; at < 600_000; at++) if (limit.admit('a', start + at) === 0) taken++;
    expect(taken).toBe(5 + 599);
  });

  it('is one for each agent, and none at a rate of zero', () => {
    const limit = limits({ perMinute: 1, burst: 1 });
    expect([limit.admit('a', start), limit.admit('b', start), limit.admit('a', start)]).toEqual([0, 0, 60_000]);
    const none = limits({ perMinute: 0, burst: 1 });
    expect(Array.from({ length: 1_000 }, () => none.admit('a', start)).every((wait) => wait === 0)).toBe(true);
  });

  it('forgets who has rested, and only those', () => {
    const limit = limits({ perMinute: 60, burst: 1 });
    for (let n = 0; n < 50_000; n++) limit.admit(`agent ${n}`, start + n);
    expect(limit.size).toBeLessThan(5_000);
    expect(limit.admit('agent 49999', start + 50_000)).toBe(999);
  });

  it('does not lock an agent out when the clock is set back', () => {
    const limit = limits({ perMinute: 60, burst: 2 });
    for (const _ of [1, 2, 3]) limit.admit('a', start);
    const hour = 3_600_000;
    expect(limit.admit('a', start - hour)).toBeLessThanOrEqual(1_000);
  });
});

describe('the limit of what costs more than one', () => {
  const tokens = () => limits({ perMinute: 600, burst: 1000 });

  it('takes what the burst holds, and says when the rest may come', () => {
    const limit = tokens();
    expect(limit.admit('a', start, 700)).toBe(0);
    expect(limit.admit('a', start, 400)).toBe(10_000); // 100 tokens at 10 a second
    expect(limit.admit('a', start + 9_999, 400)).toBe(1);
    expect(limit.admit('a', start + 10_000, 400)).toBe(0);
  });

  it('is corrected by what it cost in truth, in both directions', () => {
    const limit = tokens();
    limit.admit('a', start, 1000);
    limit.settle('a', start, -600);
    expect(limit.admit('a', start, 600)).toBe(0);
    limit.settle('a', start, 300);
    expect(limit.admit('a', start, 1)).toBe(30_100);
    expect(limit.waitMs('a', start)).toBe(30_100);
  });

  it('takes what is larger than the burst from whoever has rested, and has it owed', () => {
    const limit = tokens();
    expect(limit.admit('a', start, 1600)).toBe(0);
    expect(limit.admit('a', start, 1)).toBe(60_100);
    expect(limit.admit('b', start, 1)).toBe(0);
    expect(limit.admit('b', start, 1600)).toBe(100);
  });

  it('can be changed while it runs, which forgets what was counted', () => {
    const limit = tokens();
    limit.admit('a', start, 1000);
    limit.set({ perMinute: 600, burst: 1000 });
    expect(limit.waitMs('a', start)).toBeGreaterThan(0);
    limit.set({ perMinute: 60, burst: 10 });
    expect([limit.waitMs('a', start), limit.size]).toEqual([0, 0]);
    expect(limit.admit('a', start, 11)).toBe(0);
    expect(limit.admit('a', start, 1)).toBe(2_000);
  });
});
