import type { EndedTable, Maintenance, RetentionFilter, StoredRoom, StoredTable } from '@maw/store/ports/maintenance.ts';
import type { Line } from '@maw/store/ports/rooms.ts';
import type { MemoryDatabase, MemoryRoom, MemoryTable } from './database.ts';
import { compareBytes } from './compare-bytes.ts';

/** Maintenance in memory. */
export const memoryMaintenance = (db: MemoryDatabase): Maintenance => ({
  countTables: async () => db.tables.size,

  async lastEventAt() {
    const ends = [...db.tables.values()].flatMap(({ tape }) => tape.at(-1)?.at ?? []);
    return ends.length ? Math.max(...ends) : undefined;
  },

  async listTables(after, limit) {
    const inRooms = [...db.rooms].flatMap(([key, room]) => (isStored(room) ? [nameOf(key)[0]] : []));
    return [...new Set([...db.tables.keys(), ...db.results.keys(), ...inRooms])]
      .filter((id) => compareBytes(id, after) > 0)
      .toSorted(compareBytes)
      .slice(0, limit);
  },

  async readTable(table) {
    const [known, result, rooms] = [db.tables.get(table), db.results.get(table), roomsOf(db, table)];
    if (!known && !result && !rooms.length) return undefined;
    return { table, row: known && rowOf(known), tape: tapeOf(table, known), result: result && JSON.parse(result.json), rooms };
  },

  async countExpired(filter) {
    const all = expired(db, filter);
    return { tables: all.length, events: all.reduce((sum, { table }) => sum + db.tables.get(table)!.tape.length, 0) };
  },

  async listExpired({ after, limit, ...filter }) {
    return expired(db, filter)
      .filter((one) => !after || one.ended > after.ended || (one.ended === after.ended && compareBytes(one.table, after.table) > 0))
      .slice(0, limit);
  },

  async removeTables(ids, { at, ...what }) {
    const removed = { tables: 0, events: 0, lines: 0, thoughts: 0, takes: 0 };
    for (const id of new Set(ids)) {
      const known = db.tables.get(id);
      if (!known?.isOver || !isLeft(db, id, what)) continue;
      removed.tables++;
      removed.thoughts += removeOf(db.thoughts, id);
      removeOf(db.memories, id);
      if (what.onlyThoughts) continue;
      removed.events += known.tape.length;
      removed.lines += removeRooms(db, id);
      removed.takes += removeOf(db.takes, id);
      removeOf(db.seatUsage, id);
      if (what.keepResults) db.tables.set(id, { ...known, tape: [], wake: undefined, retired: at });
      else {
        for (const part of [db.tables, db.results, db.scores, db.agentSets]) part.delete(id);
        removeOf(db.agentFaults, id);
      }
    }
    return removed;
  },
});

const nameOf = (key: string): readonly [table: string, room: string] => JSON.parse(key);

const rowOf = ({ opened, last, head, wake, summary, isOver, retired }: MemoryTable): NonNullable<StoredTable['row']> => ({
  opened,
  last,
  head,
  wake,
  summary: JSON.parse(summary),
  isOver,
  retired,
});

const tapeOf = (table: string, known: MemoryTable | undefined): StoredTable['tape'] =>
  (known?.tape ?? []).map(({ hash, at, json }, i) => ({ table, sequence: i + 1, at, ...JSON.parse(json), hash }));

const roomsOf = (db: MemoryDatabase, table: string): readonly StoredRoom[] =>
  [...db.rooms]
    .flatMap(([key, room]) => (nameOf(key)[0] === table && isStored(room) ? [storedRoom(nameOf(key)[1], room)] : []))
    .toSorted((a, b) => compareBytes(a.room, b.room));

/** A room that was only read is in memory, too. */
const isStored = ({ opening, closing, live, archive }: MemoryRoom): boolean => Boolean(opening ?? closing) || live.size + archive.size > 0;

function storedRoom(room: string, { opening, closing, isArchived, live, archive }: MemoryRoom): StoredRoom {
  const lines = (of: ReadonlyMap<number, string>): readonly Line[] =>
    [...of.values()].map((json): Line => JSON.parse(json)).toSorted((a, b) => a.line - b.line);
  const about = { closing, isArchived, purged: archive.size, live: lines(live), archive: lines(archive) };
  if (!opening) return { room, opening: undefined, ...about };
  const { table: _, room: __, ...terms } = opening;
  return structuredClone({ room, opening: terms, ...about });
}

/** Whether there is something left to remove of a table that is over. */
function isLeft(db: MemoryDatabase, table: string, { keepResults, onlyThoughts = false }: Omit<RetentionFilter, 'before'>): boolean {
  if (onlyThoughts) return [...db.thoughts.values(), ...db.memories.values()].some((entry) => entry.table === table);
  return !(keepResults && db.tables.get(table)!.retired !== undefined);
}

const expired = (db: MemoryDatabase, { before, ...what }: RetentionFilter): readonly EndedTable[] =>
  [...db.results]
    .flatMap(([table, { at }]) => (at < before && db.tables.get(table)!.isOver && isLeft(db, table, what) ? [{ ended: at, table }] : []))
    .toSorted((a, b) => a.ended - b.ended || compareBytes(a.table, b.table));

/** Removes the rooms of a table. Returns how many lines they had. */
function removeRooms({ rooms }: MemoryDatabase, table: string): number {
  let lines = 0;
  for (const [key, { live, archive }] of rooms) {
    if (nameOf(key)[0] !== table) continue;
    lines += live.size + archive.size;
    rooms.delete(key);
  }
  return lines;
}

/** Removes what belongs to a table. Returns how many entries. */
function removeOf(entries: Map<string, { readonly table: string }>, table: string): number {
  const keys = [...entries].flatMap(([key, entry]) => (entry.table === table ? [key] : []));
  for (const key of keys) entries.delete(key);
  return keys.length;
}
