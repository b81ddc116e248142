import type { Writable } from 'node:stream';
import { JSON_LINES } from '@maw/contracts/http/route.ts';
import { backpressureWriter } from '@maw/http/sse.ts';
import type { WebOptions } from '../defaults.ts';
import { answer, type RouteResponse, type Call, type Handlers } from '../route.ts';
import type { StreamQuota } from '../streams/stream-quota.ts';
import { streamedAnswer } from '../streams/streamed-answer.ts';
import { withSchemas } from '../streams/legal-answers.ts';
import { accessOf, type Page, PAGE_SIZE, type ReadPage, readPages } from '../streams/view-pages.ts';

export interface ViewRouteDeps extends Pick<WebOptions, 'slowReaderMs'> {
  readonly readPage: ReadPage;
  readonly quota: StreamQuota;
}

/** Views of a table through the eye that the token permits. */
export const viewHandlers = (deps: ViewRouteDeps): Handlers<'GET /tables/:table/view' | 'GET /tables/:table/tape'> => ({
  'GET /tables/:table/view': (call) => viewOf(deps.readPage, call),
  'GET /tables/:table/tape': (call) => tapeOf(deps, call),
});

async function viewOf(readPage: ReadPage, { bearer, params, query }: Call<'GET /tables/:table/view'>): Promise<RouteResponse> {
  const { as, after = 0, limit = 1000, schemas } = query;
  const access = await accessOf(readPage, bearer, params.table, as);
  return answer({ eye: access.eye, ...(await readPages(schemas ? withSchemas(readPage) : readPage, params.table, access, after, limit)) });
}

/** The view up to an event, one JSON value per line. */
async function tapeOf(
  { readPage, quota, slowReaderMs }: ViewRouteDeps,
  { bearer, client, params: { table }, query, signal }: Call<'GET /tables/:table/tape'>,
): Promise<RouteResponse> {
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
