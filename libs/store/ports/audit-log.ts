/** One act of an administrator. */
export interface AuditEntry {
  /** Idempotency key: the same id again is one entry. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The administrator's name, and the id of the token used. */
  readonly who: string;
  readonly token: string;
  /** The address it came from. */
  readonly from: string;
  /** The route: `POST /tables`. */
  readonly what: string;
  /** What of the request may be logged; JSON. */
  readonly about: { readonly [field: string]: unknown };
  /** `done`, or why not; OUTCOME_PENDING while it is not known. */
  readonly outcome: string;
}

/** The outcome of an act that has begun and not ended. */
export const OUTCOME_PENDING = 'begun';

/** The outcome of an act that was pending. */
export interface AuditOutcome extends Pick<AuditEntry, 'id' | 'about' | 'outcome'> {
  /** When, milliseconds since the epoch. */
  readonly at: number;
}

/** What stands in `what` of the outcome of a restore test: `done`, or why not. */
export const RESTORE_TEST = 'maw restore-test';

/** When an act was last done, and when it last failed, in milliseconds since the epoch; undefined: never. */
export interface LastOutcomes {
  readonly done: number | undefined;
  readonly failed: number | undefined;
}

/** What administrators have done. Append-only. */
export interface AuditLog {
  write(act: AuditEntry): Promise<void>;
  /** Adds the outcome of an act; the first one stands. It shows once the entry exists and was pending. */
  finish(what: AuditOutcome): Promise<void>;
  /** The last outcomes of an act, of entries that were written with their outcome. */
  lastOutcomes(what: string): Promise<LastOutcomes>;
  /** The latest first, at most `limit`; with `before` those with a smaller number. */
  list(about: { readonly limit: number; readonly before?: number | undefined }): Promise<readonly (AuditEntry & { readonly n: number })[]>;
}

/** A copy whose texts the database can store, each at most 300 characters. */
export const storable = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value, (_, each: unknown) => (typeof each === 'string' ? each.slice(0, 300).toWellFormed().replaceAll('\0', '') : each)),
  ) as T;
