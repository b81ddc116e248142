import type { Line, Rooms } from '../ports/rooms.ts';
import type { MemoryRoom, MemoryDatabase } from './database.ts';

/** The rooms in memory. */
export function memoryRooms({ rooms: all }: Pick<MemoryDatabase, 'rooms'>): Rooms {
  const of = (table: string, room: string): MemoryRoom => {
    const key = JSON.stringify([table, room]);
    const log = all.get(key) ?? {
      opening: undefined,
      closing: undefined,
      isArchived: false,
      live: new Map(),
      archive: new Map(),
      marks: new Map(),
    };
    all.set(key, log);
    return log;
  };
  return {
    async open({ table, room, question, name, members, speakers, maxChars, until, opened }) {
      const log = of(table, room);
      if (log.opening && log.opening.opened >= opened) return;
      log.opening = { table, room, question, name, members: [...members], speakers: [...speakers], maxChars, until, opened };
    },

    async close(table, room, { closed, lines }) {
      const log = of(table, room);
      if (!log.closing || closed > log.closing.closed) log.closing = { closed, lines };
    },

    async room(table, room) {
      const { opening, closing, isArchived } = of(table, room);
      return opening && structuredClone({ ...opening, closed: closing?.closed, lines: closing?.lines, isArchived });
    },

    async addLine(table, room, { line, by, to, text, says, at }) {
      const log = of(table, room);
      if (line <= log.archive.size || log.live.has(line)) return false;
      log.live.set(line, JSON.stringify({ line, by, to, text, says, at }));
      return true;
    },

    async lines(table, room, after, limit) {
      const log = of(table, room);
      const last = lastOf(log);
      const there = numbers(Math.max(after, log.archive.size) + 1, last).slice(0, limit);
      return { lines: there.map((n): Line => JSON.parse(log.live.get(n)!)), last };
    },

    async markRead(table, room, seat, line) {
      const { marks } = of(table, room);
      marks.set(seat, Math.max(marks.get(seat) ?? line, line));
    },

    readMarks: async (table, room) =>
      [...of(table, room).marks].map(([seat, line]) => ({ seat, line })).toSorted((a, b) => a.seat - b.seat),

    async purge(table, room, line) {
      const log = of(table, room);
      if (!log.opening && !log.closing) return 0;
      return move(log, Math.min(line, lastOf(log)));
    },

    async archive(table, room) {
      const log = of(table, room);
      if (log.isArchived) return true;
      if (!log.closing || lastOf(log) < log.closing.lines) return false;
      move(log, log.closing.lines);
      log.isArchived = true;
      return true;
    },

    archived: async (table, room) => [...of(table, room).archive.values()].map((json): Line => JSON.parse(json)),
  };
}

const numbers = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);

/** The end of the gapless beginning. */
function lastOf({ live, archive }: MemoryRoom): number {
  let last = archive.size;
  while (live.has(last + 1)) last++;
  return last;
}

/** Moves the lines up to one to the archive. Returns how many. */
function move({ live, archive }: MemoryRoom, upTo: number): number {
  const moved = numbers(archive.size + 1, upTo);
  for (const n of moved) {
    archive.set(n, live.get(n)!);
    live.delete(n);
  }
  return moved.length;
}
