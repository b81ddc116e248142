import { describe, expect, it } from '@jest/globals';
import { retryBudget } from './retry-budget.ts';

describe('how often anything is tried again', () => {
  it('is once in ten requests in the long run, and what is saved up has an end', () => {
    const retries = retryBudget(0.125, 4);
    const spent = (): number => {
      let count = 0;
      while (retries.spend()) count++;
      return count;
    };
    expect([spent(), spent()]).toEqual([2, 0]);
    for (let n = 0; n < 8; n++) {
      expect(retries.spend()).toBe(false);
      retries.deposit();
    }
    expect(spent()).toBe(1);
    for (let n = 0; n < 1_000; n++) retries.deposit();
    expect([retries.balance, spent()]).toEqual([4, 4]);
  });
});
