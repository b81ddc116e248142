import { describe, expect, it } from '@jest/globals';
import { budget } from './token-account.ts';

const DAY = 86_400_000;

describe('budget', () => {
  it('reserves the expected tokens and settles with the used ones', () => {
    const one = budget(1000, false);
    const settle = one.reserve('g', 0, 600)!;
    expect(one.left('g', 0)).toBe(400);
    expect(one.reserve('g', 0, 401)).toBeUndefined();
    settle(100);
    expect(one.left('g', 0)).toBe(900);
    settle(5000); // twice does no harm
    expect(one.left('g', 0)).toBe(900);
  });

  it('refunds everything when nothing was used', () => {
    const one = budget(1000, false);
    one.reserve('g', 0, 1000)!(0);
    expect(one.left('g', 0)).toBe(1000);
  });

  it('turns overspending into debt', () => {
    const one = budget(1000, false);
    one.reserve('g', 0, 500)!(1300);
    expect(one.left('g', 0)).toBe(-300);
    expect(one.reserve('g', 0, 0)).toBeUndefined();
  });

  it("sums debts without offsetting them by others' balances or reservations", () => {
    const one = budget(1000, false);
    one.reserve('g', 0, 500)!(1300);
    one.reserve('h', 0, 500)!(1);
    one.reserve('i', 0, 900);
    one.reserve('j', 0, 500)!(1000);
    expect(one.debt(0)).toBe(300);
    one.reserve('k', 0, 500)!(1001);
    expect(one.debt(0)).toBe(301);
    one.setLimit(0);
    expect(one.debt(0)).toBe(0);
  });

  it('carries debt over days until it is paid', () => {
    const one = budget(1000, true);
    one.reserve('t', 0, 1000)!(3500);
    expect([one.debt(0), one.debt(DAY - 1), one.debt(DAY), one.debt(2 * DAY), one.debt(3 * DAY)]).toEqual([2500, 2500, 1500, 500, 0]);
    expect(one.left('t', 2 * DAY)).toBe(-500); // looking has changed nothing
  });

  it('is separate for each account', () => {
    const one = budget(1000, false);
    one.reserve('g', 0, 1000)!(1000);
    expect(one.reserve('h', 0, 1000)).toBeDefined();
  });

  it('renews daily budgets, less the debt', () => {
    const one = budget(1000, true);
    one.reserve('t', DAY - 1, 900)!(900);
    expect(one.left('t', DAY - 1)).toBe(100);
    expect(one.left('t', DAY)).toBe(1000);
    one.reserve('t', DAY, 1000)!(1600);
    expect(one.left('t', 2 * DAY)).toBe(400);
    expect(one.left('t', 4 * DAY)).toBe(1000);
  });

  it('computes the exact time until enough tokens, or that there never will be', () => {
    for (const [used, tokens] of [
      [700, 300],
      [700, 301],
      [1_000, 1_000],
      [1_000, 1],
      [2_500, 499],
      [2_500, 501],
      [2_500, 1_000],
      [7_000, 1],
    ] as const) {
      const one = budget(1_000, true);
      const at = 5 * DAY + 1_234;
      one.reserve('t', at, 0)!(used);
      const rest = one.retryAfterMs('t', at, tokens)!;
      expect(one.reserve('t', at + rest, tokens)).toBeDefined();
      const other = budget(1_000, true);
      other.reserve('t', at, 0)!(used);
      if (rest > 0) expect(other.reserve('t', at + rest - 1, tokens)).toBeUndefined();
    }
    expect(budget(1_000, true).retryAfterMs('t', 0, 1_001)).toBeUndefined();
    const game = budget(1_000, false);
    game.reserve('g', 0, 0)!(1_000);
    expect([game.retryAfterMs('g', 0, 1), game.retryAfterMs('h', 0, 1)]).toEqual([undefined, 0]);
  });

  it('always admits without a limit, but still counts', () => {
    const one = budget(0, true);
    one.reserve('t', 0, 1e9)!(7);
    expect(one.left('t', 0)).toBe(Infinity);
    one.setLimit(10);
    expect(one.left('t', 0)).toBe(3);
  });

  it('keeps an account in use while one-off accounts are evicted', () => {
    const one = budget(100, false);
    one.reserve('busy', 0, 100)!(100);
    for (let n = 0; n < 30_000; n++) {
      one.reserve(`once ${n}`, 0, 1)!(1);
      if (n % 10_000 === 0) expect(one.left('busy', 0)).toBe(0);
    }
    expect(one.accounts(0, 100_000)).toHaveLength(20_000);
    expect([one.left('busy', 0), one.left('once 29999', 0), one.left('once 0', 0)]).toEqual([0, 99, 100]);
  });

  it('applies a changed limit at once', () => {
    const one = budget(100, false);
    one.reserve('g', 0, 100)!(100);
    one.setLimit(150);
    expect(one.left('g', 0)).toBe(50);
  });
});
