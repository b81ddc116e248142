/** One act of an administrator. */
export interface AuditEntry {
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
export const OUTCOME_PENDING = 'begun';

/** What came of an act that was begun. */
export interface AuditOutcome extends Pick<AuditEntry, 'id' | 'about' | 'outcome'> {
  /** When, milliseconds since the epoch. */
  readonly at: number;
}

/** What administrators have done. It is only ever added to. */
export interface AuditLog {
  write(act: AuditEntry): Promise<void>;
  /** Adds what came of an act; the first that is said stands. An act that is not there, or was never BEGUN, stays as it is. */
  finish(what: AuditOutcome): Promise<void>;
  /** The last first, at most `limit`; with `before` those with a smaller number. */
  list(about: { readonly limit: number; readonly before?: number }): Promise<readonly (AuditEntry & { readonly n: number })[]>;
}
