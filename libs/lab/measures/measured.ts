import { csvLines } from '../charts/csv.ts';

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

/** The round that a phase belongs to: `round-2/day/vote` to the second. */
export const roundOf = (phase: string | undefined): number => Number(/^round-(\d+)\//.exec(`${phase ?? ''}/`)?.[1] ?? 1);

const COLUMNS = ['rules', 'measure', 'about', 'value', 'cases', 'low', 'high', 'source'] as const;

/** Values of measures as lines of CSV. */
export const measuredCsv = (rows: readonly Measured[]): readonly string[] =>
  csvLines([COLUMNS, ...rows.map((row) => COLUMNS.map((column) => row[column] ?? ''))]);
