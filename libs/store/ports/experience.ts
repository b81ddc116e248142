/** A version of a pool of experience. A version that games were added to is never changed in any other way. */
export interface Pool {
  readonly name: string;
  readonly version: number;
  /** When it was made, in milliseconds since the epoch. */
  readonly at: number;
  /** What it was made from. JSON. */
  readonly about: { readonly [field: string]: unknown };
}

/** A pool with the number of its games and of their entries. */
export interface CountedPool extends Pool {
  readonly games: number;
  readonly entries: number;
}

/** One decision of a finished game, without names of players. */
export interface PoolEntry {
  /** The game: a table and a round of it. */
  readonly game: string;
  /** 1, 2, 3 ... within the game. */
  readonly n: number;
  /** JSON. */
  readonly item: { readonly [field: string]: unknown };
  /** Its embedding, as base64 of 32-bit floats, the lowest byte first. */
  readonly vector?: string;
}

/** Pools of experience by name and version. */
export interface ExperiencePools {
  /** Makes a version of a pool. One that is there stays as it is. */
  create(pool: Pool): Promise<void>;
  /** Adds the entries of one game, all of them or none. A game that is there stays as it is. Returns whether it was added. */
  add(name: string, version: number, game: string, entries: readonly Omit<PoolEntry, 'game'>[]): Promise<boolean>;
  /** All pools by name and version, of one name if it is given. */
  list(name?: string): Promise<readonly CountedPool[]>;
  /** The games of a pool that have entries. */
  games(name: string, version: number): Promise<readonly string[]>;
  /** Entries by game and number, those behind `after`. */
  entries(
    name: string,
    version: number,
    about: { readonly after?: { readonly game: string; readonly n: number }; readonly limit: number },
  ): Promise<readonly PoolEntry[]>;
}
