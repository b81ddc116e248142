/** A token that was given out: all that is known of it but the token itself. */
export interface IssuedToken {
  /** The id in the token; one that is renewed keeps it. */
  readonly id: string;
  /** What it lets its bearer be: `admin`, `seat`, `spectator`, `join`. */
  readonly role: string;
  readonly table?: string;
  readonly seat?: number;
  /** Of a spectator: through which eye. */
  readonly view?: string;
  /** Who it is for. */
  readonly name: string;
  /** Who gave it out. */
  readonly by: string;
  /** When it was given out and when it ends, milliseconds since the epoch. */
  readonly issued: number;
  readonly until: number;
}

/** The same as it is kept. Numbers of permits and revocations are one sequence: what was given out before a revocation has a smaller one. */
export interface StoredToken extends IssuedToken {
  readonly n: number;
  readonly isRevoked: boolean;
}

/** What is revoked: one token, or all tokens of a table or of one of its seats that were given out so far. */
export type RevocationTarget = { readonly id: string } | { readonly table: string; readonly seat?: number };

export type Revocation = RevocationTarget & { readonly n: number };

/** The tokens that were given out, and those that hold no more. */
export interface Tokens {
  /** Keeps a permit; the same id again changes nothing. Returns what is kept. */
  issue(permit: IssuedToken): Promise<StoredToken>;
  /** Lets a permit last longer, never shorter. Returns undefined for one that is unknown, revoked, or over at `at`. */
  renew(id: string, until: number, at: number): Promise<StoredToken | undefined>;
  find(id: string): Promise<StoredToken | undefined>;
  /** Those that are not over at `at`, the last first, at most `limit`; with `before` those with a smaller number. */
  list(about: {
    readonly at: number;
    readonly limit: number;
    readonly before?: number;
    readonly table?: string;
  }): Promise<readonly StoredToken[]>;
  /**
   * Revokes, for good.
   * @param until when nothing it speaks of could be good any more: it is kept so long
   */
  revoke(what: RevocationTarget, until: number): Promise<Revocation>;
  /** Revocations with a greater number, in order; whoever asks on after the last one misses none, however many revoke at once. */
  revocations(after: number): Promise<readonly Revocation[]>;
  /** Forgets permits and revocations that are over at `at`. Returns how many. */
  prune(at: number): Promise<number>;
}
