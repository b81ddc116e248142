import type { Sql } from '../driver/sql.ts';
import type { AccountUsage, BudgetUsage } from '../ports/budget-usage.ts';

/** Budget usage in SQL. */
export const sqlBudgetUsage = (sql: Sql): BudgetUsage => ({
  async record(at, totals) {
    if (totals.length === 0) return;
    const rows = totals.map(({ kind, who, period, used, most }) => ({ kind, who, period, used, most }));
    await sql.query(
      `insert into tally as t (kind, who, period, used, most, at)
       select kind, who, period, used, most, $1::bigint from json_to_recordset($2::text::json)
         as given (kind text, who text, period int, used bigint, most bigint)
       on conflict (kind, who) do update set period = excluded.period, used = excluded.used, most = excluded.most, at = excluded.at
         where (excluded.period, excluded.used) >= (t.period, t.used) or excluded.period < t.period - 1`,
      [at, JSON.stringify(rows)],
    );
  },

  async list(kind, { since, limit }) {
    const { rows } = await sql.query<AccountUsage>(
      `select kind, who, period, used, most from tally where kind = $1 and at >= $2::bigint order by at desc, who limit $3::int`,
      [kind, since, limit],
    );
    return rows;
  },

  async prune(before) {
    await sql.query('delete from tally where at < $1::bigint', [before]);
  },
});
