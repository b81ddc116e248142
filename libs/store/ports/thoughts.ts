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

/** One decision of a seat, without what was thought. */
export interface ThoughtDecision {
  /** 1, 2, 3 ... in the order in which the decisions of the table began. */
  readonly n: number;
  readonly seat: number;
  /** The message that asked for it. */
  readonly decision: string;
  /** Undefined in tables of older versions. */
  readonly phase: string | undefined;
  /** The id of its trace; undefined when it is not traced. */
  readonly trace: string | undefined;
  /** When its first and its last step were recorded, in milliseconds since the epoch. */
  readonly began: number;
  readonly ended: number;
  readonly steps: number;
}

/** Some decisions of a table: those after number `after`, of one seat, or the one of that id. */
interface DecisionsWanted {
  readonly seat?: number | undefined;
  readonly decision?: string | undefined;
  readonly after?: number | undefined;
  readonly limit: number;
}

interface RememberedWith {
  /** The memory is not stored when the stored one has a larger `decision.sequence`: the seat was asked something newer. */
  readonly sequence?: number | undefined;
  /** Thoughts of this table that are stored in the same transaction, the memory or not. No two have the same decision and step. */
  readonly thoughts?: readonly Thought[] | undefined;
}

/** The thoughts of seats, and their memory between decisions. */
export interface Thoughts {
  /**
   * Stores a thought; the same decision and step again replaces it (another replica has taken the decision over). The first step of a decision
   * keeps its time: decisions are numbered by it.
   */
  record(thought: Thought): Promise<void>;
  /** Thoughts by decision, in the order in which the decisions began. `after` and `limit` page through the steps of one decision. */
  list(
    table: string,
    about?: { readonly seat?: number; readonly decision?: string; readonly after?: number; readonly limit?: number },
  ): Promise<readonly Thought[]>;
  /** Decisions in the order in which they began. */
  decisions(table: string, wanted: DecisionsWanted): Promise<readonly ThoughtDecision[]>;
  /** The memory of a seat; JSON. */
  recall(table: string, seat: number): Promise<unknown>;
  /** The memories of several seats at one moment, in their order. */
  recallAll(table: string, seats: readonly number[]): Promise<readonly unknown[]>;
  /** `n`: how many events the seat had seen. An older memory never replaces a newer one. Returns whether it was stored. */
  remember(table: string, seat: number, n: number, memory: unknown, more?: RememberedWith): Promise<boolean>;
}
