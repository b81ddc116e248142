import type { Sql } from '../driver/sql.ts';
import type { Recordings, RecordedExchange } from '../ports/recordings.ts';

interface Row extends Omit<RecordedExchange, 'table' | 'request' | 'outcome'> {
  readonly game: string;
  readonly request: string;
  readonly outcome: string;
}

/** Recordings in SQL. Requests and outcomes are JSON in text columns: jsonb cannot hold U+0000, which a prompt may contain. */
export const sqlRecordings = (sql: Sql): Recordings => ({
  async save({ recording, hash, id, table, asker, at, request, outcome }) {
    await sql.query(
      `insert into take (recording, hash, game, id, asker, at, request, outcome) values ($1, $2, $3, $4, $5, $6::bigint, $7, $8)
       on conflict (recording, hash, game, id) do update set outcome = excluded.outcome`,
      [recording, hash, table, id, asker, at, JSON.stringify(request), JSON.stringify(outcome)],
    );
  },

  async find(recording, hash, nth, table) {
    const { rows } = await sql.query<Row>(
      `select recording, hash, game, id, asker, at, request, outcome from (
         select *, row_number() over (partition by game order by at, id) as nth, min(at) over (partition by game) as began
         from take where recording = $1 and hash = $2
       ) as all_of_them where nth = $3::int order by game <> $4, began, game limit 1`,
      [recording, hash, nth, table],
    );
    return rows[0] && takeOf(rows[0]);
  },

  async list(recording, { limit }) {
    const { rows } = await sql.query<Row>(
      `select recording, hash, game, id, asker, at, request, outcome from take
       where recording = $1 order by at, game, id, hash limit $2::int`,
      [recording, limit],
    );
    return rows.map(takeOf);
  },
});

const takeOf = ({ recording, hash, game: table, id, asker, at, request, outcome }: Row): RecordedExchange => ({
  recording,
  hash,
  id,
  table,
  asker,
  at,
  request: JSON.parse(request),
  outcome: JSON.parse(outcome),
});
