import type { Sql } from '../driver/sql.ts';
import type { StoredToken, Tokens, Revocation } from '../ports/tokens.ts';

interface PermitRow extends Omit<StoredToken, 'table' | 'seat' | 'view'> {
  readonly game: string | null;
  readonly seat: number | null;
  readonly view: string | null;
}

/** Revocations are numbered in the order in which others see them: who has seen one has seen all before it. */
const LOCK = 0x6d_61_77_72;

const REVOKED = `exists (select from revocation as r where r.token = p.id
  or (r.game = p.game and r.n > p.n and (r.seat is null or r.seat = p.seat)))`;
const COLUMNS = `p.n, p.id, p.role, p.game, p.seat, p.view, p.name, p.by_whom as by, p.issued, p.until`;

/** Permits in SQL. */
export const sqlTokens = (sql: Sql): Tokens => {
  async function permit(id: string): Promise<StoredToken | undefined> {
    const { rows } = await sql.query<PermitRow>(`select ${COLUMNS}, ${REVOKED} as "isRevoked" from permit as p where p.id = $1`, [id]);
    return rows[0] && permitOf(rows[0]);
  }
  return {
    find: permit,

    async issue({ id, role, table, seat, view, name, by, issued, until }) {
      // A number is only taken for what is new.
      await sql.query(
        `insert into permit (id, role, game, seat, view, name, by_whom, issued, until)
         select $1::text, $2::text, $3::text, $4::int, $5::text, $6::text, $7::text, $8::bigint, $9::bigint
         where not exists (select from permit where id = $1::text) on conflict (id) do nothing`,
        [id, role, table ?? null, seat ?? null, view ?? null, name, by, issued, until],
      );
      return (await permit(id))!;
    },

    async renew(id, until, at) {
      const { affected } = await sql.query(
        `update permit as p set until = greatest(p.until, $2::bigint) where p.id = $1 and p.until > $3::bigint and not ${REVOKED}`,
        [id, until, at],
      );
      return affected === 1 ? permit(id) : undefined;
    },

    async list({ at, limit, before, table }) {
      const { rows } = await sql.query<PermitRow>(
        `select ${COLUMNS}, ${REVOKED} as "isRevoked" from permit as p
         where p.until > $1::bigint and ($2::bigint is null or p.n < $2::bigint) and ($3::text is null or p.game = $3)
         order by p.n desc limit $4::int`,
        [at, before ?? null, table ?? null, limit],
      );
      return rows.map(permitOf);
    },

    async revoke(what, until) {
      const [id, table, seat] = 'id' in what ? [what.id, null, null] : [null, what.table, what.seat ?? null];
      const { rows } = await sql.query<{ readonly n: number }>(
        `with turn as materialized (select pg_advisory_xact_lock(${LOCK}))
         insert into revocation (n, token, game, seat, until)
         select nextval('permit_n'), $1::text, $2::text, $3::int, $4::bigint from turn returning n`,
        [id, table, seat, until],
      );
      return { n: rows[0]!.n, ...what };
    },

    async revocations(after) {
      const { rows } = await sql.query<{
        readonly n: number;
        readonly token: string | null;
        readonly game: string | null;
        readonly seat: number | null;
      }>('select n, token, game, seat from revocation where n > $1::bigint order by n', [after]);
      return rows.map(({ n, token, game, seat }): Revocation =>
        token === null ? { n, table: game!, ...(seat === null ? {} : { seat }) } : { n, id: token },
      );
    },

    async prune(at) {
      const permits = await sql.query('delete from permit where until <= $1::bigint', [at]);
      const revocations = await sql.query('delete from revocation where until <= $1::bigint', [at]);
      return permits.affected + revocations.affected;
    },
  };
};

const permitOf = ({ game, seat, view, ...rest }: PermitRow): StoredToken => ({
  ...rest,
  ...(game === null ? {} : { table: game }),
  ...(seat === null ? {} : { seat }),
  ...(view === null ? {} : { view }),
});
