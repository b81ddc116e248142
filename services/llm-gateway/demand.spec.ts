import { describe, expect, it } from '@jest/globals';
import { demand } from './demand.ts';

/** One game that asks for `ms` every second, for ten minutes. */
const steady = (ms: number, games = 1) => {
  const wanted = demand();
  for (let at = 0; at < 600_000; at += 1000) for (let g = 0; g < games; g++) wanted.asked(at, `g${g}`, ms);
  return wanted;
};

describe('how much slot time is asked for', () => {
  it('is its share of what the slots can give, also above all of it', () => {
    expect(steady(500).utilisation(600_000, 1)).toBeCloseTo(0.5, 1);
    expect(steady(500).utilisation(600_000, 2)).toBeCloseTo(0.25, 1);
    expect(steady(3000).utilisation(600_000, 1)).toBeCloseTo(3, 0);
  });

  it('fades when nobody asks any more', () => {
    const wanted = steady(500);
    expect(wanted.utilisation(600_000 + 600_000, 1)).toBeLessThan(0.01);
    expect(wanted.active(600_000 + 180_001)).toBe(0);
  });

  it('leaves room for as many games like these as fit under eighty per cent', () => {
    // each of two games wants a tenth of a slot: eight fit on one slot
    const wanted = steady(100, 2);
    expect(wanted.active(600_000)).toBe(2);
    expect(wanted.more(600_000, 1)).toBeGreaterThanOrEqual(5);
    expect(wanted.more(600_000, 1)).toBeLessThanOrEqual(6);
    expect(steady(900).more(600_000, 1)).toBe(0);
  });

  it('leaves room for a game per slot before anybody has asked', () => {
    expect(demand().more(0, 4)).toBe(4);
    expect(demand().utilisation(0, 0)).toBe(0);
  });
});
