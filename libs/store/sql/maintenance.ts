import { type LineRow, toLine } from './rooms.ts';
import type { Sql } from '../driver/sql.ts';
import type { RecordedEvent, AppendMetadata } from '../ports/tapes.ts';
import type { EndedTable, Maintenance, RemovalCounts, RetentionFilter, StoredRoom, StoredTable } from '../ports/maintenance.ts';

/** Maintenance in SQL. */
export const sqlMaintenance = (sql: Sql): Maintenance => ({
  async countTables() {
    const { rows } = await sql.query<{ count: number }>('select count(*) as count from game');
    return rows[0]!.count;
  },

  async lastEventAt() {
    const { rows } = await sql.query<{ at: number | null }>(LAST_EVENT);
    return rows[0]!.at ?? undefined;
  },

  async listTables(after, limit) {
    const { rows } = await sql.query<{ id: string }>(TABLES, [after, limit]);
    return rows.map(({ id }) => id);
  },

  async readTable(table) {
    const { rows } = await sql.query<Whole>(WHOLE, [table]);
    const { game, tape, result, rooms, lines } = rows[0]!;
    if (!game && !tape && !result && !rooms && !lines) return undefined;
    return {
      table,
      row: game ? { ...game, head: game.head ?? undefined, wake: game.wake ?? undefined, retired: game.retired ?? undefined } : undefined,
      tape: (tape ?? []).map(([sequence, at, cause, event, hash]) => ({ table, sequence, at, cause, event, hash: hash ?? undefined })),
      result: result?.result,
      rooms: roomsOf(rooms ?? [], lines ?? []),
    };
  },

  async countExpired({ before, ...what }) {
    const { rows } = await sql.query<{ tables: number; events: number }>(
      `select count(*) as tables, coalesce(sum(case when game.retired is null then game.last else 0 end), 0)::bigint as events
       ${fromExpired(what)}`,
      [before],
    );
    return rows[0]!;
  },

  async listExpired({ before, after, limit, ...what }) {
    const { rows } = await sql.query<EndedTable>(
      `select result.at as ended, game.id as table ${fromExpired(what)}
       and ($2::bigint is null or (result.at, result.game) > ($2, $3)) order by result.at, result.game limit $4::int`,
      [before, after?.ended ?? null, after?.table ?? null, limit],
    );
    return rows;
  },

  async removeTables(tables, { at, ...what }) {
    const { rows } = await sql.query<RemovalCounts>(removal(what), [JSON.stringify(tables), at]);
    return rows[0]!;
  },
});

/** Ids in any of these tables. Each is walked along its key (a loose index scan), one step for each id, however many rows an id has. */
const PARTS = ['game.id', 'tape.game', 'result.game', 'room.game', 'line.game', 'line_archive.game'].map(
  (part) => part.split('.') as [string, string],
);
const TABLES = `with recursive ${PARTS.map(
  ([part, key]) => `
  of_${part}(id, n) as (
    select (select min(${key}) from ${part} where ${key} > $1), 1
    union all select (select min(${key}) from ${part} where ${key} > of_${part}.id), n + 1 from of_${part} where id is not null and n < $2::int
  )`,
).join(',')}
${PARTS.map(([part]) => `select id from of_${part} where id is not null`).join(' union ')} order by id limit $2::int`;

/** By the ends of tapes alone: there is no index on the times of all events. */
const LAST_EVENT = `select max(tape.at) as at from (
    select id, last from game where not is_over union (select id, last from game order by opened desc, id desc limit 1000)
  ) as latest join tape on tape.game = latest.id and tape.sequence = latest.last`;

interface Whole {
  readonly game:
    | (Omit<NonNullable<StoredTable['row']>, 'head' | 'wake' | 'retired'> & {
        head: string | null;
        wake: number | null;
        retired: number | null;
      })
    | null;
  readonly tape: readonly (readonly [number, number, string, RecordedEvent['event'], string | null])[] | null;
  readonly result: { readonly result: AppendMetadata['result'] } | null;
  readonly rooms: readonly RoomRow[] | null;
  readonly lines: readonly LineOf[] | null;
}

interface RoomRow extends NonNullable<StoredRoom['opening']> {
  readonly room: string;
  readonly closed: number | null;
  readonly lines: number | null;
  readonly isArchived: boolean;
  readonly purged: number;
}

interface LineOf extends LineRow {
  readonly room: string;
  readonly archived: boolean;
}

