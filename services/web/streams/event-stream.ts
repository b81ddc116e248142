import type { ServerResponse } from 'node:http';
import { RequestTimeout } from '@maw/bus/bus.ts';
import type { Eye } from '@maw/games/kernel/question.ts';
import type { TableWatch } from './table-changes.ts';
import { Problem } from '../problem.ts';
import { comment, frame, pen, TooSlow } from '../sse.ts';
import { type ReadPage, type Page, PAGE_SIZE } from './view-pages.ts';

export interface StreamTimes {
  /** A comment after so much silence keeps the ways between open. */
  readonly keepAliveMs: number;
  /** How often the view is read although nothing rang: a doorbell keeps nothing and may be missed. */
  readonly pollMs: number;
  /** How long a reader may take nothing before it is disconnected. */
  readonly slowReaderMs: number;
}

export interface EventStream extends StreamTimes {
  readonly table: string;
  readonly eye: Eye;
  /** The n of the last event the reader has. */
  readonly after: number;
  /** The first page after it. */
  readonly first: Page;
  readonly look: ReadPage;
  readonly bell: TableWatch;
  /** Aborted when the reader has gone or the door closes. */
  readonly signal: AbortSignal;
  /** When the reader's token ends, milliseconds since the epoch. */
  readonly until: number | undefined;
  readonly now: () => number;
}

/**
 * Sends a reader every event of its view, once and in order, and what its seat may answer whenever that changes; ends when the table is over.
 * The bell says only that there may be something new: what is new is always read from the view, after the last event that was written.
 * @returns resolves when the stream has ended, for whatever reason that the reader may mend by coming back
 * @throws what is a fault of ours
 */
export async function sendEvents(res: ServerResponse, stream: EventStream): Promise<void> {
  try {
    await run(res, stream);
    res.end();
  } catch (error) {
    if (error instanceof TooSlow) res.destroy();
    else res.end();
    if (!(error instanceof TooSlow || error instanceof Problem || stream.signal.aborted)) throw error;
  }
}

async function run(res: ServerResponse, stream: EventStream): Promise<void> {
  const { table, eye, look, bell, signal } = stream;
  const write = pen(res, stream.slowReaderMs, signal);
  await write('retry: 2000\n\n');
  let wroteAt = performance.now();
  let at = stream.after;
  let told = '';
  const send = async (text: string): Promise<void> => {
    await write(text);
    wroteAt = performance.now();
  };

  for (let page: Page | undefined = stream.first; ; page = await next()) {
    if (!page) continue;
    for (const seen of page.seen) {
      await send(frame('seen', seen, seen.n));
      at = seen.n;
    }
    if (page.more) continue;
    const may = typeof eye === 'number' ? frame('asked', mayDo(page)) : '';
    if (may !== told) await send(may);
    told = may;
    if (page.summary.stage === 'over') return send(frame('over', { table, winners: page.summary.winners ?? [] }));
    if (!(await isDue())) return;
  }

  /** The page after what was written; undefined when nobody answers just now. */
  async function next(): Promise<Page | undefined> {
    try {
      return await unlessAborted(look(table, eye, at, PAGE_SIZE), signal);
    } catch (error) {
      if (!(error instanceof RequestTimeout)) throw error;
      await send(comment('late'));
      return undefined;
    }
  }

  /** Waits until the view should be read again. Returns false when the token has ended. */
  async function isDue(): Promise<boolean> {
    const pollAt = performance.now() + stream.pollMs;
    for (;;) {
      const left = stream.until === undefined ? Number.POSITIVE_INFINITY : stream.until - stream.now();
      if (left <= 0) return false;
      const now = performance.now();
      const hasRung = await bell.wait(Math.min(pollAt - now, wroteAt + stream.keepAliveMs - now, left), signal);
      signal.throwIfAborted();
      if (hasRung || performance.now() >= pollAt) return true;
      if (performance.now() >= wroteAt + stream.keepAliveMs) await send(comment('still here'));
    }
  }
}

/** What a seat may do now. */
function mayDo({ asked, brief, alive, life, holder }: Page) {
  return { asked, brief, alive, life, holder };
}

/** The same promise, not waited for any longer than the signal allows. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: gone, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([promise, gone]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
