import { MOST_OUTAGES, type Outage, type Pulse } from './pulse.ts';
import type { Sql } from './sql.ts';

/**
 * The pulse in SQL: one row. Who beats at the same moment waits for the row, and then sees it as the other has left it; so the outages are in
 * the row as well, and not in a table of which a statement would see what there was when it began.
 */
export const sqlPulse = (sql: Sql): Pulse => ({
  async beat(at, longestMs) {
    const { rows } = await sql.query<{ outages: readonly Outage[] }>(BEAT, [at, longestMs]);
    return rows[0]!.outages.toReversed();
  },
});

const BEAT = `
insert into pulse as p (at, outages) values ($1::bigint, '[]')
on conflict (one) do update set
  at = greatest(p.at, excluded.at),
  outages = case when excluded.at - p.at > $2::bigint
    then jsonb_path_query_array(jsonb_build_object('from', p.at, 'to', excluded.at) || p.outages, '$[0 to ${MOST_OUTAGES - 1}]')
    else p.outages end
returning outages`;
