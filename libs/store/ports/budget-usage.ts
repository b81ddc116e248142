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

/** What is counted of requests to models: all, those without an answer, tokens of prompts and answers, and slot time in milliseconds. */
export const USAGE_COUNTS = ['requests', 'failures', 'prompt', 'completion', 'ms'] as const;
export type UsageCounts = { [count in (typeof USAGE_COUNTS)[number]]: number };

/** What one caller used within an hour, for a seat of a table or for none. A text is empty where there is nothing. */
export interface UsageEntry extends UsageCounts {
  /** Hours since the epoch. */
  readonly hour: number;
  /** The name of the key, or the service that asked. */
  readonly key: string;
  readonly model: string;
  readonly recipe: string;
  readonly table: string;
  readonly seat: string;
}

/** What use is summed by, of days (UTC) and of a table. */
export const USAGE_OF_DAYS = ['day', 'key', 'model', 'recipe'] as const;
export const USAGE_OF_TABLE = ['seat', 'model', 'recipe'] as const;
export type UsageSum = UsageCounts & { readonly [column in (typeof USAGE_OF_DAYS | typeof USAGE_OF_TABLE)[number]]?: string };

/** Of the hours from one (since the epoch) to before another, or of a table. */
export type UsageQuery =
  | { readonly by: readonly (typeof USAGE_OF_DAYS)[number][]; readonly from: number; readonly to: number }
  | { readonly by: readonly (typeof USAGE_OF_TABLE)[number][]; readonly table: string };

/** What was used of models, by whom. Nothing is told of the hour that runs, nor by seat of a table that is not over. */
export interface LlmUsage {
  /** Adds a batch, all or nothing. A writer numbers its batches; one that does not have a larger number than those before is not added. */
  add(writer: string, batch: number, entries: readonly UsageEntry[]): Promise<void>;
  /** Lists sums by one column or more, in their order, at most `limit`. */
  list(query: UsageQuery, limit: number): Promise<readonly UsageSum[]>;
}
