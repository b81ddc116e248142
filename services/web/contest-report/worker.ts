import { parentPort, workerData } from 'node:worker_threads';
import { type PairingResult, seatSharing } from '@maw/lab/contests/result.ts';
import { type ReportTerms, reportText } from './report-text.ts';

/** What the thread of a report is told: the results in their order, and in the end why records were left out of it. */
export type ToReport = { readonly result: PairingResult } | { readonly end: { readonly withoutMeasures?: string } };

const share = seatSharing();
let results: PairingResult[] = [];
parentPort!.on('message', (message: ToReport) => {
  if ('result' in message) return void results.push(share(message.result));
  const { withoutMeasures } = message.end;
  if (withoutMeasures !== undefined) results = results.map(({ records: _, ...result }) => result);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not to a window
  parentPort!.postMessage(reportText(workerData as ReportTerms, results, withoutMeasures));
});
