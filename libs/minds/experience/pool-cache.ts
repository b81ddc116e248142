import { LRUCache } from 'lru-cache';
import type { ExperienceIndex } from '../mind.ts';

/** A pool of experience in memory. */
export interface LoadedPool {
  readonly index: ExperienceIndex;
  /** About how much memory it takes. */
  readonly bytes: number;
}

interface PoolCacheOptions {
  /** Pools that were used last are kept up to this size together; a larger one is kept alone. */
  readonly maxBytes: number;
  /** How long a pool is used before it is loaded again. */
  readonly ttlMs: number;
  now(): number;
}

/** Loads pools once for all who ask. A pool that could not be loaded is loaded again. */
export function poolCache(load: (pool: string) => Promise<LoadedPool>, { maxBytes, ttlMs, now }: PoolCacheOptions) {
  const cache = new LRUCache<string, LoadedPool>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => Math.min(maxBytes, Math.max(1, bytes)),
    ttl: ttlMs,
    ttlResolution: 0,
    perf: { now },
    fetchMethod: load,
  });
  return async (pool: string): Promise<ExperienceIndex> => (await cache.forceFetch(pool)).index;
}
