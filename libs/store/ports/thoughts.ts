/** One step of thought of a seat, as the inspector shows it. JSON throughout. */
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

/** What seats think and what they keep in mind between decisions. */
export interface Thoughts {
  /** Keeps a thought; the same decision and step again replaces it (the decision was taken up by another replica). */
  record(thought: Thought): Promise<void>;
  list(table: string, about?: { readonly seat?: number; readonly decision?: string }): Promise<readonly Thought[]>;
  /** What a seat keeps in mind; JSON. */
  recall(table: string, seat: number): Promise<unknown>;
  /** `n`: how far the seat had seen; an older memory never replaces a newer one. Returns whether it was kept. */
  remember(table: string, seat: number, n: number, memory: unknown): Promise<boolean>;
}
