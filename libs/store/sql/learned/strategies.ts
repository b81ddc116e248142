import type { Sql } from '../../driver/sql.ts';
import type { NotAdded, Strategies, StrategySet, StrategyVersion } from '../../ports/strategies.ts';

interface Row extends Omit<StrategyVersion, 'table'> {
  readonly game: string;
}

const COLUMNS = 'name, version, recipe, rules, role, parent, game, round, seat, at, lesson';

/**
 * Adds a version. Concurrent ones of a set take the same number, and the primary key lets one of them in. The row of the set is locked against
 * freezing.
 */
const INSERT = `
  with open as (select name from strategy_set where name = $1 and frozen is null for share)
  insert into strategy (${COLUMNS})
  select $1, (select coalesce(max(version), 0) + 1 from strategy where name = $1), $2, $3, $4, $5::int, $6, $7::int, $8::int, $9::bigint,
    $10::text::jsonb
  from open
  where $5::int = (select coalesce(max(version), 0) from strategy where name = $1 and recipe = $2 and rules = $3 and role = $4)
  on conflict do nothing returning version`;

/** Strategies in SQL. */
export const sqlStrategies = (sql: Sql): Strategies => ({
  add: (version) => add(sql, version),

  async has(name, { table, round, seat }) {
    const { rows } = await sql.query(`select from strategy where name = $1 and game = $2 and round = $3::int and seat = $4::int`, [
      name,
      table,
      round,
      seat,
    ]);
    return rows.length > 0;
  },

  async newest(name, { version, recipe, rules, role } = {}) {
    const { rows } = await sql.query<Row>(
      `select distinct on (recipe, rules, role) ${COLUMNS} from strategy
       where name = $1 and ($2::int is null or version <= $2) and ($3::text is null or recipe = $3) and ($4::text is null or rules = $4)
         and ($5::text is null or role = $5)
       order by recipe, rules, role, version desc`,
      [name, version ?? null, recipe ?? null, rules ?? null, role ?? null],
    );
    return rows.map(({ game: table, ...row }) => ({ ...row, table }));
  },

  async list(name) {
    const { rows } = await sql.query<Omit<StrategySet, 'frozen' | 'at'> & { frozen: number | null; at: number | null }>(
      `select s.name, s.frozen, coalesce(max(v.version), 0) as newest, count(distinct (v.game, v.round)) filter (where v.game is not null)::int as games,
         max(v.at) as at
       from strategy_set as s left join strategy as v on v.name = s.name
       where $1::text is null or s.name = $1 group by s.name, s.frozen order by s.name`,
      [name ?? null],
    );
    return rows.map((row) => ({ ...row, frozen: row.frozen ?? undefined, at: row.at ?? undefined }));
  },

  async freeze(name, at) {
    const { affected } = await sql.query('update strategy_set set frozen = coalesce(frozen, $2::bigint) where name = $1', [name, at]);
    return affected > 0;
  },
});

async function add(sql: Sql, given: Omit<StrategyVersion, 'version'>): Promise<number | NotAdded> {
  const { name, recipe, rules, role, parent, table, round, seat, at, lesson } = given;
  await sql.query('insert into strategy_set (name) values ($1) on conflict do nothing', [name]);
  for (;;) {
    const added = await sql.query<{ version: number }>(INSERT, [
      name,
      recipe,
      rules,
      role,
      parent,
      table,
      round,
      seat,
      at,
      JSON.stringify(lesson),
    ]);
    if (added.rows[0]) return added.rows[0].version;
    const { rows } = await sql.query<{ known: boolean; frozen: boolean; newest: number }>(
      `select exists (select from strategy where name = $1 and game = $2 and round = $3::int and seat = $4::int) as known,
         (select frozen is not null from strategy_set where name = $1) as frozen,
         (select coalesce(max(version), 0) from strategy where name = $1 and recipe = $5 and rules = $6 and role = $7) as newest`,
      [name, table, round, seat, recipe, rules, role],
    );
    const { known, frozen, newest } = rows[0]!;
    if (known) return 'known';
    if (frozen) return 'frozen';
    if (newest !== parent) return 'outdated';
  } // another role of the set took the number
}
