import type { BegunPairing, Contests, StoredContest, StoredPairingResult, StoredResultPage } from '@maw/store/ports/contests.ts';
import { compareBytes } from './compare-bytes.ts';

interface MemoryPairing {
  readonly begun: BegunPairing | undefined;
  readonly attempt: number;
  readonly result: StoredPairingResult | undefined;
  /** When it was finished. */
  readonly at: number;
}

interface MemoryContest {
  about: Omit<StoredContest, 'finished'>;
  lease: { readonly holder: string; readonly until: number } | undefined;
  readonly pairings: Map<number, MemoryPairing>;
}

/** Contests in memory. */
export function memoryContests(): Contests {
  const contests = new Map<string, MemoryContest>();
  const stored = ({ about }: MemoryContest): StoredContest =>
    structuredClone({ ...about, finished: finishedOf(contests, about.id).length });
  return {
    async open(contest) {
      if (contests.has(contest.id)) return;
      const about = structuredClone({ ...contest, state: 'running' as const, since: contest.at });
      contests.set(contest.id, { about, lease: undefined, pairings: new Map() });
    },

    async get(id) {
      const known = contests.get(id);
      return known && stored(known);
    },

    async list({ states, limit }) {
      const wanted = [...contests.values()].filter(({ about }) => states?.includes(about.state) ?? true);
      return wanted
        .toSorted(({ about: a }, { about: b }) => b.at - a.at || compareBytes(a.id, b.id))
        .slice(0, limit)
        .map(stored);
    },

    async setState(id, from, to, { at, why, holder, terms }) {
      const known = contests.get(id);
      if (!known || !from.includes(known.about.state)) return false;
      if (holder !== undefined && known.lease?.holder !== holder) return false;
      const { why: _, ...about } = known.about;
      known.about = structuredClone({
        ...about,
        state: to,
        since: at,
        ...(why === undefined ? {} : { why }),
        ...terms,
      });
      return true;
    },

    async claim(id, holder, { at, until }) {
      const known = contests.get(id);
      if (!known || (known.lease && known.lease.holder !== holder && known.lease.until > at)) return false;
      known.lease = { holder, until };
      return true;
    },

    async release(id, holder) {
      const known = contests.get(id);
      if (known?.lease?.holder === holder) known.lease = undefined;
    },

    ...memoryPairings(contests),
  };
}

type All = Map<string, MemoryContest>;

const pairingsOf = (contests: All, id: string) => [...(contests.get(id)?.pairings ?? [])].toSorted(([a], [b]) => a - b);
const finishedOf = (contests: All, id: string) => pairingsOf(contests, id).flatMap(([number, { result }]) => (result ? [number] : []));

function memoryPairings(contests: All): Pick<Contests, 'begin' | 'begun' | 'finished' | 'finish' | 'countFinished' | 'results' | 'page'> {
  return {
    async begin(id, pairing) {
      const { about, pairings } = contests.get(id) ?? {};
      if (about?.state !== 'running') return false;
      const known = pairings!.get(pairing.number);
      if (!known || (!known.result && known.attempt < pairing.attempt))
        pairings!.set(pairing.number, { begun: { ...pairing }, attempt: pairing.attempt, result: undefined, at: pairing.at });
      return true;
    },

    async begun(id) {
      return pairingsOf(contests, id).flatMap(([, { begun, result }]) => (begun && !result ? [{ ...begun }] : []));
    },

    async finished(id) {
      return finishedOf(contests, id);
    },

    async finish(id, results, at) {
      const { pairings } = contests.get(id)!;
      const written = results.filter(({ number, attempt }) => {
        const known = pairings.get(number);
        return !known || (!known.result && known.attempt <= attempt);
      });
      for (const result of written)
        pairings.set(result.number, { begun: undefined, attempt: result.attempt, result: structuredClone(result), at });
      return written.map(({ number }) => number).toSorted((a, b) => a - b);
    },

    async countFinished(id, since) {
      return pairingsOf(contests, id).filter(([, { result, at }]) => result && at > since).length;
    },

    async results(id, { after, limit, withRecords = false }) {
      return resultsOf(contests, id, after, withRecords).slice(0, limit);
    },

    async page(id, { after, skip, limit, bytes, games, withRecords = false }) {
      const [first, ...rest] = resultsOf(contests, id, after, withRecords);
      if (!first) return { results: [], more: false };
      let size = sizeOf(first);
      const part: StoredResultPage['results'][number] = size > bytes || skip > 0 ? partOf(first, skip, games) : first;
      if (part.moreGames) return { results: [part], more: true };
      const fitting = rest.filter((result) => (size += sizeOf(result)) <= bytes).slice(0, limit - 1);
      return { results: [part, ...fitting], more: fitting.length < rest.length };
    },
  };
}

function resultsOf(contests: All, id: string, after: number, withRecords: boolean): readonly StoredPairingResult[] {
  const all = pairingsOf(contests, id).flatMap(([number, { result }]) => (result && number > after ? [result] : []));
  return all.map(({ records, ...result }) => structuredClone(withRecords && records ? { ...result, records } : result));
}

const sizeOf = (result: object): number => Buffer.byteLength(JSON.stringify(result));

function partOf(result: StoredPairingResult, skip: number, most: number): StoredResultPage['results'][number] {
  const { games = [], records } = result as { readonly games?: readonly unknown[]; readonly records?: readonly unknown[] };
  const slices = { games: games.slice(skip, skip + most), ...(records ? { records: records.slice(skip, skip + most) } : {}) };
  const hasMore = Math.max(games.length, records?.length ?? 0) > skip + most;
  return { ...result, ...slices, ...(hasMore ? { moreGames: true as const } : {}) };
}
