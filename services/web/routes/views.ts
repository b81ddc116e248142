import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Eye } from '@maw/games/kernel/question.ts';
import type { TableChanges } from '../streams/table-changes.ts';
import { type ViewName, eyeFor } from '../auth/authorize.ts';
import type { streamQuota } from '../streams/stream-quota.ts';
import { Problem } from '../problem.ts';
import { viewName, parseInput, wholeNumber } from '../parse-input.ts';
import { answer, type Answer, type Call, type Route, tableIn } from '../route.ts';
import { pen } from '../sse.ts';
import { sendEvents, type StreamTimes } from '../streams/event-stream.ts';
import { readPages, type ReadPage, type Page, PAGE_SIZE } from '../streams/view-pages.ts';

export interface ViewRouteDeps extends StreamTimes {
  readonly look: ReadPage;
  /** The same for streams, which share what they look at together. */
  readonly share: ReadPage;
  readonly bells: TableChanges;
  readonly places: ReturnType<typeof streamQuota>;
  readonly now: () => number;
}

const page = z.strictObject({
  as: viewName.optional(),
  after: wholeNumber.optional(),
  limit: wholeNumber.pipe(z.int().min(1).max(1000)).optional(),
});
const stream = z.strictObject({ as: viewName.optional(), after: wholeNumber.optional() });
/** What a reader that was cut off sends by itself; it stands above the address, which it sends again as it was. */
const resumed = z.object({ 'Last-Event-ID': wholeNumber });
const tape = z.strictObject({ as: viewName.optional() });

/** Looking at a table through the eye that the token opens. */
export function viewRoutes(desk: ViewRouteDeps): readonly Route[] {
  const { look, bells } = desk;

  const eyeOf = (call: Call, table: string, wanted: ViewName | undefined): Promise<Eye> =>
    eyeFor(call.bearer, table, wanted, async () => (await look(table, 'audience', 0, 1)).summary.spectators);

  async function view(call: Call): Promise<Answer> {
    const table = tableIn(call);
    const { as: wanted, after = 0, limit = 1000 } = parseInput(page, call.query, 'query');
    const eye = await eyeOf(call, table, wanted);
    return answer({ eye, ...(await readPages(look, table, eye, after, limit)) });
  }

  /** The bell hangs before the first page is read, so that nothing falls between them. */
  async function events(call: Call): Promise<Answer> {
    const table = tableIn(call);
    const query = parseInput(stream, call.query, 'query');
    const after = call.lastEventId
      ? parseInput(resumed, { 'Last-Event-ID': call.lastEventId }, 'query')['Last-Event-ID']
      : (query.after ?? 0);
    const eye = await eyeOf(call, table, query.as);
    const place = desk.places.take(call.bearer);
    const bell = bells.at(table);
    const leave = (): void => {
      bell.close();
      place.release();
    };
    try {
      const first = await desk.share(table, eye, after, PAGE_SIZE);
      if (after > first.last) throw new Problem('unreadable', `there is no event ${after} to go on after: the last is ${first.last}`);
      const signal = AbortSignal.any([call.signal, place.signal]);
      const { until } = call.bearer;
      return {
        type: 'text/event-stream; charset=utf-8',
        pours: (res) => sendEvents(res, { ...desk, look: desk.share, table, eye, after, first, bell, signal, until }).finally(leave),
        drop: leave,
      };
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** The whole view, as it is up to now, one JSON value a line. */
  async function lines(call: Call): Promise<Answer> {
    const table = tableIn(call);
    const eye = await eyeOf(call, table, parseInput(tape, call.query, 'query').as);
    const { release: leave, signal } = desk.places.take(call.bearer);
    async function pours(res: ServerResponse, first: Page): Promise<void> {
      const write = pen(res, desk.slowReaderMs, AbortSignal.any([call.signal, signal]));
      for (let now = first; ; now = await look(table, eye, now.seen.at(-1)!.n, PAGE_SIZE)) {
        for (const seen of now.seen) await write(`${JSON.stringify(seen)}\n`);
        if (!now.more) break;
      }
      res.end();
    }
    try {
      const first = await look(table, eye, 0, PAGE_SIZE);
      return { type: 'application/x-ndjson; charset=utf-8', pours: (res) => pours(res, first).finally(leave), drop: leave };
    } catch (error) {
      leave();
      throw error;
    }
  }

  return [
    { method: 'GET', path: '/tables/:table/view', handle: view },
    { method: 'GET', path: '/tables/:table/events', handle: events },
    { method: 'GET', path: '/tables/:table/tape', handle: lines },
  ];
}
