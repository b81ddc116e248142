import { type Absence, absencesAt, MAX_OUTAGES, type Outage, type Heartbeat } from '../ports/heartbeat.ts';
import type { Sql } from '../driver/sql.ts';

/** The clock of the database in milliseconds since the epoch, not the start of the transaction. */
export const DATABASE_CLOCK = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint';

interface Row {
  readonly now: number;
  readonly outages: readonly Outage[];
  readonly consumed: Readonly<Record<string, number>>;
  readonly absences: readonly Absence[];
}

/**
 * The heartbeat in SQL is one row. Concurrent beats wait for the row and then see what the other has written; everything is in the same row
 * because a statement would see another table as it was when the statement began.
 * @param clock an SQL expression; another one for tests
 */
export const sqlHeartbeat = (sql: Sql, clock = DATABASE_CLOCK): Heartbeat => ({
  async beat(maxSilenceMs, { consumed: queues = [], isProbe = false } = {}) {
    const { rows } = await sql.query<Row>(beatBy(clock), [maxSilenceMs, JSON.stringify(queues), isProbe]);
    const { now, outages, consumed, absences } = rows[0]!;
    return {
      now,
      outages: outages.toReversed(),
      absences: absencesAt(now, maxSilenceMs, { consumed, absences: absences.toReversed() }),
    };
  },
});

const newest = (list: string): string => `jsonb_path_query_array(${list}, '$[0 to ${MAX_OUTAGES - 1}]')`;

/** The queues whose absence ends with this beat. Values that do not change are not written again, however long they are. */
const ENDED = `select key from jsonb_each(excluded.consumed) where excluded.at - (p.consumed ->> key)::bigint > $1::bigint`;

// The clock is read once: the answer is the time written.
const beatBy = (clock: string): string => `
with moment as materialized (select ${clock} as now, case when $3::boolean then append_probe() else true end as is_writable)
insert into pulse as p (at, outages, consumed, absences)
select now, '[]', coalesce((select jsonb_object_agg(queue, now) from jsonb_array_elements_text($2::text::jsonb) as queue), '{}'), '[]'
from moment where is_writable
on conflict (one) do update set
  at = greatest(p.at, excluded.at),
  outages = case when excluded.at - p.at > $1::bigint
    then ${newest(`jsonb_build_object('from', p.at, 'to', excluded.at) || p.outages`)}
    else p.outages end,
  consumed = (select coalesce(jsonb_object_agg(queue, greatest((p.consumed ->> queue)::bigint, (excluded.consumed ->> queue)::bigint)), '{}')
    from jsonb_object_keys(p.consumed || excluded.consumed) as queue),
  absences = case when exists (${ENDED})
    then ${newest(`(select jsonb_agg(jsonb_build_object('queue', key, 'from', p.consumed -> key, 'to', excluded.at)) from (${ENDED}) as seen) || p.absences`)}
    else p.absences end
returning (select now from moment) as now, outages, consumed, absences`;
