import { groupCommit } from '../driver/group-commit.ts';
import { canonicalJson, eventDigestOfText } from '../integrity/hash-chain.ts';
import type { Sql } from '../driver/sql.ts';
import { conflictAt, isOver } from '../ports/tapes.ts';
import type { ListQuery, TableListing, RecordedEvent, Score, Tapes, AppendMetadata } from '../ports/tapes.ts';

/** Tapes in SQL. */
interface SqlTapes extends Tapes {
  /** Resolves once no append is in flight. */
  drained(): Promise<void>;
}

/**
 * The row of a table in `game` decides who appends: the writer that finds `last` where it left it moves it, all others get a Conflict.
 * When the connection breaks during an append, it is unknown whether it was committed: it fails with an ordinary error, and the caller must
 * read before it tries again. It then finds its own cause on the tape, or appends; a blind repetition is a Conflict.
 */
export function sqlTapes(sql: Sql): SqlTapes {
  const appends = groupCommit<Append>({
    keyOf: ({ game }) => game,
    async commit(items) {
      const { rows } = await sql.query<{ id: string }>(APPEND, [`[${items.map(({ json }) => json).join(',')}]`]);
      return new Set(rows.map(({ id }) => id));
    },
  });
  return {
    async read(table, after = 0) {
      const { rows } = await sql.query<Omit<RecordedEvent, 'table'>>(
        'select sequence, at, cause, event from tape where game = $1 and sequence > $2::int order by sequence',
        [table, after],
      );
      return rows.map(({ sequence, at, cause, event }) => ({ table, sequence, at, cause, event }));
    },

    async append(table, after, events, metadata) {
      if (!(await appends.add(appendOf(table, after, events, metadata)))) throw conflictAt(table, after);
    },

    causesAmong: (asked) => causesAmong(sql, asked),

    async due(now, limit) {
      const { rows } = await sql.query<{ id: string; wake: number }>(
        'select id, wake from game where wake <= $1::bigint order by wake, id limit $2::int',
        [now, limit],
      );
      return rows.map(({ id, wake }) => ({ table: id, alarm: wake }));
    },

    async countDue(now) {
      const { rows } = await sql.query<{ many: number }>('select count(*)::int as many from game where wake <= $1::bigint', [now]);
      return rows[0]!.many;
    },

    list: (query) => listTables(sql, query),

    async result(table) {
      const { rows } = await sql.query<{ result: AppendMetadata['result'] }>('select result from result where game = $1', [table]);
      return rows[0]?.result;
    },

    async scores(rules) {
      const { rows } = await sql.query<Score>(SCORES, [rules ?? null]);
      return rows.map(({ recipe, model, ...score }) => ({ ...score, ...(recipe && { recipe }), ...(model && { model }) }));
    },

    async countByStage() {
      const { rows } = await sql.query<{ stage: string; many: number }>(
        `select summary ->> 'stage' as stage, count(*)::int as many from game where not is_over group by 1`,
      );
      return Object.fromEntries(rows.map(({ stage, many }) => [stage, many]));
    },

    drained: () => appends.drained(),
  };
}

async function listTables(
  sql: Sql,
  { limit, before, isOver: over, rules, stage, search, agent }: ListQuery,
): Promise<readonly TableListing[]> {
  const { opened: from, table } = typeof before === 'object' ? before : { opened: before };
  const { rows } = await sql.query<{ id: string } & Omit<TableListing, 'table'>>(LIST, [
    limit,
    from ?? null,
    stage === undefined ? (over ?? null) : stage === 'over',
    table ?? null,
    rules ?? null,
    stage ?? null,
    search?.toLowerCase() ?? null,
    agent === undefined ? null : JSON.stringify({ agents: [{ agent }] }),
  ]);
  return rows.map(({ id, opened, summary }) => ({ table: id, opened, summary }));
}

const LIST = `
select id, opened, summary from game
where ($2::bigint is null or (opened <= $2 and (opened < $2 or id < $4))) and ($3::boolean is null or is_over = $3)
  and ($8::text is null or summary @> $8::jsonb)
  and ($5::text is null or summary ->> 'rules' = $5) and ($6::text is null or summary ->> 'stage' = $6)
  and ($7::text is null or strpos(lower(id), $7) > 0 or exists (
    select from jsonb_array_elements(summary -> 'players') as player where strpos(lower(player ->> 'name'), $7) > 0))
order by opened desc, id desc limit $1::int`;

