import { describe, expect, it } from '@jest/globals';
import { retryBudget } from './retry-budget.ts';

describe('retryBudget', () => {
  it('allows one retry per ten requests and saves at most twenty', () => {
    const retries = retryBudget();
    const spendAll = (): number => {
      let count = 0;
      while (retries.spend()) count++;
      return count;
    };
    const deposit = (times: number): void => {
      for (let n = 0; n < times; n++) retries.deposit();
    };
    expect([spendAll(), spendAll()]).toEqual([10, 0]);
    deposit(9);
    expect(spendAll()).toBe(0);
    deposit(2);
    expect(spendAll()).toBe(1);
    deposit(1_000);
    expect(spendAll()).toBe(20);
  });
});
