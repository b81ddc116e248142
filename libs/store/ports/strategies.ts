/** Whom a strategy is for. */
export interface StrategyKey {
  readonly recipe: string;
  readonly rules: string;
  /** The rule set's word. */
  readonly role: string;
}

/** The seat of a finished round that a version was learned by. */
export interface StrategyGame {
  readonly table: string;
  readonly round: number;
  readonly seat: number;
}

/** A revision of the strategy of one role: never changed once it is there. */
export interface StrategyVersion extends StrategyKey, StrategyGame {
  /** The set it belongs to. */
  readonly name: string;
  /** 1, 2, 3 ... within the set, over all its roles. */
  readonly version: number;
  /** The version of this role that it revises; 0: the recipe's own text. */
  readonly parent: number;
  readonly at: number;
  /** What was learned, without names of players. JSON. */
  readonly lesson: { readonly [field: string]: unknown };
}

/** A named set of strategies. */
export interface StrategySet {
  readonly name: string;
  /** The number of its newest version; 0: it has none yet. */
  readonly newest: number;
  /** When it was frozen, in milliseconds since the epoch. A frozen set gets no more versions. */
  readonly frozen: number | undefined;
  /** Finished rounds it was learned from. */
  readonly games: number;
  /** When its newest version was written. */
  readonly at: number | undefined;
}

/**
 * Why a version was not added: the seat has written one for this round; `parent` is not the newest version of the role; the set is frozen.
 */
export type NotAdded = 'known' | 'outdated' | 'frozen';

/** Strategies that minds learned, by set, recipe, rule set and role. */
export interface Strategies {
  /** Adds a version to its set, which is made if there is none. Returns the number of the version: the next one of the set. */
  add(version: Omit<StrategyVersion, 'version'>): Promise<number | NotAdded>;
  /** Whether a seat has written a version for a round. */
  has(name: string, game: StrategyGame): Promise<boolean>;
  /** The newest version of each role, of those up to the number `version`, by recipe, rules and role. */
  newest(name: string, about?: Partial<StrategyKey> & { readonly version?: number }): Promise<readonly StrategyVersion[]>;
  /** All sets by name; only that of a name if it is given. */
  list(name?: string): Promise<readonly StrategySet[]>;
  /** Lets nothing be added to a set from now on. Returns whether there is such a set. Repeating it changes nothing. */
  freeze(name: string, at: number): Promise<boolean>;
}
