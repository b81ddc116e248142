import type { ExperiencePools, Pool, PoolEntry } from '@maw/store/ports/experience.ts';
import { compareBytes } from './compare-bytes.ts';

/** Pools of experience in memory. */
export function memoryExperience(): ExperiencePools {
  const pools = new Map<string, Pool>();
  /** JSON of entries by pool and game. */
  const games = new Map<string, Map<string, string>>();
  const keyOf = (name: string, version: number): string => JSON.stringify([name, version]);
  const gamesOf = (name: string, version: number) =>
    [...(games.get(keyOf(name, version)) ?? [])].toSorted(([a], [b]) => compareBytes(a, b));
  const entriesOf = (name: string, version: number): readonly PoolEntry[] =>
    gamesOf(name, version).flatMap(([game, json]) =>
      (JSON.parse(json) as Omit<PoolEntry, 'game'>[]).toSorted((a, b) => a.n - b.n).map((entry) => ({ game, ...entry })),
    );
  return {
    async create(pool) {
      const key = keyOf(pool.name, pool.version);
      if (!pools.has(key)) pools.set(key, structuredClone(pool));
    },

    async add(name, version, game, entries) {
      const key = keyOf(name, version);
      const known = games.get(key) ?? new Map<string, string>();
      if (known.has(game) || !entries.length) return false;
      known.set(game, JSON.stringify(entries));
      games.set(key, known);
      return true;
    },

    async list(name) {
      return [...pools.values()]
        .filter((pool) => name === undefined || pool.name === name)
        .toSorted((a, b) => compareBytes(a.name, b.name) || a.version - b.version)
        .map((pool) => {
          const { length } = entriesOf(pool.name, pool.version);
          return structuredClone({ ...pool, games: gamesOf(pool.name, pool.version).length, entries: length });
        });
    },

    async games(name, version) {
      return gamesOf(name, version).map(([game]) => game);
    },

    async entries(name, version, { after, limit }) {
      const isAfter = ({ game, n }: PoolEntry): boolean =>
        after === undefined || compareBytes(game, after.game) > 0 || (game === after.game && n > after.n);
      return entriesOf(name, version).filter(isAfter).slice(0, limit);
    },
  };
}
