import { type Client, tablePath } from '../api/client.ts';
import type { Summary, View } from '../api/shapes.ts';
import { createTape, type Tape } from '../time/tape.ts';
import type { SeatPlan } from '@maw/games/match/state.ts';

/** The time at a table; `pausedSince` while it is paused. */
export type TableClock = NonNullable<View['clock']> & { readonly pausedSince?: number | undefined };

export interface TableRow {
  readonly summary: Summary;
  readonly clock: TableClock | undefined;
}

/** The newest tables, and the clocks of so many that are not over. */
const MAX_TABLES = 200;
const MAX_CLOCKS = 100;
/** Requests at a time: a browser opens six connections, and the page needs some for other things. */
const AT_ONCE = 4;
/** Behind every event of a view: the answer then has nothing but the clock. */
const AFTER_ALL = 1_000_000_000;

/** @throws ApiProblem */
export async function readTables(client: Client, withOver: boolean): Promise<readonly TableRow[]> {
  const { tables } = await client.get<{ readonly tables: readonly Summary[] }>('/tables', {
    limit: MAX_TABLES,
    ...(withOver ? {} : { over: false }),
  });
  const running = tables.filter(({ stage }) => stage !== 'over').slice(0, MAX_CLOCKS);
  const clocks = new Map<string, TableClock | undefined>();
  for (let from = 0; from < running.length; from += AT_ONCE) {
    const some = running.slice(from, from + AT_ONCE);
    const views = await Promise.all(
      some.map(({ table }) => client.get<View>(tablePath(table, '/view'), { as: 'audience', after: AFTER_ALL, limit: 1 })),
    );
    for (const [i, { clock }] of views.entries()) clocks.set(some[i]!.table, clock);
  }
  return tables.map((summary) => ({ summary, clock: clocks.get(summary.table) }));
}

/** Reads the whole view of the narrator. @throws ApiProblem */
export async function readTape(client: Client, table: string): Promise<Tape> {
  const tape = createTape();
  for (let more = true; more;) {
    const view = await client.get<View>(tablePath(table, '/view'), { as: 'narrator', after: tape.moments.length, limit: 1000 });
    for (const seen of view.seen) tape.append(seen);
    ({ more } = view);
  }
  return tape;
}

/** How the seats are played now: as the table was opened, and as it was changed since. */
export function seatPlansOf({ moments }: Tape): readonly SeatPlan[] {
  const match = moments.at(-1)?.after.game;
  return match?.opening.seats.map((plan, seat) => ({ ...plan, kind: match.holders[seat]! })) ?? [];
}
