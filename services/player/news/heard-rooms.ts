import type { Data } from '@maw/contracts/contracts.ts';
import type { Instant } from '@maw/games/kernel/question.ts';

type Line = NonNullable<Data<'room.line'>['said']>;

/** How many rooms' lines are remembered, the most recently used ones, and how many of each, the latest. */
const MAX_ROOMS = 2_000;
const MAX_LINES = 100;

/** What events told of a room: its last line, and the lines that they carried. */
interface HeardRoom {
  readonly last: number;
  readonly lines: readonly Line[];
}

/** Remembers what events tell of rooms: once for all minds of the process. */
export function heardRooms() {
  const heard = new Map<string, HeardRoom>();
  let begunAt = Infinity;
  return {
    hear(table: string, { room, line, said }: Data<'room.line'>): void {
      const key = `${table} ${room}`;
      const { last, lines } = heard.get(key) ?? { last: 0, lines: [] };
      const others = lines.filter((other) => other.line !== said?.line);
      heard.delete(key);
      heard.set(key, {
        last: Math.max(last, line),
        lines: said ? [...others, said].toSorted((a, b) => a.line - b.line).slice(-MAX_LINES) : lines,
      });
      if (heard.size > MAX_ROOMS) heard.delete(heard.keys().next().value!);
    },

    /** From now on events arrive. */
    beginAt(at: Instant): void {
      begunAt = at;
    },

    /**
     * What was said after a line; undefined when not all of it was heard, and the room must be read.
     * @param since from when on a room of which nothing was heard has no further line
     */
    linesAfter(table: string, room: string, after: number, since: Instant): readonly Line[] | undefined {
      const known = heard.get(`${table} ${room}`);
      if (!known) return since >= begunAt ? [] : undefined;
      const unread = known.lines.filter(({ line }) => line > after);
      return unread.length === Math.max(0, known.last - after) ? unread : undefined;
    },
  };
}
