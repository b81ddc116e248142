/** A token that was given out: all that is known of it but the token itself. */
export interface Permit {
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
export interface KeptPermit extends Permit {
  readonly n: number;
  readonly isRevoked: boolean;
}

/** What is revoked: one token, or all tokens of a table or of one of its seats that were given out so far. */
export type Revoked = { readonly id: string } | { readonly table: string; readonly seat?: number };

export type Revocation = Revoked & { readonly n: number };

/** The tokens that were given out, and those that hold no more. */
export interface Permits {
  /** Keeps a permit; the same id again changes nothing. Returns what is kept. */
  issue(permit: Permit): Promise<KeptPermit>;
  /** Lets a permit last longer, never shorter. Returns undefined for one that is unknown, revoked, or over at `at`. */
  renew(id: string, until: number, at: number): Promise<KeptPermit | undefined>;
  permit(id: string): Promise<KeptPermit | undefined>;
  /** Those that are not over at `at`, the last first, at most `limit`; with `before` those with a smaller number. */
  permits(about: {
    readonly at: number;
    readonly limit: number;
    readonly before?: number;
    readonly table?: string;
  }): Promise<readonly KeptPermit[]>;
  /**
   * Revokes, for good.
   * @param until when nothing it speaks of could be good any more: it is kept so long
   */
  revoke(what: Revoked, until: number): Promise<Revocation>;
  /** Revocations with a greater number, in order; whoever asks on after the last one misses none, however many revoke at once. */
  revocations(after: number): Promise<readonly Revocation[]>;
  /** Forgets permits and revocations that are over at `at`. Returns how many. */
  forget(at: number): Promise<number>;
}

/** One act of an administrator. */
export interface Act {
  /** Of this one act; the same again is one entry. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The name of the administrator, and the id of the token it came with. */
  readonly who: string;
  readonly token: string;
  /** The address it came from. */
  readonly from: string;
  /** The route: `POST /tables`. */
  readonly what: string;
  /** What of the request may be known; JSON. */
  readonly about: { readonly [field: string]: unknown };
  /** `done`, or why not; BEGUN as long as it is not known. */
  readonly outcome: string;
}

/** The outcome of an act that was begun, and nobody has said yet what came of it. */
export const BEGUN = 'begun';

/** What came of an act that was begun. */
export interface Finish extends Pick<Act, 'id' | 'about' | 'outcome'> {
  /** When, milliseconds since the epoch. */
  readonly at: number;
}

/** What administrators have done. It is only ever added to. */
export interface Audit {
  write(act: Act): Promise<void>;
  /** Adds what came of an act; the first that is said stands. An act that is not there, or was never BEGUN, stays as it is. */
  finish(what: Finish): Promise<void>;
  /** The last first, at most `limit`; with `before` those with a smaller number. */
  acts(about: { readonly limit: number; readonly before?: number }): Promise<readonly (Act & { readonly n: number })[]>;
}
