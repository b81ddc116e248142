/** One step of a seat's reasoning, as the inspector shows it. JSON throughout. */
export interface Thought {
  readonly table: string;
  readonly seat: number;
  /** The message that asked for the decision. */
  readonly decision: string;
  /** 1, 2, 3 ... within the decision. */
  readonly step: number;
  readonly kind: string;
  readonly name: string;
  readonly at: number;
  readonly content: { readonly [field: string]: unknown };
}

/** The thoughts of seats, and their memory between decisions. */
export interface Thoughts {
  /** Stores a thought; the same decision and step again replaces it (another replica has taken the decision over). */
  record(thought: Thought): Promise<void>;
  list(table: string, about?: { readonly seat?: number; readonly decision?: string }): Promise<readonly Thought[]>;
  /** The memory of a seat; JSON. */
  recall(table: string, seat: number): Promise<unknown>;
  /** `n`: how many events the seat had seen. An older memory never replaces a newer one. Returns whether it was stored. */
  remember(table: string, seat: number, n: number, memory: unknown): Promise<boolean>;
}
