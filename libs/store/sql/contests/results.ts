import type { Sql } from '../../driver/sql.ts';
import type { Contests, StoredPairingResult, StoredResultPage } from '../../ports/contests.ts';

/** What came of the pairings of contests, in SQL. */
export const sqlResults = (sql: Sql): Pick<Contests, 'countFinished' | 'results' | 'page'> => ({
  async countFinished(id, since) {
    const { rows } = await sql.query<{ finished: number }>(
      'select count(*)::int as finished from pairing where contest = $1 and result is not null and at > $2::bigint',
      [id, since],
    );
    return rows[0]!.finished;
  },

  async results(id, { after, limit, withRecords = false }) {
    const { rows } = await sql.query<{ result: StoredPairingResult }>(
      `select ${fields(withRecords)} from pairing
       where contest = $1 and number > $2::int and result is not null order by number limit $3::int`,
      [id, after, limit],
    );
    return rows.map(({ result }) => result);
  },

  async page(id, { after, skip, limit, bytes, games, withRecords = false }) {
    const { rows } = await sql.query<{ result: StoredResultPage['results'][number]; found: number }>(
      `with candidates as (
         select number, ${fields(withRecords)} from pairing
         where contest = $1 and number > $2::int and result is not null order by number limit $3::int + 1
       ), sized as (
         select number, result, pg_column_size(result) as size, row_number() over (order by number) as place,
           sum(pg_column_size(result)) over (order by number) as so_far from candidates
       )
       select case when place = 1 and (size > $5::int or $4::int > 0) then ${PART} else result end as result,
         (select count(*)::int from candidates) as found
       from sized where (place = 1 or so_far <= $5::int) and place <= $3::int order by number`,
      [id, after, limit, skip, bytes, games],
    );
    const results = rows.map(({ result }) => result);
    const whole = results.findIndex(({ moreGames }) => moreGames) + 1 || results.length;
    return { results: results.slice(0, whole), more: (rows[0]?.found ?? 0) > whole || results[whole - 1]?.moreGames === true };
  },
});

/** `pg_column_size` of a column alone is its size on disk, for which nothing is decompressed. */
const fields = (withRecords: boolean): string => (withRecords ? 'result' : `result - 'records' as result`);

const sliceOf = (field: 'games' | 'records'): string =>
  `jsonb_build_object('${field}', (select coalesce(jsonb_agg(one order by i), '[]') from jsonb_array_elements(result -> '${field}') with ordinality as each (one, i)
     where i > $4::int and i <= $4::int + $6::int))`;

/** Some games of a result. */
const PART = `result || ${sliceOf('games')}
  || case when result ? 'records' then ${sliceOf('records')} else '{}' end
  || case when greatest(jsonb_array_length(result -> 'games'), jsonb_array_length(result -> 'records')) > $4::int + $6::int
     then '{"moreGames": true}'::jsonb else '{}' end`;
