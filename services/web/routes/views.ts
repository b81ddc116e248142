import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Eye } from '@maw/games/kernel/question.ts';
import { backpressureWriter } from '@maw/http/sse.ts';
import { eyeFor, type ViewName } from '../auth/authorize.ts';
import { parseInput, viewName, wholeNumber } from '../parse-input.ts';
import { answer, type Answer, type Call, type Route, tableIn } from '../route.ts';
import { beyond, sendEvents, type StreamTimes } from '../streams/event-stream.ts';
import type { StreamQuota } from '../streams/stream-quota.ts';
import type { TableChanges } from '../streams/table-changes.ts';
import { type Page, PAGE_SIZE, type ReadPage, readPages, sharedPageReader } from '../streams/view-pages.ts';

export interface ViewRouteDeps extends StreamTimes {
  readonly readPage: ReadPage;
  readonly changes: TableChanges;
  readonly quota: StreamQuota;
  readonly now: () => number;
}

const page = z.strictObject({
  as: viewName.optional(),
  after: wholeNumber.optional(),
  limit: wholeNumber.pipe(z.int().min(1).max(1000)).optional(),
});
const stream = z.strictObject({ as: viewName.optional(), after: wholeNumber.optional() });
/** What a client sends when it reconnects. It overrides the query, which is sent again unchanged. */
const resumed = z.object({ 'Last-Event-ID': wholeNumber });
const tape = z.strictObject({ as: viewName.optional() });

/** Views of a table through the eye that the token permits. */
export function viewRoutes(deps: ViewRouteDeps): readonly Route[] {
  const sharedReadPage = sharedPageReader(deps.readPage, deps.changes);
  return [
    { method: 'GET', path: '/tables/:table/view', handle: (call) => viewOf(deps.readPage, call) },
    { method: 'GET', path: '/tables/:table/events', handle: (call) => eventsOf({ ...deps, readPage: sharedReadPage }, call) },
    { method: 'GET', path: '/tables/:table/tape', handle: (call) => tapeOf(deps, call) },
  ];
}

const eyeOf = (readPage: ReadPage, call: Call, as: ViewName | undefined): Promise<Eye> =>
  eyeFor(call.bearer, tableIn(call), as, async () => (await readPage(tableIn(call), 'audience', 0, 1)).summary.spectators);

async function viewOf(readPage: ReadPage, call: Call): Promise<Answer> {
  const table = tableIn(call);
  const { as, after = 0, limit = 1000 } = parseInput(page, call.query, 'query');
  const eye = await eyeOf(readPage, call, as);
  return answer({ eye, ...(await readPages(readPage, table, eye, after, limit)) });
}

/** Events as they happen. The table is watched before the first page is read, so that no change falls between the two. */
async function eventsOf(deps: ViewRouteDeps, call: Call): Promise<Answer> {
  const table = tableIn(call);
  const query = parseInput(stream, call.query, 'query');
  const after = call.lastEventId
    ? parseInput(resumed, { 'Last-Event-ID': call.lastEventId }, 'query')['Last-Event-ID']
    : (query.after ?? 0);
  const eye = await eyeOf(deps.readPage, call, query.as);
  const slot = deps.quota.take(call.bearer);
  const watch = deps.changes.watch([table]);
  const release = (): void => {
    watch.close();
    slot.release();
  };
  const signal = AbortSignal.any([call.signal, slot.signal]);
  return streamed('text/event-stream; charset=utf-8', release, async () => {
    const first = await deps.readPage(table, eye, after, PAGE_SIZE);
    if (after > first.last) throw beyond(after, first);
    const tables = [{ table, eye, after, first }];
    return (res) => sendEvents(res, { ...deps, tables, isOfMany: false, watch, signal, until: call.bearer.until });
  });
}

/** The whole view up to now, one JSON value per line. */
async function tapeOf({ readPage, quota, slowReaderMs }: ViewRouteDeps, call: Call): Promise<Answer> {
  const table = tableIn(call);
  const eye = await eyeOf(readPage, call, parseInput(tape, call.query, 'query').as);
  const { release, signal } = quota.take(call.bearer);
  async function send(res: ServerResponse, first: Page): Promise<void> {
    const write = backpressureWriter(res, slowReaderMs, AbortSignal.any([call.signal, signal]));
    for (let now = first; ; now = await readPage(table, eye, now.seen.at(-1)!.n, PAGE_SIZE)) {
      for (const seen of now.seen) await write(`${JSON.stringify(seen)}\n`);
      if (!now.more) break;
    }
    res.end();
  }
  return streamed('application/x-ndjson; charset=utf-8', release, async () => {
    const first = await readPage(table, eye, 0, PAGE_SIZE);
    return (res) => send(res, first);
  });
}

/** A streamed answer that calls `release` once it ends, fails, or is not wanted. @throws what `prepare` does */
async function streamed(
  type: string,
  release: () => void,
  prepare: () => Promise<(res: ServerResponse) => Promise<void>>,
): Promise<Answer> {
  try {
    const send = await prepare();
    return { type, stream: (res) => send(res).finally(release), discard: release };
  } catch (error) {
    release();
    throw error;
  }
}
