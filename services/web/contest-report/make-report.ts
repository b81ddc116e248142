import { Worker } from 'node:worker_threads';
import { readResultPages, type ResultPage } from '@maw/lab/contests/report/result-pages.ts';
import type { PairingResult } from '@maw/lab/contests/result.ts';
import { Problem } from '../problem.ts';
import type { ReportTerms, ToReport } from './worker.ts';

/** Where a page of results begins, and whether it shall have records. */
export interface ResultsFrom {
  readonly after: number;
  readonly skip: number;
  readonly records?: true;
}

export interface ReportOptions {
  /** The id of the contest. */
  readonly id: string;
  readonly terms: ReportTerms;
  readonly read: (from: ResultsFrom) => Promise<ResultPage<object & { readonly number: number }>>;
  readonly signal: AbortSignal;
  /** The memory of the thread, in MB. */
  readonly heapMb?: number;
  /** How much JSON of records it may take. */
  readonly recordBytes?: number;
}

/** A service has half a gigabyte in a cluster. With it go some 50,000 games of seven seats. */
const HEAP_MB = 200;
const RECORD_BYTES = 32_000_000;

/**
 * Makes the report of a contest in a thread of its own: other requests go on meanwhile, and it takes no more memory than it may. What the measures of
 * behaviour need is much larger than all else: of a large contest it is left out, and the report says so.
 * @throws Problem report-too-large; the reason of the abort
 */
export async function makeReport({
  id,
  terms,
  read,
  signal,
  heapMb = HEAP_MB,
  recordBytes = RECORD_BYTES,
}: ReportOptions): Promise<string> {
  signal.throwIfAborted();
  const module = new URL('worker.ts', import.meta.url);
  const worker = new Worker(module, { workerData: terms, resourceLimits: { maxOldGenerationSizeMb: heapMb } });
  const { promise: text, resolve, reject } = Promise.withResolvers<string>();
  const abort = (): void => reject(signal.reason as Error);
  worker.once('message', resolve);
  worker.once('error', (error) => reject(isOutOfMemory(error) ? tooLarge(id) : error));
  worker.once('exit', (code) => reject(new Error(`the thread of a report ended with code ${code}`)));
  signal.addEventListener('abort', abort);
  text.catch(() => undefined); // thrown below
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not to a window
  const tell = (message: ToReport): void => worker.postMessage(message);
  try {
    let bytes = 0;
    const hasRecords = (): boolean => terms.format !== 'csv' && bytes <= recordBytes;
    const results = readResultPages((from) => read({ ...from, ...(hasRecords() ? { records: true } : {}) }));
    for await (const given of results) {
      await Promise.race([text, Promise.resolve()]); // reads no further once the thread has ended
      const { records, ...result } = given as unknown as PairingResult;
      if (records) bytes += Buffer.byteLength(JSON.stringify(records));
      tell({ result: records && hasRecords() ? { ...result, records } : result });
    }
    tell({ end: bytes > recordBytes ? { withoutMeasures: withoutMeasures(id) } : {} });
    return await text;
  } finally {
    signal.removeEventListener('abort', abort);
    await worker.terminate();
  }
}

const isOutOfMemory = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';

const withoutMeasures = (id: string): string =>
  `The records of this contest are too large to be measured in a service. On the command line, ./maw contest report ${id} measures them.`;

const tooLarge = (id: string): Problem =>
  new Problem(
    'report-too-large',
    `make it on the command line, once the contest is over: ./maw contest report ${id} --at URL --out FOLDER`,
  );
