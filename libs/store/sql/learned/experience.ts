import type { Sql } from '../../driver/sql.ts';
import type { CountedPool, ExperiencePools, PoolEntry } from '../../ports/experience.ts';

interface Row extends Omit<PoolEntry, 'vector'> {
  readonly vector: string | null;
}

/** Pools of experience in SQL. They are searched by whoever uses them, exactly: the database only keeps them. */
export const sqlExperience = (sql: Sql): ExperiencePools => ({
  async create({ name, version, at, about }) {
    await sql.query(
      `insert into pool (name, version, at, about) values ($1, $2::int, $3::bigint, $4::text::jsonb) on conflict (name, version) do nothing`,
      [name, version, at, JSON.stringify(about)],
    );
  },

  async add(name, version, game, entries) {
    const { affected } = await sql.query(
      `insert into experience (name, version, game, n, item, vector)
       select $1, $2::int, $3, n, item, vector from jsonb_to_recordset($4::text::jsonb) as given (n int, item jsonb, vector text)
       where not exists (select from experience where name = $1 and version = $2::int and game = $3)
       on conflict do nothing`,
      [name, version, game, JSON.stringify(entries)],
    );
    return affected > 0;
  },

  async list(name) {
    const { rows } = await sql.query<CountedPool>(
      `select name, version, at, about,
         (select count(distinct game)::int from experience as e where e.name = p.name and e.version = p.version) as games,
         (select count(*)::int from experience as e where e.name = p.name and e.version = p.version) as entries
       from pool as p where $1::text is null or name = $1 order by name, version`,
      [name ?? null],
    );
    return rows;
  },

  async games(name, version) {
    const { rows } = await sql.query<{ game: string }>(
      'select distinct game from experience where name = $1 and version = $2::int order by game',
      [name, version],
    );
    return rows.map(({ game }) => game);
  },

  async entries(name, version, { after, limit }) {
    const { rows } = await sql.query<Row>(
      `select game, n, item, vector from experience
       where name = $1 and version = $2::int and ($3::text is null or (game, n) > ($3, $4::int)) order by game, n limit $5::int`,
      [name, version, after?.game ?? null, after?.n ?? 0, limit],
    );
    return rows.map(({ vector, ...entry }) => ({ ...entry, ...(vector === null ? {} : { vector }) }));
  },
});
