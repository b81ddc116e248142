/** Recorded games of any origin: who sat where, what was dealt, what was done, and how later dice fell. */
import type { Instant, Seat } from '../kernel/question.ts';

/** One answer of one seat to the question `step`. */
export interface RecordedAct {
  readonly step: string;
  readonly seat: Seat;
  readonly says: readonly string[];
  /** When, in milliseconds since the deal. Absent: as soon as possible. */
  readonly at?: Instant;
}

/** One draw: after `step` had settled, or in `deal`. */
export interface RecordedDraw {
  readonly step: string;
  readonly name: string;
  readonly is: string | number | readonly (string | number)[];
}

/** The expected end. A replay that ends otherwise is a mistake. Roles are the final ones. */
export interface Expectation {
  readonly winner?: string;
  readonly winners?: readonly Seat[];
  readonly alive?: readonly Seat[];
  readonly roles?: readonly string[];
  readonly points?: readonly number[];
}

export interface GameRecord {
  readonly rules: string;
  readonly version?: string;
  readonly options: { readonly [name: string]: unknown };
  readonly players: readonly string[];
  /** What dealing would roll, in the terms of the rule set (`RuleSet.record.deal`). */
  readonly deal: { readonly [name: string]: unknown };
  readonly acts: readonly RecordedAct[];
  /** What later dice would roll, by the names of `RuleSet.record.draws`. With the step `deal` also the dealing draws, by their own names. */
  readonly draws: readonly RecordedDraw[];
  /** The seed for everything the record does not fix. Absent: `record`. */
  readonly seed?: string;
  readonly expect?: Expectation;
  /** For people; ignored by the program. */
  readonly notes?: unknown;
}
