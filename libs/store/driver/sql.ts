/** One row as the database returns it: int8 as a number, jsonb as its value. */
export type Row = { readonly [column: string]: unknown };

export interface QueryResult<R> {
  readonly rows: readonly R[];
  /** How many rows an INSERT, UPDATE or DELETE has written. */
  readonly affected: number;
}

/** A PostgreSQL as the store uses it: each statement is a transaction of its own. */
export interface Sql {
  /** `params` are text, numbers, booleans and null; JSON travels as text and is cast in the statement. */
  query<R = Row>(text: string, params?: readonly (string | number | boolean | null)[]): Promise<QueryResult<R>>;
  close(): Promise<void>;
}
