import type { Sql } from '../driver/sql.ts';
import type { Thought, ThoughtDecision, Thoughts } from '../ports/thoughts.ts';

/** When a decision began: its first step keeps its time, so that the numbers of decisions stay. */
const BEGAN = '(array_agg(at order by step))[1]';

/** Thoughts and memories in SQL. Thoughts are listed by decision, in the order in which the decisions began. */
export const sqlThoughts = (sql: Sql): Thoughts => ({
  async record({ table, seat, decision, step, kind, name, at, content }) {
    await sql.query(
      `insert into thought (game, seat, decision, step, kind, name, at, content)
       values ($1, $2::int, $3, $4::int, $5, $6, $7::bigint, $8::text::jsonb)
       on conflict (game, seat, decision, step) do update
         set kind = excluded.kind, name = excluded.name, content = excluded.content,
           at = case when thought.step = 1 then thought.at else excluded.at end`,
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
    >(
      `select page.*, (
         select json_build_array(content->>'phase', content->>'trace') from thought as t
         where t.game = $1 and t.seat = page.seat and t.decision = page.decision and t.step = page.first
       ) as about from (
         select row_number() over (order by ${BEGAN}, seat, decision)::int as n, seat, decision,
           ${BEGAN} as began, max(at) as ended, count(*)::int as steps, min(step) as first
         from thought where game = $1 group by seat, decision
       ) as page
       where ($2::int is null or seat = $2) and ($3::text is null or decision = $3) and n > $4::int order by n limit $5::int`,
      [table, seat ?? null, decision ?? null, after, limit],
    );
    return rows.map(({ first: _, about: [phase, trace], ...row }) => ({ ...row, phase: phase ?? undefined, trace: trace ?? undefined }));
  },

  async recall(table, seat) {
    const { rows } = await sql.query<{ memory: unknown }>('select memory from memory where game = $1 and seat = $2::int', [table, seat]);
    return rows[0]?.memory;
  },

  async remember(table, seat, n, memory) {
    const { affected } = await sql.query(
      `insert into memory as m (game, seat, n, memory) values ($1, $2::int, $3::bigint, $4::text::jsonb)
       on conflict (game, seat) do update set n = excluded.n, memory = excluded.memory where excluded.n >= m.n`,
      [table, seat, n, JSON.stringify(memory)],
    );
    return affected === 1;
  },
});
