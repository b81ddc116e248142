/** One value of a measure. */
export interface Measured {
  readonly measure: string;
  /** Where its formula is from. */
  readonly source: string;
  readonly rules: string;
  /** What it is about: a side, a role, a tactic. */
  readonly about: string;
  /** Undefined when there are no cases. */
  readonly value: number | undefined;
  /** How many cases it is of. */
  readonly cases: number;
  /** The bounds of a 95 % interval. */
  readonly low?: number;
  readonly high?: number;
}

/** A step that a mind thought. */
export interface MeasuredThought {
  readonly table: string;
  readonly round: number;
  readonly seat: number;
  readonly kind: string;
  readonly content: { readonly [field: string]: unknown };
}

/** A value before its rule set is added. */
export type Row = Omit<Measured, 'rules'>;
