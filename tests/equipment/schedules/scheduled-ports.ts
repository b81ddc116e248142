import { memoryHeartbeat } from '../memory-store/heartbeat.ts';
import { lostTimeOf } from '@maw/gamemaster/timing/heartbeat.ts';
import type { LostTime } from '@maw/gamemaster/timing/time-given-back.ts';
import type { Heartbeat } from '@maw/store/ports/heartbeat.ts';
import type { LoadedTable } from '@maw/gamemaster/tables/table-cache.ts';
import type { Rooms } from '@maw/store/ports/rooms.ts';
import type { Tapes } from '@maw/store/ports/tapes.ts';
import { TABLE } from './append.ts';
import type { Environment } from './simulation/environment.ts';
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

/** A heartbeat in memory, and what it has told. */
export interface ObservedHeartbeat extends Heartbeat {
  /** The lost time that gamemasters may know of when they decide at this time. */
  lostAt(at: number): readonly LostTime[];
  /** Its whole state. */
  key(): string;
}

/** For so long a gamemaster relies on a beat. */
const FRESH_MS = 500;

export function observedHeartbeat(now: () => number): ObservedHeartbeat {
  const heartbeat = memoryHeartbeat(now);
  const told = new Map<number, LostTime[]>();
  let last: unknown;
  return {
    async beat(...about) {
      const reply = await heartbeat.beat(...about);
      told.set(reply.now, [...(told.get(reply.now) ?? []), lostTimeOf(reply)]);
      last = [reply, about];
      return reply;
    },
    lostAt: (at) => [...told].flatMap(([time, lost]) => (time <= at && at - time <= FRESH_MS ? lost : [])),
    key: () => JSON.stringify(last),
  };
}

/** The heartbeat as one process beats it, and as its environment lets it: while the disk is full a probe is not answered. */
export const heartbeatOf = (process: Process, heartbeat: Heartbeat, { space }: Environment): Heartbeat => ({
  async beat(maxSilenceMs, options) {
    if (options?.isProbe) await space();
    if (process.isDead) return new Promise(() => undefined);
    const reply = await heartbeat.beat(maxSilenceMs, options);
    process.note(`beat ${JSON.stringify(reply)}`);
    return reply;
  },
});
