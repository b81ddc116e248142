import type { Sql } from '../../driver/sql.ts';
import type { BegunPairing, Contests } from '../../ports/contests.ts';

type Pairings = Pick<Contests, 'begin' | 'begun' | 'finished' | 'finish'>;

/** The pairings of contests in SQL. */
export const sqlPairings = (sql: Sql): Pairings => ({
  async begin(id, { number, attempt, table, at }) {
    const { rows } = await sql.query(
      `with running as (
         select id from contest where id = $1 and state = 'running'
       ), written as (
         insert into pairing (contest, number, attempt, game, at) select id, $2::int, $3::int, $4, $5::bigint from running
         on conflict (contest, number) do update set attempt = excluded.attempt, game = excluded.game, at = excluded.at
         where pairing.result is null and pairing.attempt < excluded.attempt
       ) select 1 from running`,
      [id, number, attempt, table, at],
    );
    return rows.length > 0;
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
});
