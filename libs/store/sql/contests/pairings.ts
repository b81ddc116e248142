import type { Sql } from '../../driver/sql.ts';
import type { BegunPairing, Contests, StoredPairingResult } from '../../ports/contests.ts';

type Pairings = Pick<Contests, 'begin' | 'begun' | 'finished' | 'finish' | 'countFinished' | 'results'>;

/** The pairings of contests in SQL. */
export const sqlPairings = (sql: Sql): Pairings => ({
  async begin(id, { number, attempt, table, at }) {
    await sql.query(
      `insert into pairing (contest, number, attempt, game, at) values ($1, $2::int, $3::int, $4, $5::bigint)
       on conflict (contest, number) do update set attempt = excluded.attempt, game = excluded.game, at = excluded.at
       where pairing.result is null and pairing.attempt < excluded.attempt`,
      [id, number, attempt, table, at],
    );
  },

  async begun(id) {
    const { rows } = await sql.query<BegunPairing>(
      'select number, attempt, game as table, at from pairing where contest = $1 and result is null order by number',
      [id],
    );
    return rows;
  },

  async finished(id) {
    const { rows } = await sql.query<{ numbers: readonly number[] | null }>(
      'select jsonb_agg(number order by number) as numbers from pairing where contest = $1 and result is not null',
      [id],
    );
    return rows[0]!.numbers ?? [];
  },

  async finish(id, results, at) {
    const { rows } = await sql.query<{ number: number }>(
      `with given as (
         select (result ->> 'number')::int as number, (result ->> 'attempt')::int as attempt, result
         from jsonb_array_elements($2::text::jsonb) as each (result)
       ), written as (
         insert into pairing (contest, number, attempt, at, result) select $1, number, attempt, $3::bigint, result from given order by number
         on conflict (contest, number) do update set attempt = excluded.attempt, at = excluded.at, result = excluded.result
         where pairing.result is null and pairing.attempt <= excluded.attempt
         returning number
       ) select number from written order by number`,
      [id, JSON.stringify(results), at],
    );
    return rows.map(({ number }) => number);
  },

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
