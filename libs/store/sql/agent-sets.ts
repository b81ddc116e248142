import type { Sql } from '../driver/sql.ts';
import type { AgentFault, AgentSet, AgentSets } from '../ports/agent-sets.ts';

type SetRow = Omit<AgentSet, 'ended'> & { readonly ended: number | null };
type FaultRow = Omit<AgentFault, 'instead'> & { readonly instead: string | null };

const SET = 'select game as id, division, at, terms, agents, number, ended from agent_set';

/** Sets of outside agents in SQL. */
export const sqlAgentSets = (sql: Sql): AgentSets => ({
  async begin({ id, division, at, terms, agents, number }) {
    await sql.query(
      `insert into agent_set (game, division, at, terms, agents, number)
       values ($1, $2, $3::bigint, $4::text::jsonb, $5::text::jsonb, $6::int) on conflict do nothing`,
      [id, division, at, JSON.stringify(terms), JSON.stringify(agents), number],
    );
  },

  async end(id, at) {
    await sql.query('update agent_set set ended = $2::bigint where game = $1 and ended is null', [id, at]);
  },

  async discard(id, at) {
    await sql.query('update agent_set set ended = coalesce(ended, $2::bigint), number = 0 where game = $1', [id, at]);
  },

  async running() {
    const { rows } = await sql.query<SetRow>(`${SET} where ended is null order by at, game`);
    return rows.map(setOf);
  },

  async get(id) {
    const { rows } = await sql.query<SetRow>(`${SET} where game = $1`, [id]);
    return rows[0] && setOf(rows[0]);
  },

  async latest(division, fields) {
    const { rows } = await sql.query<SetRow>(
      `${SET} where division = $1 and number > 0 and terms @> $2::text::jsonb order by at desc, number desc limit 1`,
      [division, JSON.stringify(fields)],
    );
    return rows[0] && setOf(rows[0]);
  },

  async addFaults(faults) {
    await sql.query(
      `insert into agent_fault (game, at, round, seat, agent, request, question, fault, detail, instead)
       select set, at, round, seat, agent, request, question, fault, detail, instead
       from jsonb_to_recordset($1::text::jsonb) as given (i int, set text, at bigint, round int, seat int, agent text, request text,
         question text, fault text, detail text, instead text)
       order by i on conflict (game, question, seat) do nothing`,
      [JSON.stringify(faults.map((fault, i) => ({ ...fault, i })))],
    );
  },

  async faults(set, after = 0, limit = 1000) {
    const { rows } = await sql.query<FaultRow>(
      `select game as set, n, at, round, seat, agent, request, question, fault, detail, instead from agent_fault
       where game = $1 and n > $2::bigint order by n limit $3::int`,
      [set, after, limit],
    );
    return rows.map(({ instead, ...fault }) => ({ ...fault, ...(instead === null ? {} : { instead }) }));
  },
});

const setOf = ({ ended, ...set }: SetRow): AgentSet => ({ ...set, ...(ended === null ? {} : { ended }) });