/** One statement, and so one consistent snapshot. */
const WHOLE = `
select
  (select json_build_object('opened', opened, 'last', last, 'head', encode(head, 'hex'), 'wake', wake, 'summary', summary, 'isOver', is_over, 'retired', retired)
   from game where id = $1) as game,
  (select json_agg(json_build_array(sequence, at, cause, event, encode(hash, 'hex')) order by sequence) from tape where game = $1) as tape,
  (select json_build_object('result', result) from result where game = $1) as result,
  (select json_agg(json_build_object('room', room, 'question', question, 'name', name, 'members', members, 'speakers', speakers, 'minds', minds,
     'maxChars', max_chars, 'until', until, 'opened', opened, 'closed', closed, 'lines', lines, 'isArchived', is_archived, 'purged', purged))
   from room where game = $1) as rooms,
  (select json_agg(json_build_object('room', room, 'archived', archived, 'line', line, 'by_seat', by_seat, 'to_seat', to_seat,
     'text', text, 'says', says, 'at', at) order by line)
   from (select *, false as archived from line where game = $1 union all select *, true from line_archive where game = $1) as every) as lines`;

function roomsOf(rows: readonly RoomRow[], lines: readonly LineOf[]): readonly StoredRoom[] {
  const known = new Map(rows.map((row) => [row.room, row]));
  const said = Map.groupBy(lines, ({ room }) => room);
  const names = [...new Set([...known.keys(), ...said.keys()])].toSorted((a, b) => Buffer.from(a).compare(Buffer.from(b)));
  return names.map((room) => {
    const all = said.get(room) ?? [];
    const row = known.get(room);
    const about = {
      live: all.filter(({ archived }) => !archived).map(toLine),
      archive: all.filter(({ archived }) => archived).map(toLine),
    };
    if (!row) return { room, opening: undefined, closing: undefined, isArchived: false, purged: 0, ...about };
    const { question, name, members, speakers, minds, maxChars, until, opened, closed, lines: many, isArchived, purged } = row;
    const seats = { members, speakers, ...(minds ? { minds } : {}) };
    return {
      room,
      opening: (opened as number | null) === null ? undefined : { question, name, ...seats, maxChars, until, opened },
      closing: closed === null ? undefined : { closed, lines: many! },
      isArchived,
      purged,
      ...about,
    };
  });
}

/** The expired tables, given the time in $1. */
const fromExpired = (what: Removed): string => `
  from result join game on game.id = result.game where result.at < $1::bigint and game.is_over ${isLeft(what)}`;

type Removed = Omit<RetentionFilter, 'before'>;

/** Whether there is something left to remove of a table that is over. */
const isLeft = ({ keepResults, onlyThoughts = false }: Removed): string =>
  onlyThoughts
    ? 'and (exists (select from thought where game = game.id) or exists (select from memory where game = game.id))'
    : keepResults
      ? 'and game.retired is null'
      : '';

const counted = (part: string): string => `(select count(*) from of_${part})`;

/** One statement and so one transaction. `any (array(...))` makes each table use its key, also when it is partitioned. */
const removal = (what: Removed): string => {
  const { keepResults, onlyThoughts = false } = what;
  const ofThoughts = ['thought', 'memory'];
  const parts = [
    'tape',
    'room',
    'line',
    'line_archive',
    'mark',
    'take',
    'llm_usage_of_seat',
    ...(keepResults ? [] : ['result', 'score', 'agent_set', 'agent_fault']),
  ];
  const remove = (part: string, isRemoved: boolean): string =>
    `of_${part} as (delete from ${part} where ${isRemoved ? '' : 'false and '}game = any (array(select id from gone)) returning 1)`;
  return `
with asked as (
  select value as id from jsonb_array_elements_text($1::text::jsonb)
), gone as materialized (
  select game.id from game join asked on game.id = asked.id where game.is_over ${isLeft(what)} order by game.id for update of game
), of_game as (${rowRemoval(what)}),
${[...ofThoughts.map((part) => remove(part, true)), ...parts.map((part) => remove(part, !onlyThoughts))].join(',\n')}
select ${counted('game')} as tables, ${counted('tape')} as events, ${counted('line')} + ${counted('line_archive')} as lines,
  ${counted('thought')} as thoughts, ${counted('take')} as takes`;
};

/** What becomes of the row of a table; $2 is the time. */
function rowRemoval({ keepResults, onlyThoughts = false }: Removed): string {
  if (onlyThoughts) return 'select id from gone where $2::bigint is not null';
  const row = 'where id = any (array(select id from gone)) returning id';
  return keepResults
    ? `update game set retired = $2::bigint, wake = null ${row}`
    : `delete from game ${row.replace('where', 'where $2::bigint is not null and')}`;
}
