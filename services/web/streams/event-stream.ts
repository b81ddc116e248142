import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { unlessAborted } from '@maw/async/abort.ts';
import { RequestTimeout } from '@maw/bus/bus.ts';
import { problemDocument } from '@maw/http/problem.ts';
import { backpressureWriter, formatComment, formatEvent, SlowReader } from '@maw/http/sse.ts';
import { untraced } from '@maw/telemetry/trace-context.ts';
import type { Access } from '../auth/watching.ts';
import type { WebOptions } from '../defaults.ts';
import { Problem } from '../problem.ts';
import type { TableWatch } from './table-changes.ts';
import { type Page, PAGE_SIZE, type ReadPage } from './view-pages.ts';

/** How many tables of one stream are read at once: one that answers slowly does not hold up the others. */
const LANES = 4;

export type StreamTimes = Pick<WebOptions, 'streamKeepAliveMs' | 'slowReaderMs'>;

/** A table that is streamed. */
export interface StreamedTable {
  readonly table: string;
  /** The refusal, where the token does not permit the table; the reader is told. */
  readonly access: Access | Problem;
  /** Number of the last event that the reader has. */
  readonly after: number;
  /** The first page after it, when it was read already. */
  readonly first?: Page;
}

export interface EventStream extends StreamTimes {
  readonly tables: readonly StreamedTable[];
  /** Whether its events name their table. Such a stream outlasts its tables; one of a single table ends with it. */
  readonly isOfMany: boolean;
  readonly readPage: ReadPage;
  readonly watch: TableWatch;
  /** Aborted when the reader disconnects or the service closes. */
  readonly signal: AbortSignal;
  /** When the token of the reader expires, milliseconds since the epoch. */
  readonly until: number | undefined;
  readonly now: () => number;
}

/** What was written of a table. */
interface Written {
  readonly table: string;
  readonly access: StreamedTable['access'];
  /** Number of the last event. */
  last: number;
  /** The last `asked` event. */
  asked: string;
  /** The last `clock` event, without its `now`. */
  clock: string;
  first: Page | undefined;
}

interface StreamState extends EventStream {
  /** By name, in the order of the request. */
  readonly written: ReadonlyMap<string, Written>;
  /** Writes one event or comment as soon as the reader takes it. @throws SlowReader, the abort reason */
  readonly write: (text: string) => Promise<void>;
  /** When something was last written, by `performance.now()`. */
  writtenAt: number;
}

/**
 * Sends every event of one view or many, each once and in the order of its view, and what the seat may answer and the clock whenever they
 * change. A notification only says that there may be something new; what is new is always read from the view, after the last event that was
 * written. Tables take turns, a page each.
 * @returns when the stream has ended, for any reason that the reader can mend by reconnecting
 * @throws internal errors
 */
export async function sendEvents(out: Writable, stream: EventStream): Promise<void> {
  try {
    await run(out, stream);
    out.end();
  } catch (error) {
    if (error instanceof SlowReader) out.destroy();
    else out.end();
    if (!(error instanceof SlowReader || error instanceof Problem || stream.signal.aborted)) throw error;
  }
}

/** Runs until the table is over, the token has expired, or the stream is aborted. */
async function run(out: Writable, stream: EventStream): Promise<void> {
  const ended = new AbortController();
  const signal = AbortSignal.any([stream.signal, ended.signal]);
  const writer = backpressureWriter(out, stream.slowReaderMs, signal);
  const written = stream.tables.map(
    ({ table, access, after, first }) => [table, { table, access, last: after, asked: '', clock: '', first }] as const,
  );
  const state: StreamState = {
    ...stream,
    signal,
    written: new Map(written),
    writtenAt: 0,
    async write(text) {
      await writer(text);
      state.writtenAt = performance.now();
    },
  };
  try {
    await state.write('retry: 2000\n\n');
    const lanes = Array.from({ length: Math.min(LANES, stream.tables.length) }, () => followTables(state));
    await Promise.race([Promise.all(lanes), keepAlive(state)]);
  } finally {
    ended.abort();
  }
}

/** Keeps a quiet connection alive until the token has expired. */
async function keepAlive(state: StreamState): Promise<void> {
  for (;;) {
    const validMs = state.until === undefined ? Infinity : state.until - state.now();
    if (validMs <= 0) return;
    const quietMs = state.writtenAt + state.streamKeepAliveMs - performance.now();
    if (quietMs <= 0) await state.write(formatComment('still here'));
    else await delay(Math.min(quietMs, validMs), undefined, { signal: state.signal });
  }
}

/** Reads one table after another as they change. Returns when the watch is closed, or the only table is over. */
async function followTables(state: StreamState): Promise<void> {
  const { watch, isOfMany, written } = state;
  for (let table = await watch.take(); table !== undefined; table = await watch.take()) {
    const next = await sendNext(state, written.get(table)!).catch((error: unknown) => sendProblem(state, table!, error));
    if (next !== 'over') watch.putBack(table, next === 'more');
    else if (isOfMany) watch.leave(table);
    else return;
  }
}

/** Sends the next page of a table. Returns whether there is more to read now, later, or never. */
async function sendNext(state: StreamState, written: Written): Promise<'more' | 'later' | 'over'> {
  const { isOfMany, write } = state;
  const { table, access } = written;
  if (access instanceof Problem) throw access;
  const page = written.first ?? (await nextPage(state, table, access, written.last));
  written.first = undefined;
  if (!page) return 'more';
  // A reader of a table that was restored from a backup has events that do not exist: for it there is nothing but what follows.
  written.last = Math.min(written.last, page.last);
  const about = isOfMany ? { table } : {};
  for (const seen of page.seen) {
    written.last = seen.n;
    await write(formatEvent('seen', { ...about, ...seen }, positions(state)));
  }
  if (page.more) return 'more';
  const { now, ...clock } = page.clock ?? {};
  if (now !== undefined && JSON.stringify(clock) !== written.clock) await write(formatEvent('clock', { ...about, now, ...clock }));
  written.clock = JSON.stringify(clock);
  const asked = typeof access.eye === 'number' ? formatEvent('asked', { ...about, ...answerable(page) }) : '';
  if (asked !== written.asked) await write(asked);
  written.asked = asked;
  if (page.summary.stage !== 'over') return 'later';
  await write(formatEvent('over', { table, winners: page.summary.winners ?? [] }));
  return 'over';
}

/** Among many tables, one that cannot be watched does not end the stream. @throws what a stream of one table ends with */
async function sendProblem({ isOfMany, write }: StreamState, table: string, error: unknown): Promise<'over'> {
  if (!isOfMany || !(error instanceof Problem) || error.status >= 500) throw error;
  await write(formatEvent('problem', { table, ...problemDocument(error) }));
  return 'over';
}

/** The id of an event: how far each table is, in the order in which the request names them. */
const positions = ({ written }: StreamState): string => [...written.values()].map(({ last }) => last).join(',');

/** The page after the last event that was written; undefined, with a comment to the reader, when nobody answers in time. */
async function nextPage({ readPage, signal, write }: StreamState, table: string, access: Access, last: number): Promise<Page | undefined> {
  try {
    // A line in a secret room wakes all readers of the table: their spans would count those lines.
    return await unlessAborted(
      untraced(() => readPage(table, access, last, PAGE_SIZE)),
      signal,
    );
  } catch (error) {
    if (!(error instanceof RequestTimeout)) throw error;
    await write(formatComment('late'));
    return undefined;
  }
}

/** What a seat may do now. */
const answerable = ({ asked, brief, alive, life, holder }: Page) => ({ asked, brief, alive, life, holder });
