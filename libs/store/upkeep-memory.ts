import { compareBytes } from './memory-json.ts';
import type { MemoryTake } from './memory-recordings.ts';
import type { Log } from './memory-rooms.ts';
import type { MemoryTable } from './memory-tapes.ts';
import type { MemoryThought } from './memory-thoughts.ts';
import type { Line } from './store.ts';
import type { Ended, KeptRoom, KeptTable, Retiring, Upkeep } from './upkeep.ts';

/** What the parts of a store in memory have in common with its upkeep. */
export interface Shelf {
  readonly tables: Map<string, MemoryTable>;
  readonly results: Map<string, { readonly at: number; readonly json: string }>;
  /** By table and room, as JSON of both. */
  readonly rooms: Map<string, Log>;
  /** By anything; whose they are is in them. */
  readonly thoughts: Map<string, MemoryThought>;
  readonly memories: Map<string, { readonly table: string; readonly n: number; readonly memory: string }>;
  readonly takes: Map<string, MemoryTake>;
}

export const emptyShelf = (): Shelf => ({
  tables: new Map(),
  results: new Map(),
  rooms: new Map(),
  thoughts: new Map(),
  memories: new Map(),
  takes: new Map(),
});

/** The upkeep in memory. */
export function memoryUpkeep(shelf: Shelf): Upkeep {
  const { tables, results, rooms, thoughts, memories, takes } = shelf;
  const nameOf = (key: string): readonly [table: string, room: string] => JSON.parse(key);
  const roomsOf = (table: string): readonly KeptRoom[] =>
    [...rooms]
      .flatMap(([key, log]) => {
        const [of, room] = nameOf(key);
        return of === table && isAnything(log) ? [keptRoom(room, log)] : [];
      })
      .toSorted((a, b) => compareBytes(a.room, b.room));
  const mayGo = ({ before, keepResults }: Retiring): readonly Ended[] =>
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
    count: async () => tables.size,

    async tables(after, limit) {
      const inRooms = [...rooms].flatMap(([key, log]) => (isAnything(log) ? [nameOf(key)[0]] : []));
      const all = new Set([...tables.keys(), ...results.keys(), ...inRooms]);
      return [...all]
        .filter((id) => compareBytes(id, after) > 0)
        .toSorted(compareBytes)
        .slice(0, limit);
    },

    async whole(table): Promise<KeptTable | undefined> {
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

    async retiring(about) {
      const all = mayGo(about);
      return { tables: all.length, events: all.reduce((sum, { table }) => sum + tables.get(table)!.tape.length, 0) };
    },

    async nextRetiring({ after, limit, ...about }) {
      return mayGo(about)
        .filter((one) => !after || one.ended > after.ended || (one.ended === after.ended && compareBytes(one.table, after.table) > 0))
        .slice(0, limit);
    },

    async remove(ids, { keepResults, at }) {
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

const isAnything = ({ opening, closing, live, archive }: Log): boolean => Boolean(opening ?? closing) || live.size + archive.size > 0;

function keptRoom(room: string, { opening, closing, isArchived, live, archive }: Log): KeptRoom {
  const lines = (of: ReadonlyMap<number, string>): readonly Line[] =>
    [...of.values()].map((json): Line => JSON.parse(json)).toSorted((a, b) => a.line - b.line);
  const about = { isArchived, purged: archive.size, live: lines(live), archive: lines(archive) };
  if (!opening) return { room, opening: undefined, closing, ...about };
  const { table: _, room: __, ...rest } = opening;
  return structuredClone({ room, opening: rest, closing, ...about });
}
