/** A request to the models and what came of it, kept so that it can be answered again without them. */
export interface RecordedExchange {
  /** The name of the recording it belongs to. */
  readonly recording: string;
  /** Of what a request asks, whoever asks it and when. */
  readonly hash: string;
  /** The message that asked. */
  readonly id: string;
  readonly table: string;
  /** Who asked, within the table: a seat, or another caller. */
  readonly asker: string;
  /** When it was asked, in milliseconds since the epoch. */
  readonly at: number;
  /** JSON, and so is the outcome; both may hold any text. */
  readonly request: unknown;
  readonly outcome: unknown;
}

/** What models have answered. Several recordings lie beside each other, each with any number of tables. */
export interface Recordings {
  /** Keeps a take. The same request of the same message again keeps its place and takes the new outcome. */
  save(take: RecordedExchange): Promise<void>;
  /**
   * The take of the `nth` time (1, 2, 3 ...) that one table has asked this: `table` itself where it is in the recording and has asked so
   * often, otherwise of those that have the one that asked first. A table that is played again under another id follows one that was played.
   */
  find(recording: string, hash: string, nth: number, table: string): Promise<RecordedExchange | undefined>;
  /** Takes in the order they were asked, at most `limit`. */
  list(recording: string, about: { readonly asker?: string; readonly limit: number }): Promise<readonly RecordedExchange[]>;
}
