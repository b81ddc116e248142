import type { Line, Rooms } from '@maw/store/ports/rooms.ts';
import type { MemoryDatabase, MemoryRoom } from './database.ts';

/** Rooms in memory. */
export function memoryRooms({ rooms }: Pick<MemoryDatabase, 'rooms'>): Rooms {
  const at = (table: string, room: string): MemoryRoom => roomAt(rooms, JSON.stringify([table, room]));
  return {
    async open({ table, room, question, name, members, speakers, minds, maxChars, until, opened }) {
      const known = at(table, room);
      const seats = { members: [...members], speakers: [...speakers], ...(minds && { minds: [...minds] }) };
      if (!known.opening || known.opening.opened < opened)
        known.opening = { table, room, question, name, ...seats, maxChars, until, opened };
      return !known.closing;
    },

    async close(table, room, { closed, lines }) {
      const known = at(table, room);
      if (!known.closing || closed > known.closing.closed) known.closing = { closed, lines };
    },

    async room(table, room) {
      const { opening, closing, isArchived } = at(table, room);
      return opening && structuredClone({ ...opening, closed: closing?.closed, lines: closing?.lines, isArchived });
    },

    async addLine(table, room, { line, by, to, text, says, at: time }) {
      const { live, archive, opening, closing } = at(table, room);
      const isNew = line > archive.size && !live.has(line);
      if (isNew) live.set(line, JSON.stringify({ line, by, to, text, says, at: time }));
      return { isNew, isOpen: opening !== undefined && !closing };
    },

    async lines(table, room, after, limit) {
      const known = at(table, room);
      const last = lastLine(known);
      const page = numbers(Math.max(after, known.archive.size) + 1, last).slice(0, limit);
      return { lines: page.map((n): Line => JSON.parse(known.live.get(n)!)), last };
    },

    async markRead(table, room, seat, line) {
      const { marks } = at(table, room);
      marks.set(seat, Math.max(marks.get(seat) ?? line, line));
    },

    readMarks: async (table, room) =>
      [...at(table, room).marks].map(([seat, line]) => ({ seat, line })).toSorted((a, b) => a.seat - b.seat),

    async purge(table, room, line) {
      const known = at(table, room);
      return known.opening || known.closing ? moveToArchive(known, Math.min(line, lastLine(known))) : 0;
    },

    async archive(table, room) {
      const known = at(table, room);
      if (!known.isArchived && known.closing && lastLine(known) >= known.closing.lines) {
        moveToArchive(known, known.closing.lines);
        known.isArchived = true;
      }
      return known.isArchived;
    },

    archived: async (table, room) => [...at(table, room).archive.values()].map((json): Line => JSON.parse(json)),
  };
}

function roomAt(rooms: MemoryDatabase['rooms'], key: string): MemoryRoom {
  const known = rooms.get(key) ?? {
    opening: undefined,
    closing: undefined,
    isArchived: false,
    live: new Map(),
    archive: new Map(),
    marks: new Map(),
  };
  rooms.set(key, known);
  return known;
}

const numbers = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);

/** The last line before the first gap. */
function lastLine({ live, archive }: MemoryRoom): number {
  let last = archive.size;
  while (live.has(last + 1)) last++;
  return last;
}

/** Moves the lines up to one to the archive. Returns how many. */
function moveToArchive({ live, archive }: MemoryRoom, upTo: number): number {
  const moved = numbers(archive.size + 1, upTo);
  for (const n of moved) {
    archive.set(n, live.get(n)!);
    live.delete(n);
  }
  return moved.length;
}
