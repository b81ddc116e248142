import type { Sql } from '../../driver/sql.ts';
import type { Contests, StoredPairingResult } from '../../ports/contests.ts';

/** What came of the pairings of contests, in SQL. */
export const sqlResults = (sql: Sql): Pick<Contests, 'countFinished' | 'results'> => ({
  async countFinished(id, since) {
    const { rows } = await sql.query<{ finished: number }>(
      'select count(*)::int as finished from pairing where contest = $1 and result is not null and at > $2::bigint',
      [id, since],
    );
    return rows[0]!.finished;
  },

  async results(id, { after, limit, withRecords = false }) {
    const { rows } = await sql.query<{ result: StoredPairingResult }>(
      `select ${withRecords ? 'result' : `result - 'records' as result`} from pairing
       where contest = $1 and number > $2::int and result is not null order by number limit $3::int`,
      [id, after, limit],
    );
    return rows.map(({ result }) => result);
  },
});
