import type { Writable } from 'node:stream';
import { z } from 'zod';
import { contracts } from '@maw/contracts/contracts.ts';
import { eye as eyeSchema } from '@maw/contracts/messages/schemas.ts';
import { backpressureWriter } from '@maw/http/sse.ts';
import { watcher } from '../auth/permissions.ts';
import { listLimit, viewName, wholeNumber } from '../parse-input.ts';
import { answer, type Answer, atTable, type AtTable, type Call, json, route, type Route } from '../route.ts';
import type { StreamQuota } from '../streams/stream-quota.ts';
import { streamedAnswer } from '../streams/streamed-answer.ts';
import { accessOf, type Page, PAGE_SIZE, type ReadPage, readPages } from '../streams/view-pages.ts';

export interface ViewRouteDeps {
  readonly readPage: ReadPage;
  readonly quota: StreamQuota;
  /** How long a reader may read nothing before it is disconnected. */
  readonly slowReaderMs: number;
}

const JSON_LINES = 'application/x-ndjson; charset=utf-8';

const page = z.strictObject({
  as: viewName.optional(),
  after: wholeNumber().optional(),
  limit: listLimit.optional(),
});
const tape = z.strictObject({ as: viewName.optional(), until: wholeNumber().optional() });
const view = z.object({ eye: eyeSchema, ...contracts.replyOf('table.view').shape });

/** Views of a table through the eye that the token permits. */
export function viewRoutes(deps: ViewRouteDeps): readonly Route[] {
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
      path: '/tables/:table/tape',
      summary: 'The whole view up to now, or up to event `until`, one JSON value per line.',
      query: tape,
      responses: [
        { status: 200, type: JSON_LINES, description: 'The events, as in `seen`.' },
        { status: 304, type: JSON_LINES, description: 'The tape of this `If-None-Match` has no further event.' },
      ],
      handle: (call) => tapeOf(deps, call),
    }),
  ];
}

async function viewOf(readPage: ReadPage, { bearer, params, query }: Call<AtTable & { readonly query: typeof page }>): Promise<Answer> {
  const { as, after = 0, limit = 1000 } = query;
  const access = await accessOf(readPage, bearer, params.table, as);
  return answer({ eye: access.eye, ...(await readPages(readPage, params.table, access, after, limit)) });
}

/** The view up to an event, one JSON value per line. */
async function tapeOf(
  { readPage, quota, slowReaderMs }: ViewRouteDeps,
  { bearer, client, params: { table }, query, signal }: Call<AtTable & { readonly query: typeof tape }>,
): Promise<Answer> {
  const access = await accessOf(readPage, bearer, table, query.as);
  const slot = quota.take(bearer, client);
  async function send(out: Writable, first: Page, last: number): Promise<void> {
    const write = backpressureWriter(out, slowReaderMs, AbortSignal.any([signal, slot.signal]));
    for (let [now, n] = [first, 0]; ; now = await readPage(table, access, n, PAGE_SIZE)) {
      for (const seen of now.seen) if (seen.n <= last) await write(`${JSON.stringify(seen)}\n`);
      n = now.seen.at(-1)?.n ?? last;
      if (n >= last) break;
    }
    out.end();
  }
  return streamedAnswer(JSON_LINES, slot.release, async () => {
    const first = await readPage(table, access, 0, PAGE_SIZE);
    const last = Math.min(first.last, query.until ?? first.last);
    // Weak: another version may word a sentence differently. Events do not change.
    const headers = { ETag: `W/"${first.summary.opened}-${access.eye}-${last}${access.showsCauses ? '-causes' : ''}"` };
    return { headers, isCompressible: true, send: (out) => send(out, first, last) };
  });
}
