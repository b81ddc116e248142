/** The tokens one account has used of its budget in one period. */
export interface UsageTotal {
  /** The kind of account: a game, a tenant. */
  readonly kind: string;
  readonly who: string;
  /** Days since the epoch; 0: the budget has no periods. */
  readonly period: number;
  readonly used: number;
  /** The debt carried over from the period before. */
  readonly carried: number;
  /** The budget of the period. */
  readonly most: number;
}

/**
 * The usage of budgets. Each writer keeps its own totals, which only grow, so that a repeated write counts once. An account's usage is the sum
 * over its writers.
 */
export interface BudgetUsage {
  /** Writes the totals of `writer` at `at` (milliseconds since the epoch), all or none. A smaller total never replaces a larger one. */
  record(writer: string, at: number, tallies: readonly UsageTotal[]): Promise<void>;
  /**
   * Lists the accounts of a kind written to since a time, each period summed over its writers, the latest written first.
   * `others`: the usage of all writers but `except`.
   */
  list(
    kind: string,
    about: { readonly since: number; readonly limit: number; readonly except: string },
  ): Promise<readonly (UsageTotal & { readonly others: number })[]>;
  /** Deletes periods of accounts last written to before `before`, the oldest first, at most `limit`. Returns how many. */
  prune(before: number, limit: number): Promise<number>;
}
