import { memoryHeartbeat } from '../memory-store/heartbeat.ts';
import type { Heartbeat, Outage } from '@maw/store/ports/heartbeat.ts';
import type { LoadedTable } from '@maw/gamemaster/tables/table-cache.ts';
import type { Rooms } from '@maw/store/ports/rooms.ts';
import type { Tapes } from '@maw/store/ports/tapes.ts';
import { TABLE } from './append.ts';
import type { Process } from './simulated-process.ts';

/** The tapes as one process accesses them: every call waits for its turn. */
export const tapesOf = (process: Process, tapes: Tapes): Tapes => ({
  ...tapes,
  read: (table, after = 0) =>
    process.turn('read', `read ${after}`, () => tapes.read(table, after), {
      told: (rows) => rows.map(({ sequence, cause, at }) => `${sequence} ${cause} ${at}`).join(),
    }),
  append: (table, after, events, writing) =>
    process.turn('append', `append ${after}+${events.length}`, () => tapes.append(table, after, events, writing)),
  // Nobody is told of outages: tables find out when something is due.
  due: (now, limit) =>
    now === Number.MAX_SAFE_INTEGER ? Promise.resolve([]) : process.turn('other', 'due', () => tapes.due(now, limit), { isAlarm: true }),
});

/** The rooms as one process accesses them. */
export const roomsOf = (process: Process, rooms: Rooms): Rooms =>
  Object.fromEntries(
    Object.entries(rooms).map(([name, call]: [string, (...given: unknown[]) => Promise<unknown>]) => [
      name,
      (...given: unknown[]) => process.turn('other', [name, ...given.map(named)].join(' '), () => call(...given)),
    ]),
  ) as unknown as Rooms;

/** A short description of a value: a room's name, a line's number. */
function named(given: unknown): string {
  if (typeof given !== 'object' || given === null) return String(given);
  const { room, line } = given as { readonly room?: string; readonly line?: number };
  return String(room ?? line ?? '');
}

/** The rooms of a table as its chatroom has them. */
export async function openRooms({ roomLog: scroll, lines, tape }: LoadedTable['state'], rooms: Rooms): Promise<void> {
  for (const { room, name, question, members, speakers } of scroll.open.values()) {
    const { maxChars, until, id } = question;
    await rooms.open({ table: TABLE, room, name, members, speakers, maxChars, until, question: id, opened: tape.length });
  }
  for (const { room, members: _, isPublic: __, ...line } of [...lines.values()].flat()) await rooms.addLine(TABLE, room, line);
}

/** A heartbeat in memory, and what it has recorded. */
export interface ObservedHeartbeat extends Heartbeat {
  /** The outages recorded so far. */
  readonly outages: readonly Outage[];
  /** Its whole state. */
  key(): string;
}

export function observedHeartbeat(now: () => number): ObservedHeartbeat {
  const heartbeat = memoryHeartbeat(now);
  let outages: readonly Outage[] = [];
  let beatAt = 0;
  return {
    async beat(...about) {
      const reply = await heartbeat.beat(...about);
      outages = reply.outages;
      beatAt = reply.now;
      return reply;
    },
    get outages() {
      return outages;
    },
    key: () => JSON.stringify([beatAt, outages]),
  };
}
