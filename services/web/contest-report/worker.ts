import { parentPort, workerData } from 'node:worker_threads';
import { contestShape } from '@maw/lab/contests/definition.ts';
import { countedPairings, csvOf } from '@maw/lab/contests/report/counted.ts';
import { htmlOf } from '@maw/lab/contests/report/html/page.ts';
import { isSeedSecret } from '@maw/lab/contests/seed.ts';
import { reportOf } from '@maw/lab/contests/report/report.ts';
import { type PairingResult, seatSharing } from '@maw/lab/contests/result.ts';
import { decideStop } from '@maw/lab/contests/stopping.ts';

/** What the thread of a report is told: the results in their order, and in the end why records were left out of it. */
export type ToReport = { readonly result: PairingResult } | { readonly end: { readonly withoutMeasures?: string } };

const share = seatSharing();
let told: PairingResult[] = [];
parentPort!.on('message', (message: ToReport) => {
  if ('result' in message) return void told.push(share(message.result));
  const { withoutMeasures } = message.end;
  if (withoutMeasures !== undefined) told = told.map(({ records: _, ...result }) => result);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not to a window
  parentPort!.postMessage(reportText(workerData as ReportTerms, told, withoutMeasures));
});

/** What a report is of. */
export interface ReportTerms {
  readonly format: 'html' | 'json' | 'csv';
  /** As it was opened. */
  readonly contest: object;
  readonly state: string;
  readonly why?: string;
}

/** @param withoutMeasures why behaviour is not measured, in words */
function reportText(terms: ReportTerms, results: readonly PairingResult[], withoutMeasures?: string): string {
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
