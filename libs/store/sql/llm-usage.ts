import type { Sql } from '../driver/sql.ts';
import { type LlmUsage, USAGE_COUNTS, type UsageSum } from '../ports/budget-usage.ts';

/** The use of models in SQL. */
export const sqlLlmUsage = (sql: Sql): LlmUsage => ({
  async add(writer, batch, entries) {
    // Databases refuse U+0000 and lone surrogates.
    const storable = (_: string, value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value);
    await sql.query(ADD, [writer, batch, JSON.stringify(entries, storable)]);
  },

  async list(query, limit) {
    const ofTable = 'table' in query;
    const names = query.by.map((column) => (column === 'day' ? DAY : column));
    const order = names.flatMap((name) => (name === 'seat' ? ['length(seat)', name] : [name])).join(', ');
    const { rows } = await sql.query<UsageSum>(
      `select ${names.map((name, i) => `${name} as ${query.by[i]}`).join(', ')}, ${SUMS}
       from ${ofTable ? 'llm_usage_of_seat_past where game = $2' : 'llm_usage_past where hour >= $2::int and hour < $3::int'}
       group by ${order} order by ${order} limit $1::int`,
      ofTable ? [limit, query.table] : [limit, query.from, query.to],
    );
    return rows;
  },
});

const DAY = `to_char(to_timestamp(hour * 3600.0) at time zone 'utc', 'YYYY-MM-DD')`;
const SUMS = USAGE_COUNTS.map((count) => `sum(${count})::bigint as ${count}`).join(', ');

/** Keys are sorted: of writers that meet, none holds a row that the one it waits for needs. */
const addTo = (table: string, key: string, given: string): string =>
  `insert into ${table} as t (${key}, ${USAGE_COUNTS.join(', ')}) select ${key}, ${SUMS} from ${given} group by ${key} order by ${key}
  on conflict (${key}) do update set ${USAGE_COUNTS.map((count) => `${count} = t.${count} + excluded.${count}`).join(', ')}`;

/** One statement and so one transaction: a batch is added together with its number, and so once. */
const ADD = `
with writer as (
  insert into llm_usage_writer as w (id, batch) values ($1, $2::bigint)
  on conflict (id) do update set batch = excluded.batch where w.batch < excluded.batch returning 1
), given as materialized (
  select entry.*, "table" as game from writer, json_to_recordset($3::text::json) as entry
    (hour int, key text, model text, recipe text, "table" text, seat text, ${USAGE_COUNTS.map((count) => `${count} bigint`).join(', ')})
), of_seat as (${addTo('llm_usage_of_seat', 'game, seat, model, recipe', `given where game <> ''`)})
${addTo('llm_usage', 'hour, key, model, recipe', 'given')}`;
