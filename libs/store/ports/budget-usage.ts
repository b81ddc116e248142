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

/** What requests to models have used. */
export interface UsageCounts {
  readonly requests: number;
  /** Those without an answer. */
  readonly failures: number;
  readonly promptTokens: number;
  readonly generatedTokens: number;
  /** Slot time in milliseconds. */
  readonly slotMs: number;
}

/** What one caller used within an hour, for one seat of a table or for none. */
export interface UsageEntry extends UsageCounts {
  /** Hours since the epoch. */
  readonly hour: number;
  /** The name of the key, or the service that asked. */
  readonly key: string;
  readonly model: string;
  /** Empty: none. */
  readonly recipe: string;
  /** Empty: no table. */
  readonly table: string;
  readonly seat: string;
}

/** What usage is summed by; of a table by seat, and else by key and day (UTC). */
export const USAGE_OF_TABLE = ['seat', 'model', 'recipe'] as const;
export const USAGE_OF_DAYS = ['day', 'key', 'model', 'recipe'] as const;
export type UsageColumn = (typeof USAGE_OF_TABLE | typeof USAGE_OF_DAYS)[number];

/** Sums, with a name for each column that was asked for. */
export type UsageSum = UsageCounts & { readonly [column in UsageColumn]?: string };

/** Of one table, or of the hours from one (since the epoch) to before another. */
export type UsageQuery =
  | { readonly table: string; readonly by: readonly (typeof USAGE_OF_TABLE)[number][] }
  | { readonly from: number; readonly to: number; readonly by: readonly (typeof USAGE_OF_DAYS)[number][] };

/** What was used of models, by whom. Nothing is ever told of the hour that runs, nor by seat of a table that is not over. */
export interface LlmUsage {
  /** Adds a batch, all or nothing. @param batch its number: what a writer has sent before, or with a larger number, is not added again */
  add(writer: string, batch: number, entries: readonly UsageEntry[]): Promise<void>;
  /** Lists sums by one column or more, in their order, at most `limit`. */
  list(query: UsageQuery, limit: number): Promise<readonly UsageSum[]>;
}
