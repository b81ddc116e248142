import type { Sql } from '../driver/sql.ts';
import { type AuditEntry, type AuditLog, type LastOutcomes, OUTCOME_PENDING } from '../ports/audit-log.ts';

/** The audit log in SQL. Triggers reject updates and deletes. */
export const sqlAuditLog = (sql: Sql): AuditLog => ({
  async write({ id, at, who, token, from, what, about, outcome }) {
    await sql.query(
      `insert into audit (id, at, who, token, origin, what, about, outcome)
       select $1::text, $2::bigint, $3::text, $4::text, $5::text, $6::text, $7::text::jsonb, $8::text
       where not exists (select from audit where id = $1::text) on conflict (id) do nothing`,
      [id, at, who, token, from, what, JSON.stringify(about), outcome],
    );
  },

  async finish({ id, at, about, outcome }) {
    await sql.query(
      `insert into audit_outcome (id, at, about, outcome)
       select $1::text, $2::bigint, $3::text::jsonb, $4::text on conflict (id) do nothing`,
      [id, at, JSON.stringify(about), outcome],
    );
  },

  async lastOutcomes(what) {
    const { rows } = await sql.query<{ readonly [outcome in keyof LastOutcomes]: number | null }>(
      `select max(at) filter (where outcome = 'done') as done, max(at) filter (where outcome not in ('done', $2::text)) as failed
       from audit where what = $1::text`,
      [what, OUTCOME_PENDING],
    );
    return { done: rows[0]!.done ?? undefined, failed: rows[0]!.failed ?? undefined };
  },

  async list({ limit, before }) {
    const { rows } = await sql.query<AuditEntry & { readonly n: number }>(
      `select a.n, a.id, a.at, a.who, a.token, a.origin as "from", a.what,
         coalesce(o.about, a.about) as about, coalesce(o.outcome, a.outcome) as outcome
       from audit as a left join audit_outcome as o on o.id = a.id and a.outcome = $3::text
       where $1::bigint is null or a.n < $1::bigint order by a.n desc limit $2::int`,
      [before ?? null, limit, OUTCOME_PENDING],
    );
    return rows;
  },
});
