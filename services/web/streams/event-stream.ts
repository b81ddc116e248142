import type { ServerResponse } from 'node:http';
import { unlessAborted } from '@maw/async/abort.ts';
import { RequestTimeout } from '@maw/bus/bus.ts';
import type { Eye } from '@maw/games/kernel/question.ts';
import { backpressureWriter, formatComment, formatEvent, SlowReader } from '@maw/http/sse.ts';
import { untraced } from '@maw/telemetry/trace-context.ts';
import { Problem } from '../problem.ts';
import type { TableWatch } from './table-changes.ts';
import { type Page, PAGE_SIZE, type ReadPage } from './view-pages.ts';

/** All in milliseconds. */
export interface StreamTimes {
  /** How often a quiet stream sends a comment. */
  readonly commentEveryMs: number;
  /** How often the view is read without a notification, which may be lost. */
  readonly pollMs: number;
  /** How long a reader may read nothing before it is disconnected. */
  readonly slowReaderMs: number;
}

export interface EventStream extends StreamTimes {
  readonly table: string;
  readonly eye: Eye;
  /** Number of the last event that the reader has. */
  readonly after: number;
  /** The first page after it. */
  readonly first: Page;
  readonly readPage: ReadPage;
  readonly watch: TableWatch;
  /** Aborted when the reader disconnects or the service closes. */
  readonly signal: AbortSignal;
  /** When the token of the reader expires, milliseconds since the epoch. */
  readonly until: number | undefined;
  readonly now: () => number;
}

/** What was written to the reader. */
interface Written {
  /** When, by `performance.now()`. */
  at: number;
  /** Number of the last event. */
  last: number;
  /** The last `asked` event. */
  asked: string;
}

/**
 * Sends every event of a view once and in order, and what the seat may answer whenever that changes, until the table is over. A notification
 * only says that there may be something new; what is new is always read from the view, after the last event that was written.
 * @returns when the stream has ended, for any reason that the reader can mend by reconnecting
 * @throws internal errors
 */
export async function sendEvents(res: ServerResponse, stream: EventStream): Promise<void> {
  try {
    await run(res, stream);
    res.end();
  } catch (error) {
    if (error instanceof SlowReader) res.destroy();
    else res.end();
    if (!(error instanceof SlowReader || error instanceof Problem || stream.signal.aborted)) throw error;
  }
}

async function run(res: ServerResponse, stream: EventStream): Promise<void> {
  const written: Written = { at: 0, last: stream.after, asked: '' };
  const writer = backpressureWriter(res, stream.slowReaderMs, stream.signal);
  const write = async (text: string): Promise<void> => {
    await writer(text);
    written.at = performance.now();
  };
  await write('retry: 2000\n\n');
  for (let page: Page | undefined = stream.first; ; page = await nextPage(stream, written.last, write)) {
    if (!page) continue;
    for (const seen of page.seen) {
      await write(formatEvent('seen', seen, seen.n));
      written.last = seen.n;
    }
    if (page.more) continue;
    const asked = typeof stream.eye === 'number' ? formatEvent('asked', answerable(page)) : '';
    if (asked !== written.asked) await write(asked);
    written.asked = asked;
    if (page.summary.stage === 'over') return write(formatEvent('over', { table: stream.table, winners: page.summary.winners ?? [] }));
    if (!(await waitUntilDue(stream, written, write))) return;
  }
}

type Write = (text: string) => Promise<void>;

/** The page after event `last`; undefined, with a comment to the reader, when nobody answers in time. */
async function nextPage({ readPage, table, eye, signal }: EventStream, last: number, write: Write): Promise<Page | undefined> {
  try {
    // A line in a secret room wakes all readers of the table: their spans would count those lines.
    return await unlessAborted(
      untraced(() => readPage(table, eye, last, PAGE_SIZE)),
      signal,
    );
  } catch (error) {
    if (!(error instanceof RequestTimeout)) throw error;
    await write(formatComment('late'));
    return undefined;
  }
}

/** Waits until the view should be read again, and keeps the connection alive meanwhile. Returns false when the token has expired. */
async function waitUntilDue(stream: EventStream, written: Written, write: Write): Promise<boolean> {
  const pollAt = performance.now() + stream.pollMs;
  for (;;) {
    const validMs = stream.until === undefined ? Infinity : stream.until - stream.now();
    if (validMs <= 0) return false;
    const now = performance.now();
    const hasChanged = await stream.watch.wait(Math.min(pollAt - now, written.at + stream.commentEveryMs - now, validMs), stream.signal);
    stream.signal.throwIfAborted();
    if (hasChanged || performance.now() >= pollAt) return true;
    if (performance.now() >= written.at + stream.commentEveryMs) await write(formatComment('still here'));
  }
}

/** What a seat may do now. */
const answerable = ({ asked, brief, alive, life, holder }: Page) => ({ asked, brief, alive, life, holder });