const SCORES = `
select rules, side, kind, recipe, model, sum(games)::int as games, sum(wins)::int as wins from score
where $1::text is null or rules = $1 group by rules, side, kind, recipe, model order by rules, side, kind, recipe, model`;

interface Append {
  readonly game: string;
  /** The whole append as APPEND reads it. */
  readonly json: string;
}

function appendOf(
  game: string,
  after: number,
  events: readonly RecordedEvent['event'][],
  { at, cause, wake, summary, result, scores = [] }: AppendMetadata,
): Append {
  const texts = events.map(canonicalJson);
  // The digests of all events as bytea input. Only the database knows the hash before them.
  const digests = `\\x${texts.map((text, i) => eventDigestOfText(game, after + i + 1, at, cause, text)).join('')}`;
  const fields = {
    game,
    after,
    more: events.length,
    at,
    cause,
    summary,
    wake: wake ?? null,
    result: result ?? null,
    scores: scores.map(({ recipe = '', model = '', ...score }) => ({ ...score, recipe, model })),
    is_over: isOver(summary),
    digests,
  };
  return { game, json: `${JSON.stringify(fields).slice(0, -1)},"events":[${texts.join(',')}]}` };
}

/**
 * One statement and so one transaction: alarm, summary, events, result and scores of each append are written together or not at all.
 * New tables come before existing ones, each in the order of ids, so that concurrent batches queue for rows instead of deadlocking.
 * `for update` reads the row as it is once the lock is granted, so the hash chain continues from the current head, which the writer need not
 * know. Most appends have one event: those do not call the procedure.
 */
const APPEND = `
with a as materialized (
  select *, case when after = 0 then chain(null, digests) end as links from jsonb_to_recordset($1::text::jsonb) as a
    (game text, after int, more int, at bigint, cause text, wake bigint, summary jsonb, is_over boolean, events jsonb, digests bytea, result jsonb, scores jsonb)
), begun as (
  insert into game (id, last, wake, opened, summary, is_over, head)
  select game, more, wake, at, summary, is_over, substr(links, 32 * more - 31, 32) from a where after = 0 order by game
  on conflict (id) do nothing returning id
), mine as (
  select game.id, a.*, case when more = 1 then sha256(coalesce(game.head, '') || digests) else chain(game.head, digests) end as grown
  from game join a on a.game = game.id
  where a.after > 0 and game.last = a.after and (select count(*) from begun) >= 0
  order by game.id for update of game
), moved as (
  update game set last = mine.after + mine.more, wake = mine.wake, summary = mine.summary, is_over = mine.is_over,
    head = case when mine.more > 0 then substr(mine.grown, 32 * mine.more - 31, 32) else game.head end
  from mine where game.id = mine.id returning game.id, mine.grown
), won as (
  select id, null::bytea as grown from begun union all select id, grown from moved
), written as (
  insert into tape (game, sequence, at, cause, event, hash)
  select a.game, a.after + e.n, a.at, a.cause, e.event, substr(coalesce(a.links, won.grown), 32 * e.n::int - 31, 32)
  from won join a on a.game = won.id cross join jsonb_array_elements(a.events) with ordinality as e (event, n)
), kept as (
  insert into result (game, at, result)
  select a.game, a.at, a.result from won join a on a.game = won.id where a.result <> 'null' on conflict (game) do nothing returning game
), scored as (
  insert into score (game, rules, side, kind, recipe, model, games, wins)
  select a.game, s.* from kept join a on a.game = kept.game cross join jsonb_to_recordset(a.scores) as s
    (rules text, side text, kind text, recipe text, model text, games int, wins int)
  on conflict do nothing
)
select id from won`;

async function causesAmong(sql: Sql, asked: Parameters<Tapes['causesAmong']>[0]): Promise<ReadonlySet<string>> {
  const { rows } = await sql.query<{ cause: string }>(
    `select distinct tape.cause from jsonb_to_recordset($1::text::jsonb) as asked(game text, cause text)
      join tape on tape.game = asked.game and tape.cause = asked.cause`,
    [JSON.stringify(asked.map(({ table, cause }) => ({ game: table, cause })))],
  );
  return new Set(rows.map(({ cause }) => cause));
}
