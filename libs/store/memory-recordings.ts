import { compareBytes } from './memory-json.ts';
import type { Recordings, Take } from './store.ts';
import type { Shelf } from './upkeep-memory.ts';

/** A take in memory. */
export interface MemoryTake extends Omit<Take, 'request' | 'outcome'> {
  readonly request: string;
  readonly outcome: string;
}

/** Recordings in memory. */
export function memoryRecordings({ takes: kept }: Pick<Shelf, 'takes'>): Recordings {
  const of = (recording: string, fits: (take: MemoryTake) => boolean): MemoryTake[] =>
    [...kept.values()].filter((take) => take.recording === recording && fits(take));
  return {
    async keep({ request, outcome, ...about }) {
      const { recording, hash, id, table, asker, at } = about;
      const key = JSON.stringify([recording, hash, table, id]);
      const known = kept.get(key) ?? { recording, hash, id, table, asker, at, request: JSON.stringify(request) };
      kept.set(key, { ...known, outcome: JSON.stringify(outcome) });
    },

    async find(recording, hash, nth, table) {
      const tables = Map.groupBy(
        of(recording, (take) => take.hash === hash).toSorted((a, b) => a.at - b.at || compareBytes(a.id, b.id)),
        (take) => take.table,
      );
      const able = [...tables.values()].filter((takes) => takes.length >= nth && nth > 0);
      const [first] = able.toSorted(
        ([a], [b]) => Number(a!.table !== table) - Number(b!.table !== table) || a!.at - b!.at || compareBytes(a!.table, b!.table),
      );
      return first && takeOf(first[nth - 1]!);
    },

    async takes(recording, { asker, limit }) {
      return of(recording, (take) => asker === undefined || take.asker === asker)
        .toSorted((a, b) => a.at - b.at || compareBytes(a.table, b.table) || compareBytes(a.id, b.id) || compareBytes(a.hash, b.hash))
        .slice(0, limit)
        .map(takeOf);
    },
  };
}

const takeOf = ({ request, outcome, ...about }: MemoryTake): Take => ({
  ...about,
  request: JSON.parse(request),
  outcome: JSON.parse(outcome),
});
