import type { Sql } from '../driver/sql.ts';
import type { Thought, ThoughtDecision, Thoughts } from '../ports/thoughts.ts';

/** When a decision began: its first step keeps its time, so that the numbers of decisions stay. */
const BEGAN = '(array_agg(at order by step))[1]';

const DECISIONS = `select page.*, (
  select json_build_array(content->>'phase', content->>'trace') from thought as t
  where t.game = $1 and t.seat = page.seat and t.decision = page.decision and t.step = page.first
) as about from (
  select row_number() over (order by ${BEGAN}, seat, decision)::int as n, seat, decision,
    ${BEGAN} as began, max(at) as ended, count(*)::int as steps, min(step) as first
  from thought where game = $1 group by seat, decision
) as page
where ($2::int is null or seat = $2) and ($3::text is null or decision = $3) and n > $4::int order by n limit $5::int`;

const REPLACE = `on conflict (game, seat, decision, step) do update
  set kind = excluded.kind, name = excluded.name, content = excluded.content,
    at = case when thought.step = 1 then thought.at else excluded.at end`;

const TELL = `insert into thought (game, seat, decision, step, kind, name, at, content)
  select $1, seat, decision, step, kind, name, at, content from jsonb_to_recordset($6::text::jsonb)
    as t (seat int, decision text, step int, kind text, name text, at bigint, content jsonb)
  ${REPLACE}`;

const REMEMBER = `insert into memory as m (game, seat, n, memory) values ($1, $2::int, $3::bigint, $4::text::jsonb)
on conflict (game, seat) do update set n = excluded.n, memory = excluded.memory
where excluded.n >= m.n and ($5::bigint is null or coalesce((m.memory #>> '{decision,sequence}')::bigint, 0) <= $5::bigint)`;

/** Thoughts and memories in SQL. Thoughts are listed by decision, in the order in which the decisions began. */
export const sqlThoughts = (sql: Sql): Thoughts => ({
  async record({ table, seat, decision, step, kind, name, at, content }) {
    await sql.query(
      `insert into thought (game, seat, decision, step, kind, name, at, content)
       values ($1, $2::int, $3, $4::int, $5, $6, $7::bigint, $8::text::jsonb) ${REPLACE}`,
      [table, seat, decision, step, kind, name, at, JSON.stringify(content)],
    );
  },

  async list(table, { seat, decision, after = 0, limit } = {}) {
    const { rows } = await sql.query<Omit<Thought, 'table'>>(
      `select seat, decision, step, kind, name, at, content from (
         select *, first_value(at) over (partition by seat, decision order by step) as began from thought
         where game = $1 and ($2::int is null or seat = $2) and ($3::text is null or decision = $3) and step > $4::int
       ) as all_of_them order by began, seat, decision, step limit $5::int`,
      [table, seat ?? null, decision ?? null, after, limit ?? null],
    );
    return rows.map((row) => ({ table, ...row }));
  },

  async decisions(table, { seat, decision, after = 0, limit }) {
    // Looked up for the rows of the page only: contents are large.
    const { rows } = await sql.query<
      Omit<ThoughtDecision, 'phase' | 'trace'> & { readonly first: number; readonly about: readonly (string | null)[] }
    >(DECISIONS, [table, seat ?? null, decision ?? null, after, limit]);
    return rows.map(({ first: _, about: [phase, trace], ...row }) => ({ ...row, phase: phase ?? undefined, trace: trace ?? undefined }));
  },

  async recall(table, seat) {
    const { rows } = await sql.query<{ memory: unknown }>('select memory from memory where game = $1 and seat = $2::int', [table, seat]);
    return rows[0]?.memory;
  },

  async recallAll(table, seats) {
    const { rows } = await sql.query<{ seat: number; memory: unknown }>(
      'select seat, memory from memory where game = $1 and seat in (select value::int from json_array_elements_text($2::text::json))',
      [table, JSON.stringify(seats)],
    );
    return seats.map((seat) => rows.find((row) => row.seat === seat)?.memory);
  },

  async remember(table, seat, n, memory, { sequence, thoughts = [] } = {}) {
    const told = thoughts.length > 0 ? [JSON.stringify(thoughts)] : [];
    const { affected } = await sql.query(`${told.length > 0 ? `with told as (${TELL}) ` : ''}${REMEMBER}`, [
      table,
      seat,
      n,
      JSON.stringify(memory),
      sequence ?? null,
      ...told,
    ]);
    return affected === 1;
  },
});
