import { describe, expect, it } from '@jest/globals';
import { budget } from './budget.ts';

const DAY = 86_400_000;

describe('a budget of tokens', () => {
  it('sets aside what is expected, and settles with what was used', () => {
    const one = budget(1000, false);
    const settle = one.reserve('g', 0, 600)!;
    expect(one.left('g', 0)).toBe(400);
    expect(one.reserve('g', 0, 401)).toBeUndefined();
    settle(100);
    expect([one.left('g', 0), one.used('g', 0)]).toEqual([900, 100]);
    settle(5000); // twice does no harm
    expect(one.left('g', 0)).toBe(900);
  });

  it('gives all back for what failed', () => {
    const one = budget(1000, false);
    one.reserve('g', 0, 1000)!(0);
    expect(one.left('g', 0)).toBe(1000);
  });

  it('carries what was overspent as a debt', () => {
    const one = budget(1000, false);
    one.reserve('g', 0, 500)!(1300);
    expect(one.left('g', 0)).toBe(-300);
    expect(one.reserve('g', 0, 0)).toBeUndefined();
  });

  it('is kept for each apart', () => {
    const one = budget(1000, false);
    one.reserve('g', 0, 1000)!(1000);
    expect(one.reserve('h', 0, 1000)).toBeDefined();
  });

  it('of a day begins anew with the next, but for the debt', () => {
    const one = budget(1000, true);
    one.reserve('t', DAY - 1, 900)!(900);
    expect(one.left('t', DAY - 1)).toBe(100);
    expect(one.left('t', DAY)).toBe(1000);
    one.reserve('t', DAY, 1000)!(1600);
    expect(one.left('t', 2 * DAY)).toBe(400);
    expect(one.left('t', 4 * DAY)).toBe(1000);
  });

  it('without a limit always has enough, and counts all the same', () => {
    const one = budget(0, true);
    one.reserve('t', 0, 1e9)!(7);
    expect([one.left('t', 0), one.used('t', 0)]).toEqual([Infinity, 7]);
  });

  it('may be changed while it runs', () => {
    const one = budget(100, false);
    one.reserve('g', 0, 100)!(100);
    one.set(150);
    expect(one.left('g', 0)).toBe(50);
  });
});
