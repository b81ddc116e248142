/** Recorded games, of any origin: who sat where, what was dealt, what was done, and how later dice fell. */
import type { Instant, Seat } from '../kernel/question.ts';

/** One answer of one seat to the question `step`. */
export interface RecordedAct {
  readonly step: string;
  readonly seat: Seat;
  readonly says: readonly string[];
  /** When, in milliseconds since the deal. Absent: as soon as the seat may. */
  readonly at?: Instant;
}

/** How one die fell: after `step` had settled, or in `deal`. */
export interface RecordedDraw {
  readonly step: string;
  readonly name: string;
  readonly is: string | number | readonly (string | number)[];
}

/** What a record says of its own end; a replay that ends otherwise does not fit. Roles are those at the end. */
export interface Expectation {
  readonly winner?: string;
  readonly winners?: readonly Seat[];
  readonly alive?: readonly Seat[];
  readonly roles?: readonly string[];
  readonly points?: readonly number[];
}

export interface GameRecord {
  /** The name of a rule set. */
  readonly rules: string;
  readonly version?: string;
  readonly options: { readonly [name: string]: unknown };
  /** Names by seat. */
  readonly players: readonly string[];
  /** What dealing would roll, in the words of the rule set (`RuleSet.record.deal`). */
  readonly deal: { readonly [name: string]: unknown };
  readonly acts: readonly RecordedAct[];
  /** What later dice would roll, by the names of `RuleSet.record.draws`; with the step `deal` also what dealing would, by its own names. */
  readonly draws: readonly RecordedDraw[];
  /** From which everything is rolled that the record does not fix; absent: `record`. */
  readonly seed?: string;
  readonly expect?: Expectation;
  /** For people; nothing reads it. */
  readonly notes?: unknown;
}
