/** How many tokens somebody has used of a budget in one period. All numbers are tokens, but for the period. */
export interface UsageTotal {
  /** What kind of account it is: a game, a tenant. */
  readonly kind: string;
  readonly who: string;
  /** Days since the epoch; 0 for what is counted once and for all. */
  readonly period: number;
  readonly used: number;
  /** What was owed when the period began. */
  readonly carried: number;
  /** The budget of the period. */
  readonly most: number;
}

/**
 * What was used of budgets. Each writer keeps totals of its own, which only grow, so writing twice counts once; an account is the sum over
 * its writers.
 */
export interface BudgetUsage {
  /** Keeps what `writer` has counted until `at` (milliseconds since the epoch): all of it or nothing. A smaller total never replaces a larger one. */
  record(writer: string, at: number, tallies: readonly UsageTotal[]): Promise<void>;
  /**
   * The accounts of a kind that somebody has written to since a time, each period summed over all writers; those written to last come first.
   * `others` is what writers but `except` have used.
   */
  list(
    kind: string,
    about: { readonly since: number; readonly limit: number; readonly except: string },
  ): Promise<readonly (UsageTotal & { readonly others: number })[]>;
  /** Forgets periods of accounts that nobody has written to since `before`, the oldest first, at most `limit`. Returns how many. */
  prune(before: number, limit: number): Promise<number>;
}
