import type { Sql } from '../../driver/sql.ts';
import type { Contests, StoredContest } from '../../ports/contests.ts';
import { sqlPairings } from './pairings.ts';
import { sqlResults } from './results.ts';

type ContestRow = Omit<StoredContest, 'why'> & { readonly why: string | null };

const CONTEST = `select id, at, contest, pairings, state, why, since,
  (select count(*)::int from pairing where pairing.contest = contest.id and result is not null) as finished from contest`;

/** Contests in SQL. */
export const sqlContests = (sql: Sql): Contests => ({
  async open({ id, at, contest, pairings }) {
    await sql.query(
      `insert into contest (id, at, contest, pairings, state, since)
       values ($1, $2::bigint, $3::text::jsonb, $4::int, 'running', $2::bigint) on conflict do nothing`,
      [id, at, JSON.stringify(contest), pairings],
    );
  },

  async get(id) {
    const { rows } = await sql.query<ContestRow>(`${CONTEST} where id = $1`, [id]);
    return rows[0] && contestOf(rows[0]);
  },

  async list({ states, limit }) {
    const { rows } = await sql.query<ContestRow>(
      `${CONTEST} where $1::text is null or state in (select jsonb_array_elements_text($1::text::jsonb)) order by at desc, id limit $2::int`,
      [states === undefined ? null : JSON.stringify(states), limit],
    );
    return rows.map(contestOf);
  },

  async setState(id, from, to, { at, why, holder, terms }) {
    const { rows } = await sql.query(
      `update contest set state = $3, since = $4::bigint, why = $5, contest = coalesce($6::text::jsonb, contest),
         pairings = coalesce($7::int, pairings)
       where id = $1 and state in (select jsonb_array_elements_text($2::text::jsonb)) and ($8::text is null or holder = $8) returning 1`,
      [
        id,
        JSON.stringify(from),
        to,
        at,
        why ?? null,
        terms ? JSON.stringify(terms.contest) : null,
        terms?.pairings ?? null,
        holder ?? null,
      ],
    );
    return rows.length > 0;
  },

  async claim(id, holder, { at, until }) {
    const { rows } = await sql.query(
      `update contest set holder = $2, held = $4::bigint
       where id = $1 and (holder is null or holder = $2 or held <= $3::bigint) returning 1`,
      [id, holder, at, until],
    );
    return rows.length > 0;
  },

  async release(id, holder) {
    await sql.query('update contest set holder = null, held = null where id = $1 and holder = $2', [id, holder]);
  },

  ...sqlPairings(sql),
  ...sqlResults(sql),
});

const contestOf = ({ why, ...contest }: ContestRow): StoredContest => ({ ...contest, ...(why === null ? {} : { why }) });
