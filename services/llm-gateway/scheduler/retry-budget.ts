/** A token bucket over all requests that bounds retries, so that an outage is not doubled by them. */
interface RetryBudget {
  /** Called for each new request, which pays its share in. */
  deposit(): void;
  /** Takes one retry. Returns whether there was one. */
  spend(): boolean;
}

/** Retries per request in the long run. */
const SHARE = 0.1;
/** The most retries that are saved up. */
const MAX = 20;

export function retryBudget(): RetryBudget {
  let balance = MAX / 2;
  return {
    deposit: () => void (balance = Math.min(MAX, balance + SHARE)),
    spend() {
      if (balance < 1) return false;
      balance -= 1;
      return true;
    },
  };
}
