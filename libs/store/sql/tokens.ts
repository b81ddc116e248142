import type { Sql } from '../driver/sql.ts';
import type { Revocation, StoredToken, Tokens } from '../ports/tokens.ts';

interface TokenRow extends Omit<StoredToken, 'table' | 'seat' | 'view' | 'digest'> {
  readonly game: string | null;
  readonly seat: number | null;
  readonly view: string | null;
  readonly digest: string | null;
}

interface RevocationRow {
  readonly n: number;
  readonly token: string | null;
  readonly game: string | null;
  readonly seat: number | null;
}

const IS_REVOKED = `exists (select from revocation as r where r.token = p.id
  or (r.game = p.game and r.n > p.n and (r.seat is null or r.seat = p.seat)))`;

const SELECT = `select p.n, p.id, p.role, p.game, p.seat, p.view, p.name, p.by_whom as by, p.issued, p.until, p.digest, ${IS_REVOKED} as "isRevoked"
from permit as p`;

/** The sequence advances only for new tokens. */
const ISSUE = `
insert into permit (id, role, game, seat, view, name, by_whom, issued, until, digest)
select $1::text, $2::text, $3::text, $4::int, $5::text, $6::text, $7::text, $8::bigint, $9::bigint, $10::text
where not exists (select from permit where id = $1::text) on conflict (id) do nothing`;

const RENEW = `
update permit as p set until = greatest(p.until, $2::bigint) where p.id = $1 and p.until > $3::bigint and not ${IS_REVOKED}`;

const LIST = `${SELECT}
where p.until > $1::bigint and ($2::bigint is null or p.n < $2::bigint) and ($3::text is null or p.game = $3)
  and ($5::text is null or p.by_whom = $5)
order by p.n desc limit $4::int`;

/** The lock makes revocations visible in the order of their numbers: a reader that has seen one has seen all before it. */
const REVOKE = `
with turn as materialized (select pg_advisory_xact_lock(1835104114))
insert into revocation (n, token, game, seat, until)
select nextval('permit_n'), $1::text, $2::text, $3::int, $4::bigint from turn returning n`;

/** Tokens in SQL. */
export function sqlTokens(sql: Sql): Tokens {
  async function find(id: string): Promise<StoredToken | undefined> {
    const { rows } = await sql.query<TokenRow>(`${SELECT} where p.id = $1`, [id]);
    return rows[0] && toToken(rows[0]);
  }
  return {
    find,

    async findByDigest(digests) {
      const { rows } = await sql.query<TokenRow>(`${SELECT} where p.digest in (select jsonb_array_elements_text($1::text::jsonb))`, [
        JSON.stringify(digests),
      ]);
      return rows[0] && toToken(rows[0]);
    },

    async issue({ id, role, table, seat, view, name, by, issued, until, digest }) {
      await sql.query(ISSUE, [id, role, table ?? null, seat ?? null, view ?? null, name, by, issued, until, digest ?? null]);
      return (await find(id))!;
    },

    async renew(id, until, at) {
      const { affected } = await sql.query(RENEW, [id, until, at]);
      return affected === 1 ? find(id) : undefined;
    },

    async list({ at, limit, before, table, by }) {
      const { rows } = await sql.query<TokenRow>(LIST, [at, before ?? null, table ?? null, limit, by ?? null]);
      return rows.map(toToken);
    },

    async revoke(what, until) {
      const [id, table, seat] = 'id' in what ? [what.id, null, null] : [null, what.table, what.seat ?? null];
      const { rows } = await sql.query<{ readonly n: number }>(REVOKE, [id, table, seat, until]);
      return { n: rows[0]!.n, ...what };
    },

    async revocations(after) {
      const { rows } = await sql.query<RevocationRow>('select n, token, game, seat from revocation where n > $1::bigint order by n', [
        after,
      ]);
      return rows.map(toRevocation);
    },

    async prune(at) {
      const tokens = await sql.query('delete from permit where until <= $1::bigint', [at]);
      const revocations = await sql.query('delete from revocation where until <= $1::bigint', [at]);
      return tokens.affected + revocations.affected;
    },
  };
}

const toToken = ({ game, seat, view, digest, ...rest }: TokenRow): StoredToken => ({
  ...rest,
  ...(game !== null && { table: game }),
  ...(seat !== null && { seat }),
  ...(view !== null && { view }),
  ...(digest !== null && { digest }),
});

const toRevocation = ({ n, token, game, seat }: RevocationRow): Revocation =>
  token === null ? { n, table: game!, ...(seat !== null && { seat }) } : { n, id: token };
