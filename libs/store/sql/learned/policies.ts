import type { Sql } from '../../driver/sql.ts';
import type { Policies, PolicyVersion, StoredPolicy } from '../../ports/policies.ts';

/** Policies in SQL. Versions are added one after another: of two at the same time the primary key lets one in, and the other tries again. */
export const sqlPolicies = (sql: Sql): Policies => ({
  async add({ name, at, card, weights }) {
    for (;;) {
      const { rows } = await sql.query<{ version: number }>(
        `insert into policy (name, version, at, card, weights)
         select $1, (select coalesce(max(version), 0) + 1 from policy where name = $1), $2::bigint, $3::text::jsonb, $4
         on conflict do nothing returning version`,
        [name, at, JSON.stringify(card), weights],
      );
      if (rows[0]) return rows[0].version;
    }
  },

  async list(name) {
    const { rows } = await sql.query<PolicyVersion>(
      'select name, version, at, card from policy where $1::text is null or name = $1 order by name, version',
      [name ?? null],
    );
    return rows;
  },

  async get(name, version) {
    const { rows } = await sql.query<StoredPolicy>(
      'select name, version, at, card, weights from policy where name = $1 and version = $2::int',
      [name, version],
    );
    return rows[0];
  },
});
