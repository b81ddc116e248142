/** What is stored of an issued token; not the token itself. */
export interface IssuedToken {
  /** The id in the token. Renewal keeps it. */
  readonly id: string;
  /** `admin`, `seat`, `spectator` or `join`. */
  readonly role: string;
  readonly table?: string;
  readonly seat?: number;
  /** Through which eye a spectator looks. */
  readonly view?: string;
  /** The bearer. */
  readonly name: string;
  /** The issuer. */
  readonly by: string;
  /** When it was issued and when it expires, milliseconds since the epoch. */
  readonly issued: number;
  readonly until: number;
  /** The digest of the short code that stands for it. */
  readonly digest?: string;
}

/** An issued token with its number. Tokens and revocations share one sequence: a token issued before a revocation has a smaller number. */
export interface StoredToken extends IssuedToken {
  readonly n: number;
  readonly isRevoked: boolean;
}

/** What to revoke: one token, or all tokens issued so far for a table or one of its seats. */
export type RevocationTarget = { readonly id: string } | { readonly table: string; readonly seat?: number };

export type Revocation = RevocationTarget & { readonly n: number };

/** Issued tokens and revocations. */
export interface Tokens {
  /** Stores a token; the same id again changes nothing. Returns what is stored. */
  issue(permit: IssuedToken): Promise<StoredToken>;
  /** Extends a token, never shortens it. Returns undefined when it is unknown, revoked, or expired at `at`. */
  renew(id: string, until: number, at: number): Promise<StoredToken | undefined>;
  find(id: string): Promise<StoredToken | undefined>;
  /** The token for which a code with one of these digests stands. */
  findByDigest(digests: readonly string[]): Promise<StoredToken | undefined>;
  /** Tokens not expired at `at`, the latest first, at most `limit`; with `before` those with a smaller number. */
  list(about: {
    readonly at: number;
    readonly limit: number;
    readonly before?: number | undefined;
    readonly table?: string | undefined;
    /** Only those that were issued by this one. */
    readonly by?: string | undefined;
  }): Promise<readonly StoredToken[]>;
  /**
   * Revokes for good.
   * @param until when every token it concerns has expired: the revocation is stored until then
   */
  revoke(what: RevocationTarget, until: number): Promise<Revocation>;
  /** Revocations with a greater number, in order. Polling after the last one misses none, however many are written at once. */
  revocations(after: number): Promise<readonly Revocation[]>;
  /** Deletes tokens and revocations that have expired at `at`. Returns how many. */
  prune(at: number): Promise<number>;
}
