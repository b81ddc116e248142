/** The values that a measure can have. */
export interface MeasureRange {
  readonly least: number;
  readonly most: number;
}

const SHARES: ReadonlySet<string> = new Set([
  'win rate',
  'engagement',
  'failure votes',
  'leader approval',
  'vote accuracy',
  'survival',
  'tactic share',
  'deception',
  'valid responses',
  'detection',
  'belief calibration',
  'trust',
  'reasonable outputs',
  'first claims',
  'self-recommendation',
  'success of self-recommendation',
  'teamwork',
  'confrontation',
  'vacillation',
  'sharing',
]);
/** A game lasts a day at least; a score is up to 1,000 (document 001, equation 4). */
const OTHERS: ReadonlyMap<string, MeasureRange> = new Map([
  ['duration', { least: 1, most: Infinity }],
  ['score', { least: 0, most: 1000 }],
]);

/** Measures that count something else. */
const COUNTS: readonly string[] = [
  'camouflage',
  'votes received',
  'NashConv',
  'belief log loss',
  'tokens',
  'model seconds',
  'loading seconds',
];

/** Whether there is a measure of that name. */
export const isMeasure = (name: string): boolean => SHARES.has(name) || OTHERS.has(name) || COUNTS.includes(name);

/** Shares lie between 0 and 1; every other measure counts something. */
export const rangeOf = (measure: string): MeasureRange =>
  SHARES.has(measure) ? { least: 0, most: 1 } : (OTHERS.get(measure) ?? { least: 0, most: Infinity });
