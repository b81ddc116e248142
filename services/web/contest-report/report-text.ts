import { contestShape } from '@maw/lab/contests/definition.ts';
import { countedPairings, csvOf } from '@maw/lab/contests/report/counted.ts';
import { htmlOf } from '@maw/lab/contests/report/html/page.ts';
import { isSeedSecret } from '@maw/lab/contests/seed.ts';
import { reportOf } from '@maw/lab/contests/report/report.ts';
import type { PairingResult } from '@maw/lab/contests/result.ts';
import { decideStop } from '@maw/lab/contests/stopping.ts';

export type ReportFormat = 'html' | 'json' | 'csv';

/** What a report is of. */
export interface ReportTerms {
  readonly format: ReportFormat;
  /** As it was opened. */
  readonly contest: object;
  readonly state: string;
  readonly why?: string;
}

/** @param withoutMeasures why behaviour is not measured, in words */
export function reportText(terms: ReportTerms, results: readonly PairingResult[], withoutMeasures?: string): string {
  const { format, state, why } = terms;
  const contest = contestShape.parse(terms.contest);
  const decision = decideStop(contest, results);
  const stopped = decision.stop ? { stop: decision } : {};
  if (format === 'csv') return [...csvOf(countedPairings(contest, results, stopped.stop).flatMap(({ games }) => games))].join('');
  const about = { state, ...(why === undefined ? {} : { why }) };
  const whole = reportOf(contest, results, { about, ...stopped, ...(withoutMeasures === undefined ? {} : { withoutMeasures }) });
  const { seed: _, ...rest } = whole.contest;
  const made = isSeedSecret(contest, state) ? { ...whole, contest: rest } : whole;
  return format === 'json' ? JSON.stringify(made) : htmlOf(made, '');
}
