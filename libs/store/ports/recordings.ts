/** A request to a model and its outcome, for replay without a model. */
export interface RecordedExchange {
  /** The name of the recording it belongs to. */
  readonly recording: string;
  /** Hash of the request's content, without who asked and when. */
  readonly hash: string;
  /** The message that asked. */
  readonly id: string;
  readonly table: string;
  /** Who asked within the table: a seat, or another caller. */
  readonly asker: string;
  /** When it was asked, in milliseconds since the epoch. */
  readonly at: number;
  /** JSON, and so is the outcome; both may hold any text. */
  readonly request: unknown;
  readonly outcome: unknown;
}

/** Recorded model calls. Recordings are kept apart by name; each covers any number of tables. */
export interface Recordings {
  /** Saves an exchange. The same request of the same message again keeps its place and takes the new outcome. */
  save(take: RecordedExchange): Promise<void>;
  /**
   * The `nth` exchange (1, 2, 3 ...) of one table with this hash: of `table` itself when it has that many, otherwise of the table among those
   * that have whose first request came first. So a table replayed under another id follows one that was recorded.
   */
  find(recording: string, hash: string, nth: number, table: string): Promise<RecordedExchange | undefined>;
  /** Exchanges in the order they were asked, at most `limit`. */
  list(recording: string, about: { readonly limit: number }): Promise<readonly RecordedExchange[]>;
}
