import { z } from 'zod';
import { watcher } from '../auth/permissions.ts';
import { parseInput, viewName, wholeNumber } from '../parse-input.ts';
import { Problem } from '../problem.ts';
import { type Answer, atTable, type AtTable, type Call, route, type Route } from '../route.ts';
import { beyond, type EventStream, sendEvents, type StreamedTable, type StreamTimes } from '../streams/event-stream.ts';
import type { StreamQuota } from '../streams/stream-quota.ts';
import { streamedAnswer } from '../streams/streamed-answer.ts';
import type { TableChanges } from '../streams/table-changes.ts';
import { accessOf, PAGE_SIZE, type ReadPage, sharedPageReader } from '../streams/view-pages.ts';

export interface EventRouteDeps extends StreamTimes {
  readonly readPage: ReadPage;
  readonly changes: TableChanges;
  readonly quota: StreamQuota;
  readonly now: () => number;
}

const EVENT_STREAM = 'text/event-stream; charset=utf-8';
/** Tables of one stream. Their ids, 45 characters each at most, fit into the address with room to spare. */
const MAX_TABLES = 200;

const stream = z.strictObject({ as: viewName.optional(), after: wholeNumber().optional() });
/** `t1,t2:17`: the tables, and how far the reader is with each. */
const followed = z
  .string('t1 or t1:17, with commas between')
  .transform((given) => given.split(','))
  .pipe(
    z
      .array(z.string().regex(/^[A-Za-z0-9_-]{1,60}(:\d{1,15})?$/, 't1 or t1:17, with commas between'))
      .max(MAX_TABLES, `at most ${MAX_TABLES}`),
  )
  .transform((given) => given.map((one) => one.split(':')).map(([table = '', after = '0']) => ({ table, after: Number(after) })))
  .refine((given) => new Set(given.map(({ table }) => table)).size === given.length, 'a table is named twice');
const streams = z.strictObject({ as: viewName.optional(), tables: followed });
/** What a client sends when it reconnects, the id of an event. It overrides the query, which is sent again unchanged. */
const resumed = z.object({
  'Last-Event-ID': z
    .string()
    .regex(/^\d{1,15}(,\d{1,15})*$/, 'the id of an event')
    .transform((id) => id.split(',').map(Number)),
});

/** Views as they change, as server-sent events. */
export function eventRoutes(deps: EventRouteDeps): readonly Route[] {
  const shared = { ...deps, readPage: sharedPageReader(deps.readPage, deps.changes) };
  return [
    route({
      method: 'GET',
      path: '/tables/:table/events',
      summary: 'A view as it changes, as server-sent events: `seen`, `asked`, `clock` and `over`.',
      permits: watcher,
      params: atTable,
      query: stream,
      refusals: ['unknown-game', 'not-an-option'],
      responses: [{ status: 200, type: EVENT_STREAM, description: 'The events, until the table is over.' }],
      handle: (call) => eventsOfTable(shared, call),
    }),
    route({
      method: 'GET',
      path: '/events',
      summary: `The same of many tables in one stream, at most ${MAX_TABLES}: each event names its table.`,
      permits: watcher,
      query: streams,
      refusals: ['unknown-game'],
      responses: [{ status: 200, type: EVENT_STREAM, description: 'The events, until the reader leaves.' }],
      handle: (call) => eventsOfTables(shared, call),
    }),
  ];
}

async function eventsOfTable(deps: EventRouteDeps, call: Call<AtTable & { readonly query: typeof stream }>): Promise<Answer> {
  const { table } = call.params;
  const [after = 0] = positionsIn(call, [call.query.after ?? 0]);
  const access = await accessOf(deps.readPage, call.bearer, table, call.query.as);
  return streamOf(deps, call, [table], async () => {
    const first = await deps.readPage(table, access, after, PAGE_SIZE);
    if (after > first.last) throw beyond(after, first);
    return { tables: [{ table, access, after, first }], isOfMany: false };
  });
}

async function eventsOfTables(deps: EventRouteDeps, call: Call<{ readonly query: typeof streams }>): Promise<Answer> {
  const { as, tables } = call.query;
  const after = positionsIn(
    call,
    tables.map((each) => each.after),
  );
  const accesses: StreamedTable['access'][] = [];
  for (const { table } of tables) accesses.push(await accessOf(deps.readPage, call.bearer, table, as).catch(refusalOf));
  const [first] = accesses;
  if (first instanceof Problem && accesses.every((access) => access instanceof Problem)) throw first;
  return streamOf(
    deps,
    call,
    tables.map(({ table }) => table),
    async () => ({ tables: tables.map(({ table }, i) => ({ table, access: accesses[i]!, after: after[i]! })), isOfMany: true }),
  );
}

/** The refusal of one table. @throws what another attempt may mend */
function refusalOf(error: unknown): Problem {
  if (error instanceof Problem && error.status < 500) return error;
  throw error;
}

/** How far the reader is: as its last event says, or as the query does. @throws Problem unreadable */
function positionsIn({ lastEventId }: Pick<Call, 'lastEventId'>, inQuery: readonly number[]): readonly number[] {
  if (!lastEventId) return inQuery;
  const { 'Last-Event-ID': positions } = parseInput(resumed, { 'Last-Event-ID': lastEventId }, 'query');
  if (positions.length === inQuery.length) return positions;
  throw new Problem('unreadable', `Last-Event-ID: it is of a stream of ${positions.length} tables, and this is one of ${inQuery.length}`);
}

/** A stream of tables, which are watched before their first pages are read, so that no change falls between the two. */
function streamOf(
  deps: EventRouteDeps,
  { bearer, client, signal }: Pick<Call, 'bearer' | 'client' | 'signal'>,
  tables: readonly string[],
  prepare: () => Promise<Pick<EventStream, 'tables' | 'isOfMany'>>,
): Promise<Answer> {
  const slot = deps.quota.take(bearer, client);
  const watch = deps.changes.watch(tables);
  const release = (): void => {
    watch.close();
    slot.release();
  };
  return streamedAnswer(EVENT_STREAM, release, async () => {
    const about = { ...deps, ...(await prepare()), watch, signal: AbortSignal.any([signal, slot.signal]), until: bearer.until };
    return { send: (out) => sendEvents(out, about) };
  });
}
