/** The tokens an account has used of its budget in its latest period. */
export interface AccountUsage {
  /** The kind of account: a game, a tenant. */
  readonly kind: string;
  readonly who: string;
  /** Days since the epoch; 0: the budget has no periods. */
  readonly period: number;
  /** With the debt of earlier periods. */
  readonly used: number;
  /** The budget of the period. */
  readonly most: number;
}

/** The usage of budgets, as the gateway that leads knows it. */
export interface BudgetUsage {
  /**
   * Writes the totals of accounts at `at` (milliseconds since the epoch), all or none. Within a period a total never becomes smaller, and an earlier
   * period never replaces a later one, so a repeated write changes nothing. Only a period more than a day ahead is replaced: a clock was wrong.
   */
  record(at: number, totals: readonly AccountUsage[]): Promise<void>;
  /** Lists the accounts of a kind written to since a time, the latest written first. */
  list(kind: string, about: { readonly since: number; readonly limit: number }): Promise<readonly AccountUsage[]>;
  /** Deletes accounts last written to before `before`. */
  prune(before: number): Promise<void>;
}
