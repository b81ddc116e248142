import { MAX_OUTAGES, type Outage, type Heartbeat } from '../ports/heartbeat.ts';
import type { Sql } from '../driver/sql.ts';

/** The clock of the database in milliseconds since the epoch, not the start of the transaction. */
export const DATABASE_CLOCK = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint';

/**
 * The heartbeat in SQL is one row. Concurrent beats wait for the row and then see what the other has written; the outages are in the same row
 * because a statement would see another table as it was when the statement began.
 * @param clock an SQL expression; another one for tests
 */
export const sqlHeartbeat = (sql: Sql, clock = DATABASE_CLOCK): Heartbeat => ({
  async beat(longestMs) {
    const { rows } = await sql.query<{ now: number; outages: readonly Outage[] }>(beatBy(clock), [longestMs]);
    const { now, outages } = rows[0]!;
    return { now, outages: outages.toReversed() };
  },
});

// The clock is read once: the answer is the time written.
const beatBy = (clock: string): string => `
with moment as materialized (select ${clock} as now)
insert into pulse as p (at, outages) select now, '[]' from moment
on conflict (one) do update set
  at = greatest(p.at, excluded.at),
  outages = case when excluded.at - p.at > $1::bigint
    then jsonb_path_query_array(jsonb_build_object('from', p.at, 'to', excluded.at) || p.outages, '$[0 to ${MAX_OUTAGES - 1}]')
    else p.outages end
returning (select now from moment) as now, outages`;
