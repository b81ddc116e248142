import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { contracts } from '@maw/contracts/contracts.ts';
import { eye as eyeSchema } from '@maw/contracts/messages/schemas.ts';
import type { Eye } from '@maw/games/kernel/question.ts';
import { backpressureWriter } from '@maw/http/sse.ts';
import { eyeFor, type ViewName } from '../auth/authorize.ts';
import { watcher } from '../auth/permissions.ts';
import { listLimit, parseInput, viewName, wholeNumber } from '../parse-input.ts';
import { answer, type Answer, atTable, type AtTable, type Call, json, route, type Route } from '../route.ts';
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

const EVENT_STREAM = 'text/event-stream; charset=utf-8';
const JSON_LINES = 'application/x-ndjson; charset=utf-8';

const page = z.strictObject({
  as: viewName.optional(),
  after: wholeNumber().optional(),
  limit: listLimit.optional(),
});
const stream = z.strictObject({ as: viewName.optional(), after: wholeNumber().optional() });
/** What a client sends when it reconnects. It overrides the query, which is sent again unchanged. */
const resumed = z.object({ 'Last-Event-ID': wholeNumber() });
const tape = z.strictObject({ as: viewName.optional() });
const view = z.object({ eye: eyeSchema, ...contracts.replyOf('table.view').shape });

/** Views of a table through the eye that the token permits. */
export function viewRoutes(deps: ViewRouteDeps): readonly Route[] {
  const sharedReadPage = sharedPageReader(deps.readPage, deps.changes);
  const common = { method: 'GET', permits: watcher, params: atTable, refusals: ['unknown-game', 'not-an-option'] } as const;
  return [
    route({
      ...common,
      path: '/tables/:table/view',
      summary: 'The events of a view after number `after`, and what the seat may answer now.',
      query: page,
      responses: [json(view, 'The view.')],
      handle: (call) => viewOf(deps.readPage, call),
    }),
    route({
      ...common,
      path: '/tables/:table/events',
      summary: 'The same as it happens, as server-sent events: `seen`, `asked` and `over`.',
      query: stream,
      responses: [{ status: 200, type: EVENT_STREAM, description: 'The events, until the table is over.' }],
      handle: (call) => eventsOf({ ...deps, readPage: sharedReadPage }, call),
    }),
    route({
      ...common,
      path: '/tables/:table/tape',
      summary: 'The whole view up to now, one JSON value per line.',
      query: tape,
      responses: [{ status: 200, type: JSON_LINES, description: 'The events, as in `seen`.' }],
      handle: (call) => tapeOf(deps, call),
    }),
  ];
}

const eyeOf = (readPage: ReadPage, { bearer, params: { table } }: Call<AtTable>, as: ViewName | undefined): Promise<Eye> =>
  eyeFor(bearer, table, as, async () => (await readPage(table, 'audience', 0, 1)).summary.spectators);

async function viewOf(readPage: ReadPage, call: Call<AtTable & { readonly query: typeof page }>): Promise<Answer> {
  const { as, after = 0, limit = 1000 } = call.query;
  const eye = await eyeOf(readPage, call, as);
  return answer({ eye, ...(await readPages(readPage, call.params.table, eye, after, limit)) });
}

/** Events as they happen. The table is watched before the first page is read, so that no change falls between the two. */
async function eventsOf(deps: ViewRouteDeps, call: Call<AtTable & { readonly query: typeof stream }>): Promise<Answer> {
  const {
    params: { table },
    query,
  } = call;
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
  return streamed(EVENT_STREAM, release, async () => {
    const first = await deps.readPage(table, eye, after, PAGE_SIZE);
    if (after > first.last) throw beyond(after, first);
    const tables = [{ table, eye, after, first }];
    return (res) => sendEvents(res, { ...deps, tables, isOfMany: false, watch, signal, until: call.bearer.until });
  });
}

/** The whole view up to now, one JSON value per line. */
async function tapeOf(
  { readPage, quota, slowReaderMs }: ViewRouteDeps,
  call: Call<AtTable & { readonly query: typeof tape }>,
): Promise<Answer> {
  const { table } = call.params;
  const eye = await eyeOf(readPage, call, call.query.as);
  const { release, signal } = quota.take(call.bearer);
  async function send(res: ServerResponse, first: Page): Promise<void> {
    const write = backpressureWriter(res, slowReaderMs, AbortSignal.any([call.signal, signal]));
    for (let now = first; ; now = await readPage(table, eye, now.seen.at(-1)!.n, PAGE_SIZE)) {
      for (const seen of now.seen) await write(`${JSON.stringify(seen)}\n`);
      if (!now.more) break;
    }
    res.end();
  }
  return streamed(JSON_LINES, release, async () => {
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
