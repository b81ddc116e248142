import { z } from 'zod';
import { EVENT_STREAM } from '@maw/contracts/http/route.ts';
import { parseInput } from '../parse-input.ts';
import { Problem } from '../problem.ts';
import type { RouteResponse, Call, Handlers } from '../route.ts';
import { type EventStream, sendEvents, type StreamedTable, type StreamTimes } from '../streams/event-stream.ts';
import { withSchemas } from '../streams/legal-answers.ts';
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

/** What a client sends when it reconnects, the id of an event. It overrides the query, which is sent again unchanged. */
const resumed = z.object({
  'Last-Event-ID': z
    .string()
    .regex(/^\d{1,15}(,\d{1,15})*$/, 'the id of an event')
    .transform((id) => id.split(',').map(Number)),
});

/** Views as they change, as server-sent events. */
export function eventHandlers(deps: EventRouteDeps): Handlers<'GET /tables/:table/events' | 'GET /events'> {
  const shared = { ...deps, readPage: sharedPageReader(deps.readPage, deps.changes) };
  return {
    'GET /tables/:table/events': (call) => eventsOfTable(shared, call),
    'GET /events': (call) => eventsOfTables(shared, call),
  };
}

async function eventsOfTable(deps: EventRouteDeps, call: Call<'GET /tables/:table/events'>): Promise<RouteResponse> {
  const { table } = call.params;
  const [after = 0] = positionsIn(call, [call.query.after ?? 0]);
  const access = await accessOf(deps.readPage, call.bearer, table, call.query.as);
  const reading = call.query.schemas ? { ...deps, readPage: withSchemas(deps.readPage) } : deps;
  return streamOf(reading, call, [table], async () => {
    const first = await reading.readPage(table, access, after, PAGE_SIZE);
    return { tables: [{ table, access, after, first }], isOfMany: false };
  });
}

async function eventsOfTables(deps: EventRouteDeps, call: Call<'GET /events'>): Promise<RouteResponse> {
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
): Promise<RouteResponse> {
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
