import { compareBytes } from './compare-bytes.ts';
import type { Recordings, RecordedExchange } from '@maw/store/ports/recordings.ts';
import type { MemoryExchange, MemoryDatabase } from './database.ts';

/** Recordings in memory. */
export function memoryRecordings({ takes: kept }: Pick<MemoryDatabase, 'takes'>): Recordings {
  const of = (recording: string, fits: (take: MemoryExchange) => boolean = () => true): MemoryExchange[] =>
    [...kept.values()].filter((take) => take.recording === recording && fits(take));
  return {
    async save({ request, outcome, ...about }) {
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

    async list(recording, { limit }) {
      return of(recording)
        .toSorted((a, b) => a.at - b.at || compareBytes(a.table, b.table) || compareBytes(a.id, b.id) || compareBytes(a.hash, b.hash))
        .slice(0, limit)
        .map(takeOf);
    },
  };
}

const takeOf = ({ request, outcome, ...about }: MemoryExchange): RecordedExchange => ({
  ...about,
  request: JSON.parse(request),
  outcome: JSON.parse(outcome),
});
