import type { Sql } from '../driver/sql.ts';
import type { BudgetUsage, UsageTotal } from '../ports/budget-usage.ts';

/** Budget usage in SQL. */
export const sqlBudgetUsage = (sql: Sql): BudgetUsage => ({
  async record(writer, at, tallies) {
    if (tallies.length === 0) return;
    const rows = tallies.map(({ kind, who, period, used, carried, most }) => ({ kind, who, period, used, carried, most }));
    await sql.query(
      `insert into tally as t (kind, who, period, writer, used, carried, most, at)
       select kind, who, period, $1, used, carried, most, $2::bigint from json_to_recordset($3::text::json)
         as given (kind text, who text, period int, used bigint, carried bigint, most bigint)
       on conflict (kind, who, period, writer) do update set used = greatest(t.used, excluded.used),
         carried = greatest(t.carried, excluded.carried), most = excluded.most, at = greatest(t.at, excluded.at)`,
      [writer, at, JSON.stringify(rows)],
    );
  },

  async list(kind, { since, limit, except }) {
    const { rows } = await sql.query<UsageTotal & { readonly others: number }>(
      `select kind, who, period, sum(used)::bigint as used, max(carried) as carried, max(most) as most,
         coalesce(sum(used) filter (where writer <> $4), 0)::bigint as others
       from tally where kind = $1 and (who, period) in (select who, period from tally where kind = $1 and at >= $2::bigint)
       group by kind, who, period order by max(at) desc, who, period limit $3::int`,
      [kind, since, limit, except],
    );
    return rows;
  },

  async prune(before, limit) {
    const { rows } = await sql.query<{ readonly swept: number }>(
      `with old as (
         select kind, who, period from tally group by kind, who, period having max(at) < $1::bigint
         order by max(at), kind, who, period limit $2::int
       ), gone as (
         delete from tally using old where tally.kind = old.kind and tally.who = old.who and tally.period = old.period
       )
       select count(*)::int as swept from old`,
      [before, limit],
    );
    return rows[0]!.swept;
  },
});
