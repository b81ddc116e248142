import type { Sql } from '../driver/sql.ts';
import type { Line, Room, Rooms } from '../ports/rooms.ts';

/**
 * Rooms in SQL. `room.purged` says how many lines are in the archive. Moving lines locks the room's row, adding one shares the lock, and both
 * read `purged` from the locked row: a line delivered again while it is being moved is not stored twice.
 */
export const sqlRooms = (sql: Sql): Rooms => ({
  async open({ table, room, question, name, members, speakers, minds, maxChars, until, opened }) {
    const seats = [JSON.stringify(members), JSON.stringify(speakers), minds ? JSON.stringify(minds) : null];
    const { rows } = await sql.query<{ is_open: boolean }>(OPEN, [table, room, question, name, ...seats, maxChars, until, opened]);
    return rows[0]?.is_open ?? false;
  },

  async close(table, room, { closed, lines }) {
    await sql.query(CLOSE, [table, room, closed, lines]);
  },

  async room(table, room) {
    const { rows } = await sql.query<RoomRow>('select * from room where game = $1 and room = $2 and opened is not null', [table, room]);
    return rows[0] && toRoom(rows[0]);
  },

  async addLine(table, room, { line, by, to, text, says, at }) {
    const values = [table, room, line, by ?? null, to ?? null, text, says ? JSON.stringify(says) : null, at];
    const { rows } = await sql.query<{ is_new: boolean; is_open: boolean }>(ADD_LINE, values);
    return { isNew: rows[0]!.is_new, isOpen: rows[0]!.is_open };
  },

  async lines(table, room, after, limit) {
    const { rows } = await sql.query<LineRow & { last: number }>(LINES, [table, room, after, limit]);
    return { lines: rows.filter(({ line }) => line !== null).map(toLine), last: rows[0]?.last ?? 0 };
  },

  async markRead(table, room, seat, line) {
    await sql.query(MARK, [table, room, seat, line]);
  },

  async readMarks(table, room) {
    const marks = 'select seat, line from mark where game = $1 and room = $2 order by seat';
    return (await sql.query<{ seat: number; line: number }>(marks, [table, room])).rows;
  },

  async purge(table, room, line) {
    const { rows } = await sql.query<{ count: number }>(PURGE, [table, room, line]);
    return rows[0]?.count ?? 0;
  },

  async archive(table, room) {
    const { rows } = await sql.query<{ archived: boolean }>(ARCHIVE, [table, room]);
    return rows[0]?.archived ?? false;
  },

  async archived(table, room) {
    const { rows } = await sql.query<LineRow>('select * from line_archive where game = $1 and room = $2 order by line', [table, room]);
    return rows.map(toLine);
  },
});

const COLUMNS = 'game, room, line, by_seat, to_seat, text, says, at';

const OPEN = `with done as (insert into room as r (game, room, question, name, members, speakers, minds, max_chars, until, opened)
values ($1, $2, $3, $4, $5::text::jsonb, $6::text::jsonb, $7::text::jsonb, $8::int, $9::bigint, $10::int)
on conflict (game, room) do update set question = excluded.question, name = excluded.name, members = excluded.members,
  speakers = excluded.speakers, minds = excluded.minds, max_chars = excluded.max_chars, until = excluded.until, opened = excluded.opened
where r.opened is null or excluded.opened > r.opened returning closed)
select closed is null as is_open from done
union all select closed is null from room where game = $1 and room = $2 and not exists (select from done)`;

const CLOSE = `insert into room as r (game, room, closed, lines) values ($1, $2, $3::int, $4::int)
on conflict (game, room) do update set closed = excluded.closed, lines = excluded.lines
where r.closed is null or excluded.closed > r.closed`;

/** The lock makes a closing wait for the line, so a line of a room that is open here is there when the room is archived. */
const ADD_LINE = `with held as (select purged, closed is null as is_open from room where game = $1 and room = $2 for share),
added as (insert into line (${COLUMNS})
select $1, $2, $3::int, $4::int, $5::int, $6, $7::text::jsonb, $8::bigint where $3::int > coalesce((select purged from held), 0)
on conflict (game, room, line) do nothing returning line)
select exists (select from added) as is_new, coalesce((select is_open from held), false) as is_open`;

/** The lines after one up to the first gap, and the last of them whatever the limit. */
const LINES = `with gone as (select coalesce(max(purged), 0) as purged from room where game = $1 and room = $2),
there as (
  select line.*, row_number() over (order by line.line) + gone.purged as expected
  from line, gone where game = $1 and room = $2 and line.line > gone.purged
),
whole as (select * from there where line = expected),
page as (select * from whole where line > $3::int order by line limit $4::int)
select page.*, coalesce((select max(line) from whole), gone.purged) as last from gone left join page on true order by page.line`;

const MARK = `insert into mark as m (game, room, seat, line) values ($1, $2, $3::int, $4::int)
on conflict (game, room, seat) do update set line = greatest(m.line, excluded.line)`;

const PURGE = `with held as (select purged from room where game = $1 and room = $2 for update),
there as (
  select line.line, row_number() over (order by line.line) + held.purged as expected
  from line, held where game = $1 and room = $2 and line.line > held.purged and line.line <= $3::int
),
moved as (
  delete from line using there
  where line.game = $1 and line.room = $2 and line.line = there.line and there.line = there.expected returning line.*
),
kept as (insert into line_archive (${COLUMNS}) select ${COLUMNS} from moved),
noted as (
  update room set purged = upto.line from (select max(line) as line from moved) as upto
  where game = $1 and room = $2 and upto.line is not null
)
select count(*) as count from moved`;

const ARCHIVE = `with held as (select purged, closed, lines, is_archived from room where game = $1 and room = $2 for update),
rest as (
  select line.line from line, held where game = $1 and room = $2 and line.line > held.purged and line.line <= held.lines
),
ready as (
  select lines from held where closed is not null and not is_archived and purged + (select count(*) from rest) >= lines
),
moved as (
  delete from line using rest, ready where line.game = $1 and line.room = $2 and line.line = rest.line returning line.*
),
kept as (insert into line_archive (${COLUMNS}) select ${COLUMNS} from moved),
noted as (
  update room set is_archived = true, purged = greatest(room.purged, ready.lines) from ready where game = $1 and room = $2
)
select exists (select from ready) or coalesce((select is_archived from held), false) as archived`;

interface RoomRow extends Omit<Room, 'table' | 'minds' | 'maxChars' | 'closed' | 'lines' | 'isArchived'> {
  readonly game: string;
  readonly minds: readonly number[] | null;
  readonly max_chars: number;
  readonly closed: number | null;
  readonly lines: number | null;
  readonly is_archived: boolean;
}

export interface LineRow {
  readonly line: number;
  readonly by_seat: number | null;
  readonly to_seat: number | null;
  readonly text: string;
  readonly says: readonly string[] | null;
  readonly at: number;
}

const toRoom = (row: RoomRow): Room => ({
  table: row.game,
  room: row.room,
  question: row.question,
  name: row.name,
  members: row.members,
  speakers: row.speakers,
  ...(row.minds && { minds: row.minds }),
  maxChars: row.max_chars,
  until: row.until,
  opened: row.opened,
  closed: row.closed ?? undefined,
  lines: row.lines ?? undefined,
  isArchived: row.is_archived,
});

export const toLine = ({ line, by_seat: by, to_seat: to, text, says, at }: LineRow): Line => ({
  line,
  ...(by !== null && { by }),
  ...(to !== null && { to }),
  text,
  ...(says !== null && { says }),
  at,
});
