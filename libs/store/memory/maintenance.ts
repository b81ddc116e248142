import { compareBytes } from './json.ts';
import type { MemoryRoom, MemoryDatabase } from './database.ts';
import type { Line } from '../ports/rooms.ts';
import type { EndedTable, StoredRoom, StoredTable, RetentionFilter, Maintenance } from '../ports/maintenance.ts';

/** The upkeep in memory. */
export function memoryMaintenance(shelf: MemoryDatabase): Maintenance {
  const { tables, results, rooms, thoughts, memories, takes } = shelf;
  const nameOf = (key: string): readonly [table: string, room: string] => JSON.parse(key);
  const roomsOf = (table: string): readonly StoredRoom[] =>
    [...rooms]
      .flatMap(([key, log]) => {
        const [of, room] = nameOf(key);
        return of === table && isAnything(log) ? [keptRoom(room, log)] : [];
      })
      .toSorted((a, b) => compareBytes(a.room, b.room));
  const mayGo = ({ before, keepResults }: RetentionFilter): readonly EndedTable[] =>
    [...results]
      .flatMap(([table, { at }]) => {
        const { isOver, retired } = tables.get(table)!;
        return at < before && isOver && !(keepResults && retired !== undefined) ? [{ ended: at, table }] : [];
      })
      .toSorted((a, b) => a.ended - b.ended || compareBytes(a.table, b.table));

  /** Forgets what is of a table. Returns how much. */
  const drop = (of: Map<string, { readonly table: string }>, id: string): number => {
    const gone = [...of].filter(([, { table }]) => table === id);
    for (const [key] of gone) of.delete(key);
    return gone.length;
  };

  return {
    countTables: async () => tables.size,

    async listTables(after, limit) {
      const inRooms = [...rooms].flatMap(([key, log]) => (isAnything(log) ? [nameOf(key)[0]] : []));
      const all = new Set([...tables.keys(), ...results.keys(), ...inRooms]);
      return [...all]
        .filter((id) => compareBytes(id, after) > 0)
        .toSorted(compareBytes)
        .slice(0, limit);
    },

    async readTable(table): Promise<StoredTable | undefined> {
      const known = tables.get(table);
      const [result, inRooms] = [results.get(table), roomsOf(table)];
      if (!known && !result && !inRooms.length) return undefined;
      const tape = known?.tape ?? [];
      return {
        table,
        row: known && {
          opened: known.opened,
          last: known.last,
          head: known.head,
          wake: known.wake,
          summary: JSON.parse(known.summary),
          isOver: known.isOver,
          retired: known.retired,
        },
        tape: tape.map(({ hash, at, json }, i) => ({ table, sequence: i + 1, at, ...JSON.parse(json), hash })),
        result: result && JSON.parse(result.json),
        rooms: inRooms,
      };
    },

    async countExpired(about) {
      const all = mayGo(about);
      return { tables: all.length, events: all.reduce((sum, { table }) => sum + tables.get(table)!.tape.length, 0) };
    },

    async listExpired({ after, limit, ...about }) {
      return mayGo(about)
        .filter((one) => !after || one.ended > after.ended || (one.ended === after.ended && compareBytes(one.table, after.table) > 0))
        .slice(0, limit);
    },

    async removeTables(ids, { keepResults, at }) {
      const removed = { tables: 0, events: 0, lines: 0, thoughts: 0, takes: 0 };
      for (const id of new Set(ids)) {
        const known = tables.get(id);
        if (!known?.isOver || (keepResults && known.retired !== undefined)) continue;
        removed.tables++;
        removed.events += known.tape.length;
        for (const [key, { live, archive }] of rooms) {
          if (nameOf(key)[0] !== id) continue;
          removed.lines += live.size + archive.size;
          rooms.delete(key);
        }
        removed.thoughts += drop(thoughts, id);
        removed.takes += drop(takes, id);
        drop(memories, id);
        if (keepResults) tables.set(id, { ...known, tape: [], wake: undefined, retired: at });
        else for (const part of [tables, results]) part.delete(id);
      }
      return removed;
    },
  };
}

const isAnything = ({ opening, closing, live, archive }: MemoryRoom): boolean =>
  Boolean(opening ?? closing) || live.size + archive.size > 0;

function keptRoom(room: string, { opening, closing, isArchived, live, archive }: MemoryRoom): StoredRoom {
  const lines = (of: ReadonlyMap<number, string>): readonly Line[] =>
    [...of.values()].map((json): Line => JSON.parse(json)).toSorted((a, b) => a.line - b.line);
  const about = { isArchived, purged: archive.size, live: lines(live), archive: lines(archive) };
  if (!opening) return { room, opening: undefined, closing, ...about };
  const { table: _, room: __, ...rest } = opening;
  return structuredClone({ room, opening: rest, closing, ...about });
}
