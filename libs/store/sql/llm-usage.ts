import type { Sql } from '../driver/sql.ts';
import type { LlmUsage, UsageColumn, UsageSum } from '../ports/budget-usage.ts';

/** Usage in SQL. */
export const sqlLlmUsage = (sql: Sql): LlmUsage => ({
  async add(writer, batch, entries) {
    if (entries.length > 0) await sql.query(ADD, [writer, batch, JSON.stringify(entries)]);
  },

  async list(query, limit) {
    const ofTable = 'table' in query;
    const names = query.by.map((column) => `${NAMES[column]} as ${column}`);
    const order = query.by.flatMap((column) => (column === 'seat' ? ['length(seat)', 'seat'] : [NAMES[column]])).join(', ');
    const { rows } = await sql.query<UsageSum>(
      `select ${[...names, ...SUMS].join(', ')}
       from ${ofTable ? 'llm_usage_of_seat_past where game = $2' : 'llm_usage_past where hour >= $2::int and hour < $3::int'}
       group by ${order} order by ${order} limit $1::int`,
      ofTable ? [limit, query.table] : [limit, query.from, query.to],
    );
    return rows;
  },
});

const NAMES: { readonly [column in UsageColumn]: string } = {
  day: `to_char(to_timestamp(hour * 3600.0) at time zone 'utc', 'YYYY-MM-DD')`,
  key: 'key',
  seat: 'seat',
  model: 'model',
  recipe: 'recipe',
};

/** Columns, and the fields they are told by. */
const COUNTS = [
  ['requests', 'requests'],
  ['failures', 'failures'],
  ['prompt_tokens', '"promptTokens"'],
  ['generated_tokens', '"generatedTokens"'],
  ['slot_ms', '"slotMs"'],
] as const;
const SUMS = COUNTS.map(([column, field]) => `sum(${column})::bigint as ${field}`);

/** Adds what was given of each key. Keys are sorted: writers that meet wait for each other, and neither holds what the other needs. */
const addTo = (table: string, key: string, from: string, where = ''): string =>
  `insert into ${table} as t (${[key, ...COUNTS.map(([column]) => column)].join(', ')})
  select ${[from, ...COUNTS.map(([, field]) => `sum(${field})`)].join(', ')} from given ${where} group by ${from} order by ${from}
  on conflict (${key}) do update set ${COUNTS.map(([column]) => `${column} = t.${column} + excluded.${column}`).join(', ')}`;

/** One statement and so one transaction: a batch is added together with its number, so that it is added once. */
const ADD = `
with writer as (
  insert into llm_usage_writer as w (id, batch) values ($1, $2::bigint)
  on conflict (id) do update set batch = excluded.batch where w.batch < excluded.batch returning 1
), given as materialized (
  select entry.* from writer, json_to_recordset($3::text::json) as entry
    (hour int, key text, model text, recipe text, "table" text, seat text, ${COUNTS.map(([, field]) => `${field} bigint`).join(', ')})
), of_seat as (
  ${addTo('llm_usage_of_seat', 'game, seat, model, recipe', '"table", seat, model, recipe', `where "table" <> ''`)}
)
${addTo('llm_usage', 'hour, key, model, recipe', 'hour, key, model, recipe')}`;
