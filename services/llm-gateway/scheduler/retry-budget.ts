/** A token bucket over all requests that bounds retries, so that an outage is not doubled by them. */
export interface RetryBudget {
  /** Called for each new request, which pays its share in. */
  deposit(): void;
  /** Takes one retry. Returns whether there was one. */
  spend(): boolean;
  readonly balance: number;
}

/** @param share retries per request in the long run @param max the most that is saved up */
export function retryBudget(share = 0.1, max = 20): RetryBudget {
  let balance = max / 2;
  return {
    deposit: () => void (balance = Math.min(max, balance + share)),
    spend() {
      if (balance < 1) return false;
      balance -= 1;
      return true;
    },
    get balance() {
      return balance;
    },
  };
}
