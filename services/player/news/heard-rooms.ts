import type { Data } from '@maw/contracts/contracts.ts';
import type { Instant } from '@maw/games/kernel/question.ts';
import { LRUCache } from 'lru-cache';

type Line = NonNullable<Data<'room.line'>['said']>;

/** How many rooms' lines are remembered, the most recently used ones, and how many of each, the latest. */
const MAX_ROOMS = 2_000;
const MAX_LINES = 100;

/** What events told of a room: its last line, the lines that they carried, and when the last event came. */
interface HeardRoom {
  readonly last: number;
  readonly lines: readonly Line[];
  readonly heardAt: Instant;
}

/** Remembers what events tell of rooms: once for all minds of the process. */
export function heardRooms(now: () => Instant) {
  /** Since when a room that is not remembered has no further line: all later events are remembered. */
  let completeSince = Infinity;
  const heard = new LRUCache<string, HeardRoom>({
    max: MAX_ROOMS,
    dispose({ heardAt }, _, reason) {
      if (reason === 'evict') completeSince = Math.max(completeSince, heardAt + 1);
    },
  });
  return {
    hear(table: string, { room, line, said }: Data<'room.line'>): void {
      const key = `${table} ${room}`;
      const { last, lines } = heard.get(key) ?? { last: 0, lines: [] };
      const others = lines.filter((other) => other.line !== said?.line);
      heard.set(key, {
        last: Math.max(last, line),
        lines: said ? [...others, said].toSorted((a, b) => a.line - b.line).slice(-MAX_LINES) : lines,
        heardAt: now(),
      });
    },

    /** From now on events arrive. */
    beginAt(at: Instant): void {
      completeSince = at;
    },

    /**
     * What was said after a line; undefined when not all of it was heard, and the room must be read.
     * @param since the time of the question, which brought all lines before it
     */
    linesAfter(table: string, room: string, after: number, since: Instant): readonly Line[] | undefined {
      const known = heard.get(`${table} ${room}`);
      if (!known) return since >= completeSince ? [] : undefined;
      const unread = known.lines.filter(({ line }) => line > after);
      return unread.length === Math.max(0, known.last - after) ? unread : undefined;
    },
  };
}
