import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Eye } from '@maw/games/kernel/question.ts';
import type { Doorbells } from '../bell.ts';
import { type As, eyeFor } from '../may.ts';
import type { places } from '../places.ts';
import { Problem } from '../problem.ts';
import { as, read, whole } from '../read.ts';
import { answer, type Answer, type Call, type Route, tableIn } from '../route.ts';
import { pen } from '../sse.ts';
import { pour, type StreamTimes } from '../stream.ts';
import { longPage, type Look, type Page, PAGE } from '../view.ts';

export interface WatchDesk extends StreamTimes {
  readonly look: Look;
  /** The same for streams, which share what they look at together. */
  readonly share: Look;
  readonly bells: Doorbells;
  readonly places: ReturnType<typeof places>;
  readonly now: () => number;
}

const page = z.strictObject({
  as: as.optional(),
  after: whole.optional(),
  limit: whole.pipe(z.int().min(1).max(1000)).optional(),
});
const stream = z.strictObject({ as: as.optional(), after: whole.optional() });
/** What a reader that was cut off sends by itself; it stands above the address, which it sends again as it was. */
const resumed = z.object({ 'Last-Event-ID': whole });
const tape = z.strictObject({ as: as.optional() });

/** Looking at a table through the eye that the token opens. */
export function watchRoutes(desk: WatchDesk): readonly Route[] {
  const { look, bells } = desk;

  const eyeOf = (call: Call, table: string, wanted: As | undefined): Promise<Eye> =>
    eyeFor(call.bearer, table, wanted, async () => (await look(table, 'audience', 0, 1)).summary.spectators);

  async function view(call: Call): Promise<Answer> {
    const table = tableIn(call);
    const { as: wanted, after = 0, limit = 1000 } = read(page, call.query, 'query');
    const eye = await eyeOf(call, table, wanted);
    return answer({ eye, ...(await longPage(look, table, eye, after, limit)) });
  }

  /** The bell hangs before the first page is read, so that nothing falls between them. */
  async function events(call: Call): Promise<Answer> {
    const table = tableIn(call);
    const query = read(stream, call.query, 'query');
    const after = call.lastEventId ? read(resumed, { 'Last-Event-ID': call.lastEventId }, 'query')['Last-Event-ID'] : (query.after ?? 0);
    const eye = await eyeOf(call, table, query.as);
    const place = desk.places.take(call.bearer);
    const bell = bells.at(table);
    const leave = (): void => {
      bell.remove();
      place.leave();
    };
    try {
      const first = await desk.share(table, eye, after, PAGE);
      if (after > first.last) throw new Problem('unreadable', `there is no event ${after} to go on after: the last is ${first.last}`);
      const signal = AbortSignal.any([call.signal, place.signal]);
      const { until } = call.bearer;
      return {
        type: 'text/event-stream; charset=utf-8',
        pours: (res) => pour(res, { ...desk, look: desk.share, table, eye, after, first, bell, signal, until }).finally(leave),
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
    const eye = await eyeOf(call, table, read(tape, call.query, 'query').as);
    const { leave, signal } = desk.places.take(call.bearer);
    async function pours(res: ServerResponse, first: Page): Promise<void> {
      const write = pen(res, desk.slowMs, AbortSignal.any([call.signal, signal]));
      for (let now = first; ; now = await look(table, eye, now.seen.at(-1)!.n, PAGE)) {
        for (const seen of now.seen) await write(`${JSON.stringify(seen)}\n`);
        if (!now.more) break;
      }
      res.end();
    }
    try {
      const first = await look(table, eye, 0, PAGE);
      return { type: 'application/x-ndjson; charset=utf-8', pours: (res) => pours(res, first).finally(leave), drop: leave };
    } catch (error) {
      leave();
      throw error;
    }
  }

  return [
    { method: 'GET', path: '/tables/:table/view', does: view },
    { method: 'GET', path: '/tables/:table/events', does: events },
    { method: 'GET', path: '/tables/:table/tape', does: lines },
  ];
}
