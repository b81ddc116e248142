import { MAX_OUTAGES, type Outage, type Heartbeat } from '../ports/heartbeat.ts';
import type { Sql } from '../driver/sql.ts';

/** The clock of the database in milliseconds since the epoch: the time it is, not that of the beginning of the transaction. */
const CLOCK = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint';

/**
 * The pulse in SQL: one row. Who beats at the same moment waits for the row, and then sees it as the other has left it; so the outages are in
 * the row as well, and not in a table of which a statement would see what there was when it began.
 * @param clock what it is dated by, an expression; the clock of the database, unless a test has another
 */
export const sqlHeartbeat = (sql: Sql, clock = CLOCK): Heartbeat => ({
  async beat(longestMs) {
    const { rows } = await sql.query<{ now: number; outages: readonly Outage[] }>(beatBy(clock), [longestMs]);
    const { now, outages } = rows[0]!;
    return { now, outages: outages.toReversed() };
  },
});

// The clock is read once: what is told is what it was dated by.
const beatBy = (clock: string): string => `
with moment as materialized (select ${clock} as now)
insert into pulse as p (at, outages) select now, '[]' from moment
on conflict (one) do update set
  at = greatest(p.at, excluded.at),
  outages = case when excluded.at - p.at > $1::bigint
    then jsonb_path_query_array(jsonb_build_object('from', p.at, 'to', excluded.at) || p.outages, '$[0 to ${MAX_OUTAGES - 1}]')
    else p.outages end
returning (select now from moment) as now, outages`;
